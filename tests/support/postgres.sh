# A server of PostgreSQL for a test: an own one in a temporary folder, reached by a socket only. After
#
#     . "$(dirname "$0")/support/shell.sh"
#     . "$here/support/postgres.sh"
#
# it runs, $pg is its folder, and `url NAME' is the address of an empty database that it creates. Without the server's programs the test is skipped.
"$lvl" scan --to 'postgresql:///x?host=/nowhere' "$samples/wwd/cliffs.wwd" >/dev/null 2>"$t/said"
! grep -q 'without \(libpq\|SQLite\)' "$t/said" || { echo "skipped: built without libpq or SQLite"; exit 77; }
pg_bin=
for dir in /usr/lib/postgresql/*/bin "$(pg_config --bindir 2>/dev/null)"; do
    [ -x "$dir/initdb" ] && [ -x "$dir/pg_ctl" ] && [ -x "$dir/psql" ] && pg_bin=$dir
done
[ -n "$pg_bin" ] || { echo "skipped: no server of PostgreSQL (Debian's package postgresql)"; exit 77; }
# The path of a socket has at most 107 bytes.
pg=$(mktemp -d /tmp/lvl-pg.XXXXXX) || exit 3
# The server refuses to run as root.
if [ "$(id -u)" = 0 ]; then
    chown nobody "$pg"
    as_server() { su -s /bin/sh nobody -c 'cd / && exec "$@"' -- sh "$@"; }
else
    as_server() { "$@"; }
fi
pg_start() {
    as_server "$pg_bin/pg_ctl" -D "$pg/data" -w -t 60 -l "$pg/log" -o "-k '$pg' -h '' -F -c max_connections=40" start >/dev/null
}
pg_stop() { as_server "$pg_bin/pg_ctl" -D "$pg/data" -w -m "${1:-fast}" stop >/dev/null 2>&1; }
trap 'pg_stop immediate; rm -rf "$pg"; chmod -R u+w "$test_root"; rm -rf "$test_root"' EXIT
as_server "$pg_bin/initdb" -D "$pg/data" -A trust -U lvl -E UTF8 --locale=C.UTF-8 -N >"$pg/said" 2>&1 && pg_start || {
    cat "$pg/said" "$pg/log"
    echo "the server does not start"
    exit 1
}
unset PGPASSWORD PGHOST PGPORT PGUSER PGDATABASE PGOPTIONS PGSERVICE
psql() { "$pg_bin/psql" -qAtX -h "$pg" -U lvl "$@"; }
url() {
    psql -d postgres -c "CREATE DATABASE $1" && echo "postgresql://lvl@/$1?host=$pg"
}
