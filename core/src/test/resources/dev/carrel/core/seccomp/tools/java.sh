"$1" -XX:TieredStopAtLevel=1 -cp . dev.carrel.core.seccomp.JavaTool
