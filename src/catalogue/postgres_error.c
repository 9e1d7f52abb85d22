/*
 * catalogue/postgres_error.c: the reason of an error, and whether another try may succeed.
 */
#include "catalogue/postgres.h"

#include <stdio.h>
#include <string.h>

#ifdef LVL_HAVE_POSTGRES

/* The first line of a message, without the severity. It never has a password: one in an address is
 * refused. */
static void note_error(cat_sql *sql, const char *text)
{
    static const char *const severities[] = {"ERROR:  ", "FATAL:  ", "PANIC:  "};

    for (size_t i = 0; i < sizeof severities / sizeof *severities; i++) {
        if (strncmp(text, severities[i], strlen(severities[i])) == 0)
            text += strlen(severities[i]);
    }
    snprintf(sql->error, sizeof sql->error, "%.*s", (int)strcspn(text, "\n"), text);
}

/* Whether the statement may succeed if it is tried again: another scan was in its way. */
static bool in_the_way(const char *state)
{
    static const char *const states[] = {
        "23505", /* unique violation */
        "23P01", /* exclusion violation: names are unique by one */
        "40001", /* serialization failure */
        "40P01", /* deadlock */
        "55P03" /* lock not available */
    };

    for (size_t i = 0; state && i < sizeof states / sizeof *states; i++) {
        if (strcmp(state, states[i]) == 0)
            return true;
    }
    return false;
}

lvl_status cat_pg_note_failure(cat_sql *sql, const PGresult *result)
{
    const cat_pg_database *d = cat_pg_database_of(sql);
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *text = result ? PQresultErrorMessage(result) : NULL;

    note_error(sql, text && *text ? text : PQerrorMessage(d->conn));
    /* an error without a state is not the server's; 57P01 … 57P03: it stops, or does not accept
     * connections yet; 53200: it has no memory */
    sql->trouble = !state || strncmp(state, "57P0", 4) == 0 ? CAT_LOST
                   : in_the_way(state)                      ? CAT_IN_THE_WAY
                                                            : CAT_NO_TROUBLE;
    return state && strcmp(state, "53200") == 0 ? LVL_ERR_MEMORY : LVL_ERR_IO;
}

lvl_status cat_pg_check_result(cat_sql *sql, PGresult *r)
{
    const ExecStatusType state = PQresultStatus(r);
    const lvl_status status =
        state == PGRES_COMMAND_OK || state == PGRES_TUPLES_OK ? LVL_OK : cat_pg_note_failure(sql, r);

    PQclear(r);
    return status;
}

#endif
