/*
 * graal/server/server_files.h: shared by the formats of a server's files.
 */
#ifndef LVL_SERVER_FILES_H
#define LVL_SERVER_FILES_H

#include "base/format.h"

/* The rows of the kept members of a root. */
extern const lvl_name lvl_server_line_ends[];
#define LVL_SERVER_KEPT(T)                                                                                   \
    LVL_ROW(T, line_end, "line_end", LVL_INT, .role = LVL_KEPT, .disk = LVL_NO_PLACE,                        \
            .names = lvl_server_line_ends, .prose = "How lines end."),                                       \
        LVL_ROW(T, source, "source", LVL_TEXT, .role = LVL_KEPT, .disk = LVL_NO_PLACE, .flags = LVL_F_LINES, \
                .prose =                                                                                     \
                    "The file, where lvl would write it differently; unchanged parts are copied from it.")

/* Findings for levels and pictures that a document names and that are not there, and what follows from it. */
typedef struct lvl_server_missing {
    const lvl_finding_def *level, *picture;
    const char *level_text, *picture_text;
} lvl_server_missing;

/* Reports them, if any of the files that the document names is there. LVL_ERR_MEMORY. */
lvl_status lvl_server_check_files(const lvl_doc *doc, const lvl_check_request *request,
                                  const lvl_server_missing *missing);

/* Reports mistakes in the script, a field of the root, as in those of levels (graal.script.…), but for
 * conditions that are never true: what else acts on a weapon, a class or an NPC of the server is not
 * known. */
void lvl_server_check_script(const lvl_doc *doc, const lvl_check_request *request, const lvl_field *field);

/* Whether the last part of a path contains a word, in any case, and ends in .txt: in collections the name of
 * the server precedes it. */
bool lvl_server_is_named(const char *path, const char *word);
/* The first line of a head that is neither blank nor a comment; empty: none. */
lvl_text lvl_server_first_line(lvl_bytes head);
/* Shows the fields that are marked so. */
lvl_status lvl_server_info(const lvl_doc *doc, lvl_info *info, const struct lvl_art *art);

#endif
