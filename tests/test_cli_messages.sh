#!/bin/sh
# What messages name: made-up wrong values in each field of each format, damaged bytes, and changes that clash run through the verbs, and each line that
# they print is judged. A message names the thing that it is about by a path, a name, a layer or a place, never by an index alone; it names no temporary
# file, and no thing of another format.
. "$(dirname "$0")/support/shell.sh"
if ! perl -MJSON::PP -e 1 2>/dev/null; then
    echo "skipped: no perl with JSON::PP"
    exit 77
fi

cat >make.pl <<'PERL'
# make.pl DUMP FOLDER: writes copies of the dump, each with one wrong value; of each list one item is changed.
use strict;
use warnings;
use JSON::PP;
my ($file, $folder) = @ARGV;
my $json = JSON::PP->new->utf8->canonical->allow_nonref;
open my $in, '<', $file or die;
my $whole = $json->decode(do { local $/; <$in> });
my ($count, %seen) = (0);

sub write_out {
    my ($path) = @_;
    open my $out, '>', sprintf('%s/%03d.json', $folder, $count++) or die;
    print $out $json->encode($whole);
    close $out;
}
sub is_number { !ref $_[0] && $json->encode($_[0]) =~ /^-?[0-9]/ }
sub bad_values {
    my ($value) = @_;
    return (-1, 4_000_000_000, 12345, 0.5) if is_number($value);
    return ("", "a\nb", "\x{263a}" x 3, "no such thing", "x" x 400) if !ref $value && defined $value;
    return ({}, 3) if ref $value eq 'ARRAY';
    return ();
}
sub vary {
    my ($node, $kind) = @_;
    if (ref $node eq 'HASH') {
        for my $key (sort keys %$node) {
            next if $key =~ /^(pixels|tiles|rows|~.*)$/;
            my $was = $node->{$key};
            if (!$seen{"$kind.$key"}++) {
                for my $bad (bad_values($was)) {
                    $node->{$key} = $bad;
                    write_out();
                }
                $node->{$key} = $was;
            }
            vary($was, "$kind.$key");
        }
    } elsif (ref $node eq 'ARRAY' && @$node) {
        my $last = $#$node;
        vary($node->[$last], $kind);
        if (ref $node->[$last] && !$seen{"$kind twice"}++) {
            push @$node, $node->[$last];
            write_out();
            pop @$node;
        }
    }
}
vary($whole->{doc}, '');
PERL

cat >judge.pl <<'PERL'
# judge.pl SCHEMA: reads "COMMAND<tab>LINE" and prints the lines that name a thing badly. What the format's schema mentions is its own.
use strict;
use warnings;
open my $schema, '<', $ARGV[0] or die;
my $own = lc do { local $/; <$schema> };
my %known;
my @words = qw(object plane tile image_set logic npc chest baddy baddies sign swatch actor doodad chunk palette sprite frame animation layer row);
my $foreign = join '|', map { s/_/[ _]/r } grep { my $w = s/_/ /r; index($own, $w) < 0 && index($own, $_) < 0 } @words;
my $things = 'object|npc|link|sign|chest|baddy|plane|layer|swatch|actor|chunk|frame|sprite|row|item|member|record|entry|cell|level|file';
while (my $line = <STDIN>) {
    chomp $line;
    my ($command, $text) = split /\t/, $line, 2;
    next if !defined $text || $known{$text}++;
    my ($bare, $wrong) = ($text =~ s/"(?:[^"\\]|\\.)*"//gr =~ s/`[^']*'//gr);   # without values and commands
    my $place = $text =~ /\([a-z_]+[\[.)]|\b[a-z_]+\[[^\]]*\]/;
    $bare =~ s/^[^ ]*: //;
    $bare =~ s/\(?[a-z_]+\[[0-9][^ )]*\)?:?//g;
    $bare =~ s/[a-z]+\.[a-z_.]+://g;
    $bare =~ s/base level [0-9]+//;   # what the games call theirs
    $wrong = 'a temporary file' if $text =~ m{\.lvl[0-9a-f]+-[0-9a-f]|\.merge_file|/tmp/|[/.]lvl-[A-Za-z0-9]{6}\b};
    $wrong = "a thing of another format: $1"
        if !$wrong && $foreign && $command !~ /^convert/ && $bare =~ /\b((?:$foreign)(?:s|es)?)\b/i;
    $wrong = 'an index alone'
        if !$wrong && !$place && $text !~ /"[^"]+"|:0x[0-9a-f]/ && $bare =~ /\b(?:$things) (?:number |#)?[0-9]+(?![0-9,]*[ ]?(?:px|bytes|by|,))\b/i;
    print "$wrong: $command: $text\n" if $wrong;
}
PERL
# the judge finds each of these, and leaves a good message alone
"$lvl" formats --schema wwd >wwd.schema
judged() { printf 'check\t%s\n' "$1" | perl judge.pl wwd.schema; }
for bad in 'a.wwd: error: wwd.x: object 17 has no logic' 'a.wwd: .a.wwd.lvl1f-0: not written' 'a.wwd: cannot read /tmp/lvl-a1B2c3' \
    'a.wwd: error: wwd.x: belongs to swatch "red" (planes[0])' 'lvl: item 3 is not valid'; do
    [ -n "$(judged "$bad")" ] || fail "not found: $bad"
