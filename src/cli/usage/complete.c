/*
 * cli/usage/complete.c: completions for bash, zsh, fish and PowerShell, generated from the tables.
 */
#include "cli/usage/usage.h"

#include <string.h>

/* An option's names, "-o|--output", separated by `between`; `*gap` is written first and set to `between`. */
static void option_names(lvl_buffer *out, const cli_option *o, const char *between, const char **gap)
{
    if (o->letter)
        lvl_buffer_printf(out, "%s-%c%s--%s", *gap, o->letter, between, o->name);
    else
        lvl_buffer_printf(out, "%s--%s", *gap, o->name);
    *gap = between;
}

/* A verb's visible options, blank-separated: "-o --output -y …". */
static void option_words(lvl_buffer *out, const cli_verb *verb)
{
    const char *gap = "";

    for (const cli_option *o = cli_option_from(cli_option_table, verb); o; o = cli_option_from(o + 1, verb))
        option_names(out, o, " ", &gap);
}

static bool takes_files(const cli_option *o)
{
    return o->arg && (strstr(o->arg, "FILE") || strstr(o->arg, "DIR"));
}

/* The options whose values are (or are not) files, as a case pattern: "-o|--output|…". */
static void value_pattern(lvl_buffer *out, bool files)
{
    const char *gap = "";

    for (const cli_option *o = cli_option_table; o->name; o++) {
        bool again = false;
        for (const cli_option *before = cli_option_table; before < o; before++)
            again = again || strcmp(before->name, o->name) == 0;
        if (o->arg && !o->choices && takes_files(o) == files && !again)
            option_names(out, o, "|", &gap);
    }
}

static void verb_words(lvl_buffer *out)
{
    for (const cli_verb *v = cli_verb_table; v->name; v++)
        lvl_buffer_printf(out, "%s%s", v == cli_verb_table ? "" : " ", v->name);
}

static void bash(lvl_buffer *out)
{
    lvl_buffer_str(out,
                   "# bash completion for lvl; made by `lvl help --completions bash', do not edit.\n\n"
                   "_lvl() {\n"
                   "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb= word i\n"
                   "    COMPREPLY=()\n"
                   "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                   "        word=${COMP_WORDS[i]}\n"
                   "        case $word in\n"
                   "        ");
    for (const cli_verb *v = cli_verb_table; v->name; v++)
        lvl_buffer_printf(out, "%s%s", v == cli_verb_table ? "" : "|", v->name);
    lvl_buffer_str(out, ") verb=$word; break ;;\n"
                        "        esac\n"
                        "    done\n"
                        "    case $prev in\n");
    for (const cli_option *o = cli_option_table; o->name; o++) {
        if (!o->choices)
            continue;
        lvl_buffer_printf(out, "    --%s) mapfile -t COMPREPLY < <(compgen -W '", o->name);
        cli_option_choices(o, out);
        lvl_buffer_str(out, "' -- \"$cur\"); return ;;\n");
    }
    lvl_buffer_str(out, "    ");
    value_pattern(out, true);
    lvl_buffer_str(out, ") mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); return ;;\n    ");
    value_pattern(out, false);
    lvl_buffer_str(out, ") return ;;\n"
                        "    esac\n"
                        "    if [[ $cur == -* ]]; then\n"
                        "        case $verb in\n");
    for (const cli_verb *v = cli_verb_table; v->name; v++) {
        lvl_buffer_printf(out, "        %s) word='", v->name);
        option_words(out, v);
        lvl_buffer_str(out, "' ;;\n");
    }
    lvl_buffer_str(out, "        *) word='-h --help --version' ;;\n"
                        "        esac\n"
                        "        mapfile -t COMPREPLY < <(compgen -W \"$word\" -- \"$cur\")\n"
                        "        return\n"
                        "    fi\n"
                        "    if [[ -z $verb || $verb == help ]]; then\n"
                        "        mapfile -t COMPREPLY < <(compgen -W '");
    verb_words(out);
    lvl_buffer_str(out, "' -- \"$cur\")\n"
                        "        [[ $verb == help ]] && return\n"
                        "    fi\n"
                        "    local files\n"
                        "    mapfile -t files < <(compgen -f -- \"$cur\")\n"
                        "    COMPREPLY+=(\"${files[@]}\")\n"
                        "}\n"
                        "complete -o filenames -F _lvl lvl\n");
}

