/*
 * catalogue/tokenizer.c: words by the tokenizer of SQLite's FTS5, called without an index.
 */
#include "catalogue/tokenizer.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifdef LVL_HAVE_SQLITE

#include <sqlite3.h>

struct cat_words {
    sqlite3 *db; /* in memory and empty: only its tokenizer is used */
    fts5_tokenizer functions;
    Fts5Tokenizer *tokenizer;
};

static bool find_tokenizer(cat_words *w)
{
    const char *options[] = {"remove_diacritics", "2"}; /* as in the definition of the index in catalogue.c */
    sqlite3_stmt *stmt = NULL;
    fts5_api *api = NULL;
    void *data = NULL;

    if (sqlite3_prepare_v2(w->db, "SELECT fts5(?1)", -1, &stmt, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_pointer(stmt, 1, (void *)&api, "fts5_api_ptr", NULL);
    sqlite3_step(stmt);
    sqlite3_finalize(stmt);
    return api && api->xFindTokenizer(api, "unicode61", &data, &w->functions) == SQLITE_OK &&
           w->functions.xCreate(data, options, 2, &w->tokenizer) == SQLITE_OK;
}

cat_words *cat_words_new(void)
{
    cat_words *w = calloc(1, sizeof *w);

    if (w &&
        sqlite3_open_v2(":memory:", &w->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
        find_tokenizer(w))
        return w;
    cat_words_free(w);
    return NULL;
}

void cat_words_free(cat_words *w)
{
    if (!w)
        return;
    if (w->tokenizer)
        w->functions.xDelete(w->tokenizer);
    sqlite3_close(w->db);
    free(w);
}

typedef struct walk {
    cat_word_fn give;
    void *user;
} walk;

static int add_token(void *user, int flags, const char *word, int len, int start_at, int end)
{
    const walk *w = user;

    (void)flags;
    (void)start_at;
    (void)end;
    return w->give(w->user, (lvl_text){word, (size_t)len}) ? SQLITE_OK : SQLITE_DONE;
}

lvl_status cat_words_of(cat_words *words, lvl_text text, cat_word_fn give, void *user)
{
    walk w = {give, user};

    if (!text.len)
        return LVL_OK;
    const int code = words->functions.xTokenize(words->tokenizer, &w, FTS5_TOKENIZE_DOCUMENT, text.ptr,
                                                text.len < INT_MAX ? (int)text.len : INT_MAX, add_token);
    return code == SQLITE_OK || code == SQLITE_DONE ? LVL_OK : LVL_ERR_MEMORY;
}

#else

cat_words *cat_words_new(void)
{
    return NULL;
}

void cat_words_free(cat_words *w)
{
    (void)w;
}

lvl_status cat_words_of(cat_words *words, lvl_text text, cat_word_fn give, void *user)
{
    (void)words;
    (void)text;
    (void)give;
    (void)user;
    return LVL_ERR_UNSUPPORTED;
}

#endif
