# Every target calls one small script or Maven; "make help" lists them.
PREFIX ?= /usr/local
DESTDIR ?=
AGENTS = $(or $(CARREL_TEST_AGENTS),$(CURDIR)/build/test-agents)

.PHONY: help demo test test-agents soak build install format bench clean
help:
	@echo 'make demo                  set up, build, and run the main job on a small sample repository'
	@echo 'make test                  set up, build, and run every test'
	@echo 'make test BWRAP=none       the same without bubblewrap: tests of the sandbox are skipped'
	@echo 'make test-agents           drive the real command lines of agents, fetched with npm, against a scripted model'
	@echo 'make soak                  many sessions, kills and storms, for minutes: what the tests do a few times'
	@echo 'make build                 set up and build the distribution; ./carrel runs it'
	@echo 'make install PREFIX=DIR    install into DIR (default /usr/local): bin/carrel, lib/carrel/'
	@echo 'make format                format the sources'
	@echo 'make bench                 measure beside other tools, into bench/RESULTS.md (ONLY="cold live library egress sessions many")'
	@echo 'make clean                 remove what was built, the own bubblewrap too'

demo: build
	@scripts/demo

test:
	@BWRAP='$(BWRAP)' scripts/setup
	@scripts/maven verify

test-agents:
	@BWRAP='$(BWRAP)' scripts/setup
	@scripts/test-agents '$(AGENTS)'
	@CARREL_TEST_AGENTS='$(AGENTS)' scripts/maven -pl core,cli,system-tests verify -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dit.test='Agent*SystemIT' -Dfailsafe.failIfNoSpecifiedTests=false -Dagents.excluded=none

soak:
	@BWRAP='$(BWRAP)' scripts/setup
	@scripts/maven -pl core verify -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dit.test='SoakIT,SessionKillsIT,StartKillsIT,RuntimeFaultIT,RuntimeStormIT' -Dcarrel.soak=200 -Dcarrel.cancels=800 -Dcarrel.middles=20 -Dcarrel.storm.seconds=120

build:
	@BWRAP='$(BWRAP)' scripts/setup
	@scripts/build

install: build
	@scripts/install '$(DESTDIR)' '$(PREFIX)'

format:
	@scripts/setup
	@scripts/maven -q spotless:apply

bench: build
	@scripts/bench $(ONLY)

clean:
	rm -rf build target */target
