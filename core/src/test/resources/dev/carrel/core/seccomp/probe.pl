# Makes the system calls that standard input names, one a line: a label, then the number and the
# arguments in hexadecimal. Prints for each the label and the error number, 0 for success.
# No probe forks: its flags contradict each other.
use strict;
no warnings;
$| = 1;
while (my $line = <STDIN>) {
    my ($label, @words) = split ' ', $line;
    my @numbers = map { hex($_) } @words;
    $! = 0;
    my $answer = syscall(shift(@numbers), @numbers);
    print "$label ", ($answer == -1 ? $! + 0 : 0), "\n";
}
