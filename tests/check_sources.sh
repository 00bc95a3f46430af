#!/bin/sh
# Every mapping in models/ that has a `value:` has a `source:` beside it: a number that cannot say
# where it comes from has no place there. Reads YAML as far as these files use it: block mappings
# and sequences by indentation, flow mappings over any number of lines, comments, quotes.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
cd "${top_srcdir:-$(dirname "$0")/..}" || exit 99

perl - <<'END'
use strict;
use warnings;
require './tests/scan.pl';

my ($problems, $values) = (0, 0);

# A mapping that is open: {indent, value => line, source => bool}; indent is undef in flow style.
sub close_mapping {
    my ($file, $mapping) = @_;
    return if !$mapping->{value};
    $values++;
    return if $mapping->{source};
    print "$file:$mapping->{value}: a value without a source\n";
    $problems++;
}

sub note_key {
    my ($mapping, $key, $line) = @_;
    $mapping->{value} = $line if $key eq 'value';
    $mapping->{source} = 1 if $key eq 'source';
}

# Flow text of one line: opens and closes mappings, notes their keys.
sub read_flow {
    my ($file, $flow, $text, $line) = @_;
    while ($text =~ /\G(?:([{\[])|([}\]])|"((?:[^"\\]|\\.)*)"\s*:|(\w[\w.-]*)\s*:(?=\s|$)
                        |"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\w[\w.-]*|.)/gsx) {
        if (defined $1) {
            push @$flow, {};
        } elsif (defined $2) {
            close_mapping($file, pop @$flow) if @$flow;
        } elsif (@$flow && (defined $3 || defined $4)) {
            note_key($flow->[-1], defined $3 ? $3 : $4, $line);
        }
    }
}

# A line without its comment: what follows a # that begins a word outside quotes.
sub without_comment {
    my ($text) = @_;
    $text =~ s/^((?>"(?:[^"\\]|\\.)*"|(?<![^\s:\[{,(-])'(?:[^']|'')*'|(?<=\S)#|[^#])*)#.*/$1/;
    return $text;
}

sub check_file {
    my ($file) = @_;
    my (@block, @flow);
    my ($line, $scalar) = (0, undef);
    for my $raw (split /\n/, contents($file)) {
        $line++;
        next if $raw =~ /^\s*$/;
        my $indent = $raw =~ /^( *)/ ? length $1 : 0;
        next if defined $scalar && $indent > $scalar;   # inside a | or > text
        undef $scalar;
        my $text = without_comment($raw);
        next if $text =~ /^\s*$/;
        if (!@flow) {
            # "- key: x": the mapping's keys begin after the dash.
            my $dashed = 0;
            while ($text =~ /^( *)-( +)(?=\S)/) {
                close_mapping($file, pop @block)
                    while @block && $block[-1]{indent} > length $1;
                $dashed = 1;
                $text =~ s/^( *)-( +)/"$1 $2"/e;
            }
            $indent = $text =~ /^( *)/ ? length $1 : 0;
            close_mapping($file, pop @block)
                while @block && ($block[-1]{indent} > $indent
                                 || ($dashed && $block[-1]{indent} == $indent));
            if ($text =~ /^ *(?:"([^"]*)"|'([^']*)'|([^\s"'{\[][^:{\[]*?))\s*:(?=\s|$)(.*)$/) {
                my $key = defined $1 ? $1 : defined $2 ? $2 : $3;
                push @block, {indent => $indent}
                    if !@block || $block[-1]{indent} < $indent;
                note_key($block[-1], $key, $line);
                $text = $4;
                $scalar = $indent if $text =~ /^\s*[|>][-+0-9]*\s*$/;
            }
            next if $text !~ /^\s*[{\[]/;               # a plain scalar may hold anything
        }
        read_flow($file, \@flow, $text, $line);
    }
    close_mapping($file, $_) for @block;
}

check_file($_) for files_below('models', qr/\.yaml$/);
print "$values values, $problems without a source\n";
exit($problems ? 1 : 0);
END