/* Text for zsh's _arguments in single quotes, with quotes, brackets and colons escaped. */
static void zsh_text(lvl_buffer *out, const char *str)
{
    for (; *str; str++) {
        if (*str == '\'')
            lvl_buffer_str(out, "'\\''");
        else if (strchr("[]:\\", *str))
            lvl_buffer_printf(out, "\\%c", *str);
        else
            lvl_buffer_u8(out, (uint8_t)*str);
    }
}

static void zsh_option(lvl_buffer *out, const cli_option *o)
{
    lvl_buffer_str(out, "        ");
    if (o->letter)
        lvl_buffer_printf(out, "'(-%c --%s)'{-%c,--%s%s}'", o->letter, o->name, o->letter, o->name,
                          o->arg ? "=" : "");
    else
        lvl_buffer_printf(out, "'%s--%s%s", o->many ? "*" : "", o->name, o->arg ? "=" : "");
    lvl_buffer_u8(out, '[');
    zsh_text(out, o->prose);
    lvl_buffer_u8(out, ']');
    if (o->arg) {
        lvl_buffer_u8(out, ':');
        zsh_text(out, o->arg);
        lvl_buffer_str(out, o->choices ? ":(" : takes_files(o) ? ":_files" : ": ");
        if (o->choices) {
            cli_option_choices(o, out);
            lvl_buffer_u8(out, ')');
        }
    }
    lvl_buffer_str(out, "' \\\n");
}

static void zsh(lvl_buffer *out)
{
    lvl_buffer_str(
        out, "#compdef lvl\n# zsh completion for lvl; made by `lvl help --completions zsh', do not edit.\n\n"
             "_lvl() {\n"
             "    local -a verbs\n"
             "    verbs=(\n");
    for (const cli_verb *v = cli_verb_table; v->name; v++) {
        lvl_buffer_printf(out, "        '%s:", v->name);
        zsh_text(out, v->summary);
        lvl_buffer_str(out, "'\n");
    }
    lvl_buffer_str(out, "    )\n"
                        "    if (( CURRENT == 2 )); then\n"
                        "        _describe 'verb' verbs\n"
                        "        _files\n"
                        "        return\n"
                        "    fi\n"
                        "    case $words[2] in\n");
    for (const cli_verb *v = cli_verb_table; v->name; v++) {
        lvl_buffer_printf(out, "    %s) _arguments -s \\\n        '1: :' \\\n", v->name);
        for (const cli_option *o = cli_option_from(cli_option_table, v); o; o = cli_option_from(o + 1, v))
            zsh_option(out, o);
        lvl_buffer_printf(out, "        '*:%s ;;\n",
                          v->bit == VERB_HELP ? "verb:(($verbs))'" : "file:_files'");
    }
    lvl_buffer_str(out, "    *) _files ;;\n"
                        "    esac\n"
                        "}\n\n"
                        "_lvl \"$@\"\n");
}

static void fish_text(lvl_buffer *out, const char *str)
{
    lvl_buffer_u8(out, '\'');
    for (; *str; str++) {
        if (*str == '\'' || *str == '\\')
            lvl_buffer_u8(out, '\\');
        lvl_buffer_u8(out, (uint8_t)*str);
    }
    lvl_buffer_u8(out, '\'');
}