done
good='a.wwd:0x5f4: error: wwd.objects.cut: header declares 85 objects, found 17 (planes[4].objects)'
[ -z "$(judged "$good")" ] || fail "a good message is called bad"

# said COMMAND...: runs it and notes what it says
said() {
    tried=$((tried + 1))
    # the repository may itself lie where temporary files do
    "$lvl" "$@" 2>&1 >/dev/null </dev/null | sed "s|$samples/|samples/|g; s|^|$1	|" >>lines || :
}
while read -r format sample; do
    rm -rf in made more lines
    mkdir in
    "$lvl" dump "$samples/$sample" >dump.json
    "$lvl" formats --schema "$format" >schema
    perl make.pl dump.json in
    ending=${sample##*.}
    said undump in -o made -v
    mkdir -p made
    perl -e 'my ($file, $ending) = @ARGV; local $/; open F, "<", $file; binmode F; my $d = <F>; my $n = length $d; srand 7;
        for my $i (0 .. 11) {
            my $c = $d;
            substr($c, int rand $n, 1) = chr int rand 256 for 0 .. $i % 4;
            $c = substr $c, 0, int $n * $i / 12 if $i % 3 == 0;
            open O, ">", "made/b$i.$ending"; binmode O; print O $c; close O }' "$samples/$sample" "$ending"
    "$lvl" check made -v 2>/dev/null </dev/null | sed 's/^/check	/' >>lines || :
    said repair made -o more -v
    said get made 'no.such[3]'
    for file in made/b*."$ending"; do
        said merge "$samples/$sample" "$file" "$samples/$sample" -o merged."$ending" -y -v
        said copy "$file" objects "$samples/$sample" -o copied."$ending" -y -v
    done
    mkdir small
    for file in made/*1."$ending"; do cp "$file" small; done
    said convert small --to tmx -o more -y -v
    said convert small --to nw -o more -y -v
    rm -rf small
    # a map that was edited in Tiled
    if "$lvl" convert "$samples/$sample" --to tmx -o map.tmx -y -q 2>/dev/null && [ -f map.tmx ]; then
        sed 's|</map>|<objectgroup id="901" name="mine"><object id="9001" x="1" y="2" width="3" height="4"/></objectgroup></map>|' map.tmx >edited1.tmx
        perl -pe 's/value="[^"]*"/++$n % 7 == 3 ? q(value="no value") : $&/ge' map.tmx >edited2.tmx
        perl -pe 's/(<object id="[^"]*"[^>]*) x="[^"]*"/$1 x="-99999"/' map.tmx >edited3.tmx
        sed 's|</map>|<layer id="902" name="drawn" width="2" height="1"><data encoding="csv">99999,1</data></layer></map>|' map.tmx >edited4.tmx
        sed 's/class="[a-z]*"/class="nothing"/; s/type="[a-z]*"/type="nothing"/' map.tmx >edited5.tmx
        for i in 1 2 3 4 5; do said convert edited$i.tmx -o edited."$ending" -y -v; done
    fi
    [ "$(wc -l <lines)" -gt 30 ] || fail "$sample: only $(wc -l <lines) lines"
    perl judge.pl schema <lines >bad
    [ ! -s bad ] || { fail "$sample: messages that name a thing badly"; head -n 10 bad; }
done <<'LIST'
graal graal/lakeside/lake_village.nw
graal graal/lakeside/frost_pass.graal
gani graal/ganis/meeting.gani
gmap graal/lakeside/lakeside.gmap
wwd wwd/cliffs.wwd
sketchy sketchy/hill-v4.level
sketchy sketchy/lantern.doodad
levelpack sketchy/walk.levelpack
LIST

# what is written about findings, and the help
"$lvl" formats --findings | sed 's/^/findings	/' >lines
for verb in $("$lvl" help | sed -n '/^Verbs:/,/^Files:/s/^  \([a-z]*\)  .*/\1/p'); do "$lvl" help "$verb" | sed "s/^/help	/"; done >>lines
perl -ne 'print if m{\.lvl[0-9a-f]+-|merge_file_}' lines >bad
[ ! -s bad ] || { fail "a temporary file"; cat bad; }
finish
