/*
 * catalogue/stats.c: counts, all files, and whole tables.
 */
#include "catalogue/query.h"

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
    return status;
}

lvl_status lvl_catalogue_files(lvl_catalogue *c, lvl_catalogue_row_fn row, void *user)
{
    return cat_each_row(
        c,
        "SELECT f.path, f.format, f.version, f.verdict, f.errors, f.warnings, f.size, f.date AS "
        "file_date, f.sha256, l.title, l.author, l.game, l.date, l.description, l.program, "
        "l.music, l.width, l.height, l.columns, l.rows, l.start_x, l.start_y, l.things FROM "
        "files f LEFT JOIN stored_levels l ON l.file = f.id ORDER BY f.path",
        row, user);
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
