/*
 * catalogue/stats.c: counts, whole tables, and what the catalogue has of one file.
 */
#include "catalogue/query.h"

#include "base/sha.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

lvl_status lvl_catalogue_stats(lvl_catalogue *c, lvl_catalogue_row_fn row, void *user)
{
    static const char *const what[][2] = {
        {"format", "coalesce(f.format, 'foreign')"},
        {"version", "f.format || ' ' || f.version"},
        {"game", "l.game"},
        {"verdict", "f.verdict"},
        {"author", "l.author"},
        {"year", "substr(f.date, 1, 4)"},
    };
    lvl_status status = cat_each_row(
        c,
        "SELECT 'files' AS what, 'all' AS value, count(*) AS files, sum(size) AS bytes FROM "
        "stored_files WHERE removed IS NULL UNION ALL SELECT 'files', 'removed', count(*), sum(size) "
        "FROM stored_files WHERE removed IS NOT NULL UNION ALL SELECT 'files', 'different', "
        "count(DISTINCT coalesce(content, sha256)), NULL FROM stored_files WHERE removed IS NULL",
        row, user);
    char sql[500];

    for (size_t i = 0; i < sizeof what / sizeof *what && status == LVL_OK; i++) {
        snprintf(
            sql, sizeof sql,
            "SELECT '%s' AS what, %s AS value, count(*) AS files, sum(f.size) AS bytes FROM files f LEFT "
            "JOIN stored_levels "
            "l ON l.file = f.id WHERE f.removed IS NULL AND %s IS NOT NULL GROUP BY 2 ORDER BY 3 DESC, 2",
            what[i][0], what[i][1], what[i][1]);
        status = cat_each_row(c, sql, row, user);
    }
    if (status == LVL_OK)
        status = cat_each_row(
            c,
            "SELECT 'note' AS what, n.key AS value, count(DISTINCT f.id) AS files, NULL AS bytes FROM "
            "notes n JOIN files f ON f.sha256 = n.sha256 WHERE f.removed IS NULL GROUP BY 2 ORDER BY 3 "
            "DESC, 2",
            row, user);
    return status;
}

const char *lvl_catalogue_table(size_t index)
{
    return index < CAT_NAMES ? cat_tables[index].name : NULL;
}

lvl_status lvl_catalogue_rows(lvl_catalogue *c, const char *table, lvl_catalogue_row_fn row, void *user)
{
    char sql[200];

    for (size_t t = 0; t < CAT_NAMES; t++) {
        const cat_table *of = &cat_tables[t];
        if (strcmp(of->name, table) != 0)
            continue;
        snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY 1, 2, 3", of->name);
        if (of->count < 3)
            snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY 1", of->name);
        return cat_each_row(c, sql, row, user);
    }
    return LVL_ERR_ARG;
}

/* ---- a file -------------------------------------------------------------------------------------------- */

lvl_status lvl_catalogue_sha256(lvl_catalogue *c, const char *path, char out[65])
{
    cat_statement *s;
    bool row = false;

    memset(out, 0, 65);
    lvl_status status = cat_sql_prepare(c->sql,
                                        "SELECT f.sha256 FROM stored_files s JOIN files f ON f.id = s.id "
                                        "WHERE s.path_key = $1 AND s.path = $2",
                                        &s);
    if (status == LVL_OK) {
        cat_bind_int(s, 1, cat_key_of(lvl_text_of(path)));
        cat_bind_text(s, 2, lvl_text_of(path));
        status = cat_step(s, &row);
    }
    if (status == LVL_OK && row && cat_text(s, 0).len == 64)
        memcpy(out, cat_text(s, 0).ptr, 64);
    cat_statement_free(s);
    return status == LVL_OK && !*out ? LVL_ERR_MISSING : status;
}

lvl_status lvl_catalogue_has(lvl_catalogue *c, const char *path, lvl_bytes bytes, bool *same)
{
    char wanted[65], found[65];

    *same = false;
    const lvl_status status = lvl_catalogue_sha256(c, path, wanted);
    if (status != LVL_OK)
        return status;
    lvl_sha256_hex(bytes, found);
    *same = strcmp(wanted, found) == 0;
    return LVL_OK;
}
