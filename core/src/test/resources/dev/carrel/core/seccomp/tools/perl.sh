"$1" -MSocket -e '
socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or die "pair: $!";
socket(my $s, PF_INET, SOCK_STREAM, 0) or die "inet: $!";
bind($s, sockaddr_in(0, INADDR_LOOPBACK)) or die "bind: $!";
listen($s, 1) or die "listen: $!";
my $pid = fork() // die "fork: $!";
if (!$pid) {
    socket(my $c, PF_INET, SOCK_STREAM, 0) or die "client: $!";
    connect($c, getsockname($s)) or die "connect: $!";
    syswrite($b, "ne"); syswrite($c, "fi"); exit 0;
}
accept(my $c, $s) or die "accept: $!";
sysread($c, my $first, 2); sysread($a, my $second, 2);
waitpid($pid, 0); print "$first$second\n";'
