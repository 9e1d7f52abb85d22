# PowerShell completion for lvl; made by `lvl help --completions powershell', do not edit.
# To use it, add this line to the file that $PROFILE names:  . C:\path\to\lvl.ps1

Register-ArgumentCompleter -Native -CommandName lvl, lvl.exe -ScriptBlock {
    param($word, $ast, $position)
    $verbs = [ordered]@{
        'info' = 'show what a file is, on one screen'
        'render' = 'draw a level or an animation as a PNG'
        'convert' = 'convert a file to another format'
        'check' = 'check whether files are sound, and list what is wrong'
        'scan' = 'read many files into a catalogue'
        'find' = 'search a catalogue, or the texts of many files'
        'catalog' = 'count what is in a catalogue, export it'
        'gallery' = 'make a site of all levels of a catalogue'
        'repair' = 'repair damaged files'
        'dump' = 'write a file as JSON, without loss'
        'undump' = 'make a file from its JSON dump'
        'get' = 'print values by their paths'
        'set' = 'change values by their paths'
        'copy' = 'copy records and cells from one file into another'
        'resize' = 'change the size of a level'
        'move' = 'move objects, or a part of a level, with all that belongs to them'
        'new' = 'make an empty level, map, animation or pack'
        'explain' = 'explain each byte of a file'
        'diff' = 'show what changed between two files or folders'
        'merge' = 'merge the changes of two versions of a file'
        'rename' = 'rename a file of a world, and every reference to it in the other files'
        'gmap' = 'make a world map of the levels in a folder'
        'view' = 'show levels in a browser, or write pages to send to somebody'
        'git' = 'let git show and merge level files'
        'tiled' = 'let the map editor Tiled open and save levels'
        'extract' = 'extract files from an archive or level, or scripts from a level'
        'pack' = 'make an archive of a folder, or put files back into an archive or level'
        'formats' = 'list formats, findings, schemas'
        'help' = 'explain a verb, or a logic or command of a game'
        'version' = 'print the version'
    }
    $options = @{
        'info' = '--count --summary --all --members --csv --from0 --json --art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'render' = '--plane --camera --view --region --size --scale --frame --direction --sheet --data --apng --gif --with --layers --hide --overlay --schematic --graph --tiles --crop --transparent -n --dry-run --rules -o --output -y --yes --from0 --json --art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'convert' = '--scale --sheet --data --slice --to --allow-loss --palette --nearest --pictures --property-types --like --at --tileset --tileset-is --empty-is --more-colors --colors --alpha --key --and --layer --chunk-size --trim-palette --screenshots -n --dry-run --no-kept --rewrite-links --scripts -o --output -i --in-place -y --yes --from0 --json --art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'check' = '--roundtrip --damaged --summary --members --only --fail-on --rules --reach-from --from0 --json --art --no-art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'scan' = '--no-thumbnails -o --output --from0 --json --art --no-art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'find' = '--in --like --duplicates --missing --finding --uses --sql --most -l --list -0 --null --csv --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'catalog' = '--in --csv --jsonl --thumbnails -y --yes --json --color -q --quiet -v --verbose -h --help'
        'gallery' = '-n --dry-run --page --files -o --output -y --yes --json --art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'repair' = '--damaged -n --dry-run --normalize --recover -o --output -i --in-place -y --yes --from0 --json --art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'dump' = '-n --dry-run --path --no-kept --compact -o --output -y --yes --from0 --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'undump' = '--allow-loss -n --dry-run -o --output -y --yes --json --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'get' = '--members --all --paths -e --expression -l --files-with-matches -c --matches --csv --from0 --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'set' = '--members -n --dry-run -e --expression --csv --map --unset -o --output -i --in-place -y --yes --from0 --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'copy' = '--tiles --plane --by --unit -n --dry-run --rules -o --output -i --in-place -y --yes --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'resize' = '--size --plane --anchor -n --dry-run --rules -o --output -i --in-place -y --yes --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'move' = '--tiles --plane --unit -n --dry-run --rules -o --output -i --in-place -y --yes --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'new' = '--size --base --like -n --dry-run -o --output -y --yes --json --color -q --quiet -v --verbose -h --help'
        'explain' = '--path --at --residue --all --bits --depth --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'diff' = '--size --schematic --summary --label --image --html --git -y --yes --json --art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'merge' = '-n --dry-run --label --list --choose --choices --html --theirs --base --image --markers -o --output -i --in-place -y --yes --json --art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'rename' = '--references-only -n --dry-run --in --scripts -y --yes --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'gmap' = '-n --dry-run --by --start -o --output -y --yes --json --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'view' = '-n --dry-run --page --site -o --output -y --yes --from0 --json --art --as --profile --encoding --limit -j --jobs --color -q --quiet -v --verbose -h --help'
        'git' = '-n --dry-run --global --local --json --color -q --quiet -v --verbose -h --help'
        'tiled' = '-n --dry-run --install --uninstall --project -y --yes --json --color -q --quiet -v --verbose -h --help'
        'extract' = '-n --dry-run -l --list --scripts --signs -o --output -y --yes --json --as --profile --encoding --limit --color -q --quiet -v --verbose -h --help'
        'pack' = '--to -n --dry-run --set --delete --dedupe -o --output -i --in-place -y --yes --json --profile --encoding --limit --color -q --quiet -v --verbose -h --help'
        'formats' = '--findings --schema --reference --signatures --json --color -q --quiet -v --verbose -h --help'
        'help' = '--man --completions --color -q --quiet -v --verbose -h --help'
        'version' = '--color -q --quiet -v --verbose -h --help'
    }
    $choices = @{
        '--direction' = 'up left down right'
        '--data' = 'array hash'
        '--data' = 'array hash'
        '--overlay' = 'grid attributes objects patrol findings legend all'
        '--unit' = 'own tiles'
        '--anchor' = 'top-left top top-right left center right bottom-left bottom bottom-right'
        '--by' = 'links names'
        '--signatures' = 'magic mime desktop thumbnailer pronom'
        '--completions' = 'bash zsh fish powershell'
        '--profile' = 'strict game salvage sketchy-0.14.0 sketchy-head'
        '--encoding' = 'windows-1252 windows-1250 windows-1251 utf-8'
        '--color' = 'auto always never'
    }
    $before = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } |
        ForEach-Object { $_.ToString() } | Select-Object -Skip 1)
    $verb = $before | Where-Object { $verbs.Contains($_) } | Select-Object -First 1
    $last = if ($before.Count) { $before[-1] } else { '' }
    if ($choices.Contains($last)) { $words = $choices[$last] -split ' ' }
    elseif ($word -like '-*') {
        $words = if ($verb) { $options[$verb] -split ' ' } else { '-h', '--help', '--version' }
    }
    elseif (-not $verb -or $verb -eq 'help') { $words = $verbs.Keys }
    else { $words = @() }
    $words | Where-Object { $_ -like "$word*" } | ForEach-Object {
        $tip = if ($verbs.Contains($_)) { $verbs[$_] } else { $_ }
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $tip)
    }
}