static void fish(lvl_buffer *out)
{
    lvl_buffer_str(out, "# fish completion for lvl; made by `lvl help --completions fish', do not edit.\n\n");
    for (const cli_verb *v = cli_verb_table; v->name; v++) {
        lvl_buffer_printf(out, "complete -c lvl -n __fish_use_subcommand -a %s -d ", v->name);
        fish_text(out, v->summary);
        lvl_buffer_u8(out, '\n');
    }
    lvl_buffer_str(out, "complete -c lvl -n '__fish_seen_subcommand_from help' -f -a '");
    verb_words(out);
    lvl_buffer_str(out, "'\n");
    for (const cli_option *o = cli_option_table; o->name; o++) {
        if (o->hidden)
            continue;
        lvl_buffer_str(out, "complete -c lvl");
        if ((o->verbs & VERB_ALL) != VERB_ALL) {
            lvl_buffer_str(out, " -n '__fish_seen_subcommand_from");
            for (const cli_verb *v = cli_verb_table; v->name; v++) {
                if (o->verbs & v->bit)
                    lvl_buffer_printf(out, " %s", v->name);
            }
            lvl_buffer_u8(out, '\'');
        }
        if (o->letter)
            lvl_buffer_printf(out, " -s %c", o->letter);
        lvl_buffer_printf(out, " -l %s", o->name);
        lvl_buffer_str(out, o->choices ? " -x -a '" : !o->arg ? "" : takes_files(o) ? " -r" : " -x");
        if (o->choices) {
            cli_option_choices(o, out);
            lvl_buffer_u8(out, '\'');
        }
        lvl_buffer_str(out, " -d ");
        fish_text(out, o->prose);
        lvl_buffer_u8(out, '\n');
    }
}

/* A text for PowerShell, in single quotes. */
static void powershell_text(lvl_buffer *out, const char *str)
{
    lvl_buffer_u8(out, '\'');
    for (; *str; str++) {
        if (*str == '\'')
            lvl_buffer_u8(out, '\'');
        lvl_buffer_u8(out, (uint8_t)*str);
    }
    lvl_buffer_u8(out, '\'');
}

/* Files need no entry: PowerShell completes them itself where the block finds nothing. */
static void powershell(lvl_buffer *out)
{
    lvl_buffer_str(
        out, "# PowerShell completion for lvl; made by `lvl help --completions powershell', do not edit.\n"
             "# To use it, add this line to the file that $PROFILE names:  . C:\\path\\to\\lvl.ps1\n\n"
             "Register-ArgumentCompleter -Native -CommandName lvl, lvl.exe -ScriptBlock {\n"
             "    param($word, $ast, $position)\n"
             "    $verbs = [ordered]@{\n");
    for (const cli_verb *v = cli_verb_table; v->name; v++) {
        lvl_buffer_printf(out, "        '%s' = ", v->name);
        powershell_text(out, v->summary);
        lvl_buffer_u8(out, '\n');
    }
    lvl_buffer_str(out, "    }\n"
                        "    $options = @{\n");
    for (const cli_verb *v = cli_verb_table; v->name; v++) {
        lvl_buffer_printf(out, "        '%s' = '", v->name);
        option_words(out, v);
        lvl_buffer_str(out, "'\n");
    }
    lvl_buffer_str(out, "    }\n"
                        "    $choices = @{\n");
    for (const cli_option *o = cli_option_table; o->name; o++) {
        if (!o->choices)
            continue;
        lvl_buffer_printf(out, "        '--%s' = '", o->name);
        cli_option_choices(o, out);
        lvl_buffer_str(out, "'\n");
    }
    lvl_buffer_str(
        out,
        "    }\n"
        "    $before = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } |\n"
        "        ForEach-Object { $_.ToString() } | Select-Object -Skip 1)\n"
        "    $verb = $before | Where-Object { $verbs.Contains($_) } | Select-Object -First 1\n"
        "    $last = if ($before.Count) { $before[-1] } else { '' }\n"
        "    if ($choices.Contains($last)) { $words = $choices[$last] -split ' ' }\n"
        "    elseif ($word -like '-*') {\n"
        "        $words = if ($verb) { $options[$verb] -split ' ' } else { '-h', '--help', '--version' }\n"
        "    }\n"
        "    elseif (-not $verb -or $verb -eq 'help') { $words = $verbs.Keys }\n"
        "    else { $words = @() }\n"
        "    $words | Where-Object { $_ -like \"$word*\" } | ForEach-Object {\n"
        "        $tip = if ($verbs.Contains($_)) { $verbs[$_] } else { $_ }\n"
        "        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $tip)\n"
        "    }\n"
        "}\n");
}

bool cli_complete(lvl_buffer *out, const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        bash(out);
    else if (strcmp(shell, "zsh") == 0)
        zsh(out);
    else if (strcmp(shell, "fish") == 0)
        fish(out);
    else if (strcmp(shell, "powershell") == 0)
        powershell(out);
    else
        return false;
    return true;
}
