#!/bin/sh
# Checks which file includes what, and that only the program's own files print, exit or look at the
# environment.
#
#   base 1 < read 2 < expl 3 < model 4 < engine, links and nccl 5 < allreduce 6 < decode and
#   calibrate 7; api sees all of them; cli sees kvsim.h only. A file includes headers of its own part
#   and of lower layers; render sees base and expl only. Each foreign library has few files that
#   include it.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
cd "${top_srcdir:-$(dirname "$0")/..}" || exit 99

perl - <<'END'
use strict;
use warnings;
require './tests/scan.pl';

my %layer = (base => 1, read => 2, expl => 3, model => 4, engine => 5, links => 5, nccl => 5,
             allreduce => 6, decode => 7, calibrate => 7, render => 8);
my %sees = (
    render => [qw(base expl render)],
    api    => [qw(api base read expl model engine links nccl allreduce decode calibrate render
                  kvsim)],
    cli    => [qw(cli kvsim)],
    kvsim  => [],
);
for my $name (keys %layer) {
    $sees{$name} ||= [grep { $_ eq $name || $layer{$_} < $layer{$name} } keys %layer];
}

# Foreign header => the files that may include it.
my @foreign = (
    [qr{^gsl/},       qr{^src/(?:calibrate/fit|engine/quasi)\.c$}],
    [qr{^yaml\.h$},   qr{^src/read/yaml\.c$}],
    [qr{^jansson\.h$}, qr{^src/(?:render|read)/json\.c$}],
    [qr{^expat\.h$},  qr{^src/read/xml\.c$}],
);

# Not outside src/cli; and nowhere.
my $outward = qr{\b(printf|fprintf|vprintf|vfprintf|puts|putchar|perror|stdout|stderr|getenv
                  |secure_getenv|setenv|setlocale|(?:exit|_exit|_Exit|quick_exit)(?=\s*\())\b}x;
my $banned = qr{\b(sprintf|vsprintf|strcpy|strcat|strtok|gets|atoi|atol|atoll|atof)(?=\s*\()}x;

my $problems = 0;
sub problem {
    print "@_\n";
    $problems++;
}

# The part of the tree that a path below src/ belongs to.
sub part_of {
    my ($path) = @_;
    return $path =~ m{^src/(\w+)/} ? $1 : $path =~ m{^src/(\w+)\.[ch]$} ? $1 : '?';
}

sub check_include {
    my ($file, $line, $quote, $header) = @_;
    if ($quote eq '<') {
        for my $rule (@foreign) {
            problem("$file:$line: only one file may include <$header>")
                if $header =~ $rule->[0] && $file !~ $rule->[1];
        }
        return;
    }
    (my $beside = $file) =~ s{[^/]*$}{$header};
    my ($path) = grep { -f $_ } "src/$header", $beside;
    return problem("$file:$line: there is no \"$header\"") if !defined $path;
    my ($from, $to) = (part_of($file), part_of($path));
    problem("$file:$line: $from must not include $to (\"$header\")")
        if !grep { $_ eq $to } @{$sees{$from} || []};
}

sub check_words {
    my ($file, $line, $text) = @_;
    my $cli = part_of($file) eq 'cli';
    $text =~ s/\bformat\s*\(\s*_*printf_*/ /g;      # __attribute__((format(printf, ...)))
    while (!$cli && $text =~ /$outward/g) {
        problem("$file:$line: $1 is for src/cli only");
    }
    while ($text =~ /$banned/g) {
        problem("$file:$line: $1 is not used in kvsim");
    }
}

my @files = files_below('src', qr/\.[ch]$/);
for my $file (@files) {
    my $part = part_of($file);
    problem("$file: no layer is called $part") if !$sees{$part};
    my $text = without_comments(contents($file));
    my $line = 0;
    for (split /\n/, $text) {
        $line++;
        check_include($file, $line, $1, $2) if /^\s*#\s*include\s*([<"])([^>"]+)[>"]/;
    }
    $line = 0;
    for (split /\n/, without_quotes($text)) {
        $line++;
        check_words($file, $line, $_) if !/^\s*#\s*include/;
    }
}
die "there is no source file\n" if !@files;
exit($problems ? 1 : 0);
END
