# Perl functions that the checks of the C sources share (needs perl-base only).
# SPDX-License-Identifier: GPL-3.0-or-later
use strict;
use warnings;

# All files below a folder whose name fits, sorted.
sub files_below {
    my ($folder, $pattern) = @_;
    opendir(my $handle, $folder) or return ();
    my @names = sort grep { !/^\./ } readdir $handle;
    closedir $handle;
    return map {
        my $path = "$folder/$_";
        -d $path ? files_below($path, $pattern) : /$pattern/ ? ($path) : ();
    } @names;
}

sub contents {
    my ($path) = @_;
    open(my $handle, '<', $path) or die "$path: $!\n";
    local $/;
    my $text = <$handle>;
    return defined $text ? $text : '';
}

sub blank {
    my ($text) = @_;
    $text =~ s/[^\n]/ /g;
    return $text;
}

# C text whose comments are spaces; lines and columns stay where they are.
sub without_comments {
    my ($text) = @_;
    $text =~ s{("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(/\*.*?\*/|//[^\n]*)}
              {defined $1 ? $1 : blank($2)}gse;
    return $text;
}

# The same, and what stands in quotes is spaces too.
sub without_quotes {
    my ($text) = @_;
    $text =~ s{"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'}
              {defined $1 ? '"' . blank($1) . '"' : "'" . blank($2) . "'"}gse;
    return $text;
}

# The same, and preprocessor lines are empty, with the lines that continue them.
sub without_directives {
    my ($text) = @_;
    $text =~ s{^[ \t]*#(?:[^\\\n]|\\.)*}{blank($&)}gmse;
    return $text;
}

1;
