#!/bin/sh
# Lists files of more than 600 lines and functions of more than 60 (from { to }).
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
cd "${top_srcdir:-$(dirname "$0")/..}" || exit 99

perl - <<'END'
use strict;
use warnings;
require './tests/scan.pl';

use constant {FILE_LINES => 600, FUNCTION_LINES => 60};

my $problems = 0;
sub problem {
    print "@_\n";
    $problems++;
}

# A function's body is a brace at depth 0 after a ")". Conditional parts of a file must be balanced.
sub check_functions {
    my ($file, $text) = @_;
    my ($depth, $line, $head, $start, $name) = (0, 1, '', 0, undef);
    for my $token ($text =~ /\n|[{};]|[^\n{};]+/g) {
        if ($token eq "\n") {
            $line++;
            $head .= ' ' if $depth == 0;
        } elsif ($token eq '{') {
            if ($depth++ == 0) {
                $start = $line;
                ($name) = $head =~ /\)\s*$/ && $head !~ /=/ ? $head =~ /(\w+)\s*\(/ : ();
            }
        } elsif ($token eq '}') {
            return problem("$file:$line: a brace too many") if $depth == 0;
            if (--$depth == 0) {
                my $lines = $line - $start + 1;
                problem("$file:$start: $name() has $lines lines, " . FUNCTION_LINES . " are allowed")
                    if defined $name && $lines > FUNCTION_LINES;
                ($head, $name) = ('', undef);
            }
        } elsif ($depth == 0) {
            $head = $token eq ';' ? '' : $head . $token;
        }
    }
    problem("$file: a brace is not closed") if $depth;
}

my @files = files_below('src', qr/\.[ch]$/);
for my $file (@files) {
    my $text = contents($file);
    my $lines = $text =~ tr/\n//;
    problem("$file: $lines lines, " . FILE_LINES . " are allowed") if $lines > FILE_LINES;
    check_functions($file, without_directives(without_quotes(without_comments($text))));
}
die "there is no source file\n" if !@files;
exit($problems ? 1 : 0);
END
