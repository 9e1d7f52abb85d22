# Files made to cost as much work as their size allows; sourced. `crafted NAME N' writes one of N parts to standard output; `craft NAME N FILE' makes the
# file: what ends in .json is a dump, what begins with graal is converted.

crafted() {
    awk -v kind="$1" -v n="$2" -v last="${3:-}" '
    function rows(w, h,  i) { # a grid whose cells all differ from their neighbours
        printf "{\"width\":%d,\"height\":%d,\"rows\":[", w, h
        for (i = 0; i < h; i++)
            printf "%s\"%d*%d\"", i ? "," : "", i % 9 + 1, w
        printf "]}"
    }
    function doc(format) { printf "{\"lvl\":1,\"format\":\"%s\",\"doc\":{", format }
    BEGIN {
        if (kind ~ /^nw/ || kind ~ /^graal/) print "GLEVNW01"
        if (kind ~ /^gani/) print "GANI0001"
        if (kind == "nw-npcs")
            for (i = 0; i < n; i++) printf "NPC - %d %d\nsay %d;\nNPCEND\n", i % 64, int(i / 64) % 64, i
        else if (kind == "nw-same")
            for (i = 0; i < n; i++) print "NPC - 1 1\nNPCEND"
        else if (kind == "nw-links")
            for (i = 0; i < n; i++) printf "LINK m%d.nw %d %d 1 1 3 3\n", i, i % 64, i % 61
        else if (kind == "nw-art")
            for (i = 0; i < n; i++) printf "NPC m%d.png 1 1\nsetimg n%d.png;setgani o%d,p;\nNPCEND\n", i, i, i
        else if (kind == "nw-layers")
            for (i = 0; i < n; i++) printf "BOARD 0 %d 1 %d AA\n", i % 64, i
        else if (kind == "nw-signs")
            for (i = 0; i < n; i++) print "SIGN 1 1\n#a(#b(#c(\nSIGNEND"
        else if (kind == "nw-braces") {
            print "NPC - 1 1"
            for (i = 0; i < n; i++) printf "if(a){\"\\\"\n"
            print "NPCEND"
        } else if (kind == "graal-npcs")
            for (i = 0; i < n; i++) printf "NPC m%d.png %d %d\nsetimg x%d.png;\nNPCEND\n", i, i % 64, int(i / 64) % 64, i
        else if (kind == "gani-sprites") {
            for (i = 0; i < n; i++) printf "SPRITE %d L%d 0 0 8 8 x\n", i, i
            print "ANI"
            for (i = 0; i < n; i++) printf "%d %d %d\n%d 1 1\n%d 1 1\n%d 1 1\n\n", i, i % 99, i % 77, i, i, i
            print "ANIEND"
        } else if (kind == "gani-attached") { # each draws the next twice
            for (i = 0; i < n; i++) printf "SPRITE %d SPRITES 0 0 8 8 x\nATTACHSPRITE %d %d 1 1\nATTACHSPRITE2 %d %d 2 2\n", i, i, i + 1, i, i + 1
            print "SINGLEDIRECTION\nANI"
            for (i = 0; i < n; i++) printf "%s0 %d 0", i ? ", " : "", i
            print "\nANIEND"
        } else if (kind == "gani-pieces") {
            for (i = 0; i < n; i++) printf "SPRITE %d SPRITES %d 0 8 8 x\n", i, i
            print "SINGLEDIRECTION\nANI"
            for (i = 0; i < n; i++) printf "%s%d %d %d", i ? ", " : "", i, i % 99, i % 77
            print "\nANIEND"
        } else if (kind == "gmap") {
            printf "GRMAP001\nWIDTH %d\nHEIGHT %d\nLEVELNAMES\n", n, n
            for (i = 0; i < n; i++)
                for (k = 0; k < n; k++) printf "\"%s\"%s", last ? last : "m" i "_" k ".nw", k + 1 < n ? "," : "\n"
            print "LEVELNAMESEND"
        } else if (kind == "level-chunks") {
            printf "{\"version\":1,\"title\":\"t\",\"chunks\":{\"size\":128,\"chunks\":{"
            for (i = 0; i < n; i++) printf "%s\"%d,%d\":{\"type\":0,\"data\":{\"%d,%d\":0}}", i ? "," : "", i % 999, int(i / 999), i % 999 * 128, int(i / 999) * 128
            print "}},\"palette\":{\"swatches\":[{\"name\":\"a\",\"color\":\"#000000\"}]},\"actors\":{}}"
        } else if (kind == "level-pixels") {
            printf "{\"version\":1,\"title\":\"t\",\"chunks\":{\"size\":255,\"chunks\":{\"0,0\":{\"type\":0,\"data\":{"
            for (i = 0; i < n; i++) printf "%s\"%d,%d\":%d", i ? "," : "", i % 255, int(i / 255), i % 2
            print "}}}},\"palette\":{\"swatches\":[{\"name\":\"a\",\"color\":\"#000000\"},{\"name\":\"b\",\"color\":\"#ffffff\"}]},\"actors\":{}}"
        } else if (kind == "level-actors") {
            printf "{\"version\":1,\"title\":\"t\",\"chunks\":{\"size\":128,\"chunks\":{}},\"palette\":{\"swatches\":[]},\"actors\":{"
            for (i = 0; i < n; i++) printf "%s\"%d\":{\"filename\":\"m%d.doodad\",\"point\":\"%d,%d\",\"links\":[\"%d\",\"x%d\",\"%d\"]}", i ? "," : "", i, i, i, i, n - i, i, (i * 7) % n
            print "}}"
        } else if (kind == "level-swatches") {
            printf "{\"version\":1,\"title\":\"t\",\"chunks\":{\"size\":128,\"chunks\":{}},\"palette\":{\"swatches\":["
            for (i = 0; i < n; i++) printf "%s{\"name\":\"a%d\",\"color\":\"#%06x\"}", i ? "," : "", i % 999, i % 16777216
            print "]},\"actors\":{}}"
        } else if (kind == "level-files") {
            printf "{\"version\":1,\"title\":\"t\",\"files\":{"
            for (i = 0; i < n; i++) printf "%s\"assets/doodads/%d.doodad\":{\"data\":\"eyJ9\"}", i ? "," : "", i
            print "},\"chunks\":{\"size\":128,\"chunks\":{}},\"palette\":{\"swatches\":[]},\"actors\":{}}"
        } else if (kind == "level-broken") {
            printf "{\"version\":1,\"title\":\"t\",\"chunks\":{\"size\":128,\"chunks\":{"
            for (i = 0; i < n; i++) printf "\"%d,0\":{\"type\":0,,\"data\":{\"1", i
        } else if (kind == "wwd-objects.json") {
            doc("wwd")
            printf "\"planes\":[{\"flags\":\"main\",\"image_sets\":[\"A\"],\"tiles\":"
            rows(8, 8)
            printf ",\"objects\":["
            for (i = 0; i < n; i++) printf "%s{\"id\":%d,\"logic\":\"L%d\",\"image_set\":\"S%d\",\"x\":%d,\"y\":%d}", i ? "," : "", i, i, i, i % 999, i
            print "]}]}}"
        } else if (kind == "wwd-same.json") {
            doc("wwd")
            printf "\"planes\":[{\"flags\":\"main\",\"tiles\":"
            rows(8, 8)
            printf ",\"objects\":["
            for (i = 0; i < n; i++) printf "%s{}", i ? "," : ""
            print "]}]}}"
        } else if (kind == "wwd-tiles.json") {
            doc("wwd")
            printf "\"planes\":[{\"flags\":\"main\",\"tiles\":"
            rows(n, n)
            print "}]}}"
        } else if (kind == "wwd-planes.json") {
            doc("wwd")
            printf "\"planes\":["
            for (i = 0; i < n; i++) {
                printf "%s{\"flags\":\"%s\",\"movement_x\":%d,\"movement_y\":1,\"tiles\":", i ? "," : "", i ? "wrap_x|wrap_y" : "main", i % 999 + 1
                rows(4, 4)
                printf "}"
            }
            print "]}}"
        } else if (kind == "pid.json") {
            doc("pid")
            printf "\"pixels\":"
            rows(n, n)
            print "}}"
        } else if (kind == "rez.json") {
            doc("rez")
            printf "\"entries\":["
            for (i = 0; i < n; i++) printf "%s{\"kind\":\"dir\",\"name\":\"D%d\",\"entries\":[{\"type\":\"PID\",\"name\":\"A\",\"data\":{\"base64\":\"AAAA\"}}]}", i ? "," : "", i
            print "]}}"
        } else exit 1
    }'
}

