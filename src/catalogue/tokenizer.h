/*
 * catalogue/tokenizer.h: the words of a text as SQLite's full-text index has them: in lower case, without
 * accents. The index finds the texts that have a word, and these words the line of the text.
 */
#ifndef LVL_CATALOGUE_TOKENIZER_H
#define LVL_CATALOGUE_TOKENIZER_H

#include <lvl/doc.h>

typedef struct cat_words cat_words;

/* NULL: no memory, or built without SQLite. */
cat_words *cat_words_new(void);
/* Accepts NULL. */
void cat_words_free(cat_words *words);

/* Gets a word, which is valid during the call; false ends the walk. */
typedef bool (*cat_word_fn)(void *user, lvl_text word);
/* Calls `give` for each word of the text, which is UTF-8, in order. LVL_ERR_MEMORY. */
lvl_status cat_words_of(cat_words *words, lvl_text text, cat_word_fn give, void *user);

#endif
