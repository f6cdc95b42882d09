# Pipes, subshells, signals, background jobs, archives.
seq 1 1000 | sort -rn | tail -n 1 | grep -qx 1
sleep 30 &
kill "$!"
wait "$!" || test "$?" -eq 143
(ulimit -n 64; nice -n 5 true)
mkdir d; ln -s d l; touch d/a; mkfifo f
tar cf a.tar d l f; tar tf a.tar >/dev/null
env true; timeout 5 true; setsid true
echo fine
