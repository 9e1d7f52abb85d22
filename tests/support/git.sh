# What the tests with git share: lvl by its name on the PATH, a home without settings, and the streams of `expect` in a folder of their own, so
# that they are in no repository.
mkdir "$t/bin" "$t/said" "$t/home"
ln -s "$LVL" "$t/bin/lvl"
PATH=$t/bin:$PATH
HOME=$t/home
XDG_CONFIG_HOME=$t/home/config
said=$t/said
export PATH HOME XDG_CONFIG_HOME

# has FILE TEXT WHAT
has() {
    tried=$((tried + 1))
    grep -qF -- "$2" "$1" || { fail "$3: no \"$2\" in:"; sed 's/^/    /' "$1" | head -n 8; }
}