craft() {
    case $1 in
    *.json) crafted "$1" "$2" >made.json && "$lvl" undump made.json -y -q -o "$3" ;;
    graal-*) crafted "$1" "$2" >made.nw && "$lvl" convert made.nw --allow-loss -y -q -o "$3" ;;
    *) crafted "$1" "$2" >"$3" ;;
    esac
}
# Every verb that reads a level, one a line, for a file with that ending: $1 and its other version $2.
crafted_verbs() {
    case $1 in
    *.nw) set -- "$1" "$2" 'npcs[x=3].y=7' 'npcs[x=3,y=4].script' graal ;;
    *.graal) set -- "$1" "$2" 'npcs[x=3].y=7' 'npcs[x=3].script' nw ;;
    *.gani) set -- "$1" "$2" 'sprites[id=3].x=7' 'sprites[id=3].x' json ;;
    *.gmap) set -- "$1" "$2" 'rows[0].names[0]=a.nw' 'rows[*].names[3]' json ;;
    *.level) set -- "$1" "$2" 'actors[filename=m3.doodad].point.x=7' 'layers[0].chunks[*].key' json ;;
    *.wwd) set -- "$1" "$2" 'planes[*].objects[logic=L3].x=4' 'planes[*].objects[x=3,y=4].z' tmx ;;
    *.pid) set -- "$1" "$2" 'offset_x=4' 'pixels[5,5]' png ;;
    *) set -- "$1" "$2" 'entries[name=D3].name=X' 'entries[name=D3].entries[*].name' json ;;
    esac
    ending=${1##*.} picture=o.png
    [ "$ending" != rez ] || picture=pictures/ # of its members
    printf '%s\n' "info $1" "check $1" "dump $1 -y -o o.json" "explain $1" "render $1 -y -o $picture" \
        "render --size 48 $1 -y -o $picture" "render --schematic --overlay grid --size 512 $1 -y -o $picture" \
        "render --graph $1 -y -o o.dot" "repair $1 -y -o o.$ending" "convert $1 --allow-loss -y -o o.$5" "diff $1 $2" \
        "diff $1 $2 --image o.png -y" "merge $1 $2 $1 -y -o o.$ending" "set $1 $3 -y -o o.$ending" "get $1 $4"
}
