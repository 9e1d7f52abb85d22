# bash completion for lvl; made by `lvl help --completions bash', do not edit.

_lvl() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb= word i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        case $word in
        info|render|convert|check|scan|find|catalog|gallery|repair|dump|undump|get|set|copy|resize|move|new|explain|diff|merge|rename|gmap|view|git|tiled|extract|pack|formats|help|version) verb=$word; break ;;
        esac
    done
    case $prev in
    --direction) mapfile -t COMPREPLY < <(compgen -W 'up left down right' -- "$cur"); return ;;
    --data) mapfile -t COMPREPLY < <(compgen -W 'array hash' -- "$cur"); return ;;
    --data) mapfile -t COMPREPLY < <(compgen -W 'array hash' -- "$cur"); return ;;
    --overlay) mapfile -t COMPREPLY < <(compgen -W 'grid attributes objects patrol findings legend all' -- "$cur"); return ;;
    --unit) mapfile -t COMPREPLY < <(compgen -W 'own tiles' -- "$cur"); return ;;
    --anchor) mapfile -t COMPREPLY < <(compgen -W 'top-left top top-right left center right bottom-left bottom bottom-right' -- "$cur"); return ;;
    --by) mapfile -t COMPREPLY < <(compgen -W 'links names' -- "$cur"); return ;;
    --signatures) mapfile -t COMPREPLY < <(compgen -W 'magic mime desktop thumbnailer pronom' -- "$cur"); return ;;
    --completions) mapfile -t COMPREPLY < <(compgen -W 'bash zsh fish powershell' -- "$cur"); return ;;
    --profile) mapfile -t COMPREPLY < <(compgen -W 'strict game salvage sketchy-0.14.0 sketchy-head' -- "$cur"); return ;;
    --encoding) mapfile -t COMPREPLY < <(compgen -W 'windows-1252 windows-1250 windows-1251 utf-8' -- "$cur"); return ;;
    --color) mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$cur"); return ;;
    --tiles|--palette|--pictures|--like|--tileset|--and|--html|--image|--in|--page|--files|--project|--rules|-o|--output|--from0|--art) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    --plane|--camera|--view|--region|--size|--scale|--frame|--slice|--with|--layers|--hide|--to|--at|--tileset-is|--empty-is|--colors|--alpha|--key|--layer|--chunk-size|--base|--by|--path|--label|--choices|--start|-e|--expression|--csv|--map|--unset|--set|--depth|--git|--schema|--reference|--only|--fail-on|--reach-from|--finding|--uses|--sql|--most|--as|--limit|-j|--jobs) return ;;
    esac
    if [[ $cur == -* ]]; then
        case $verb in
        info) word='--count --summary --all --members --csv --from0 --json --art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        render) word='--plane --camera --view --region --size --scale --frame --direction --sheet --data --apng --gif --with --layers --hide --overlay --schematic --graph --tiles --crop --transparent -n --dry-run --rules -o --output -y --yes --from0 --json --art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        convert) word='--scale --sheet --data --slice --to --allow-loss --palette --nearest --pictures --property-types --like --at --tileset --tileset-is --empty-is --more-colors --colors --alpha --key --and --layer --chunk-size --trim-palette --screenshots -n --dry-run --no-kept --rewrite-links --scripts -o --output -i --in-place -y --yes --from0 --json --art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        check) word='--roundtrip --damaged --summary --members --only --fail-on --rules --reach-from --from0 --json --art --no-art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        scan) word='--no-thumbnails -o --output --from0 --json --art --no-art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        find) word='--in --like --duplicates --missing --finding --uses --sql --most -l --list -0 --null --csv --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        catalog) word='--in --csv --jsonl --thumbnails -y --yes --json --color -q --quiet -v --verbose -h --help' ;;
        gallery) word='-n --dry-run --page --files -o --output -y --yes --json --art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        repair) word='--damaged -n --dry-run --normalize --recover -o --output -i --in-place -y --yes --from0 --json --art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        dump) word='-n --dry-run --path --no-kept --compact -o --output -y --yes --from0 --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        undump) word='--allow-loss -n --dry-run -o --output -y --yes --json --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        get) word='--members --all --paths -e --expression -l --files-with-matches -c --matches --csv --from0 --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        set) word='--members -n --dry-run -e --expression --csv --map --unset -o --output -i --in-place -y --yes --from0 --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        copy) word='--tiles --plane --by --unit -n --dry-run --rules -o --output -i --in-place -y --yes --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        resize) word='--size --plane --anchor -n --dry-run --rules -o --output -i --in-place -y --yes --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        move) word='--tiles --plane --unit -n --dry-run --rules -o --output -i --in-place -y --yes --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        new) word='--size --base --like -n --dry-run -o --output -y --yes --json --color -q --quiet -v --verbose -h --help' ;;
        explain) word='--path --at --residue --all --bits --depth --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        diff) word='--size --schematic --summary --label --image --html --git -y --yes --json --art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        merge) word='-n --dry-run --label --list --choose --choices --html --theirs --base --image --markers -o --output -i --in-place -y --yes --json --art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        rename) word='--references-only -n --dry-run --in --scripts -y --yes --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        gmap) word='-n --dry-run --by --start -o --output -y --yes --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        view) word='-n --dry-run --page --site -o --output -y --yes --from0 --json --art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help' ;;
        git) word='-n --dry-run --global --local --json --color -q --quiet -v --verbose -h --help' ;;
        tiled) word='-n --dry-run --install --uninstall --project -y --yes --json --color -q --quiet -v --verbose -h --help' ;;
        extract) word='-n --dry-run -l --list --scripts --signs -o --output -y --yes --json --as --profile --encoding --limit --color -q --quiet -v --verbose -h --help' ;;
        pack) word='--to -n --dry-run --set --delete --dedupe -o --output -i --in-place -y --yes --json --profile --encoding --limit --color -q --quiet -v --verbose -h --help' ;;
        formats) word='--findings --schema --reference --signatures --json --color -q --quiet -v --verbose -h --help' ;;
        help) word='--man --completions --color -q --quiet -v --verbose -h --help' ;;
        version) word='--color -q --quiet -v --verbose -h --help' ;;
        *) word='-h --help --version' ;;
        esac
        mapfile -t COMPREPLY < <(compgen -W "$word" -- "$cur")
        return
    fi
    if [[ -z $verb || $verb == help ]]; then
        mapfile -t COMPREPLY < <(compgen -W 'info render convert check scan find catalog gallery repair dump undump get set copy resize move new explain diff merge rename gmap view git tiled extract pack formats help version' -- "$cur")
        [[ $verb == help ]] && return
    fi
    local files
    mapfile -t files < <(compgen -f -- "$cur")
    COMPREPLY+=("${files[@]}")
}
complete -o filenames -F _lvl lvl
