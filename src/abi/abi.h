/*
 * abi/abi.h: what the files of the flat interface (lvl/abi.h) share: documents, calls and their results,
 * options.
 */
#ifndef LVL_ABI_ABI_H
#define LVL_ABI_ABI_H

#include <lvl/abi.h>
#include <lvl/lvl.h>

#include <stdlib.h>
#include <string.h>

/* What a document looks like with these choices, in this frame and direction. */
typedef struct abi_view {
    lvl_buffer with; /* the choices as texts "name=value", each ended by a NUL */
    lvl_buffer storage; /* what the choices point to */
    lvl_scene_choice *choices;
    uint32_t choice_count;
    bool played; /* lvl_doc_play was called; `play` is NULL unless it is an animation */
    lvl_animation *play;
    lvl_scene *scene;
    uint32_t frame, direction;
} abi_view;

struct lvl_abi_doc {
    lvl_ctx ctx;
    lvl_doc *doc;
    uint8_t *input; /* the bytes that were read */
    size_t len;
    char *name; /* as given; "" for none */
    char *archive; /* the archive on disk that it is a member of, or NULL */
    struct lvl_file_seen *seen; /* the file that it was loaded from or saved to; or NULL */
    bool on_disk; /* loaded from a path: art is searched around it */
    /* a part of something: of a damaged member, or with content of a cut document */
    bool partial;
    bool edited; /* a call changed it, or it was not read from `input` */
    /* the caller knows its records (lvl_abi_root), which may change between two calls: nothing is kept */
    bool handed;
    lvl_abi_art *art; /* where its pictures come from (lvl_abi_use_art), or NULL */
    /* kept for the next call until the document changes */
    abi_view view;
    lvl_container *container;
};

/* A call in progress, and afterwards its result, which is the first member. */
typedef struct abi_call {
    lvl_abi_result result;
    lvl_ctx own; /* of calls without a document */
    lvl_ctx *ctx; /* of the document, or `own` */
    lvl_usage usage;
    lvl_findings *findings;
    lvl_buffer out, json, text;
} abi_call;

/* Begins a call with a document, or NULL. NULL without memory. */
abi_call *abi_begin(lvl_abi_doc *doc);
/* Ends it: *out, findings and status become the result. */
lvl_abi_result *abi_end(abi_call *call, lvl_status status);
/* Sets the message. */
void abi_set_message(abi_call *call, const char *fmt, ...) LVL_PRINTF(2, 3);
/* The same, with the status for a wrong argument: a macro, so that static analysis sees which status it
 * is. */
#define abi_wrong(call, ...) (abi_set_message(call, __VA_ARGS__), LVL_ERR_ARG)

typedef enum abi_kind { ABI_TEXT, ABI_FLAG, ABI_UINT, ABI_UINT64, ABI_INTS, ABI_REPEATED } abi_kind;

/* An option that a call has, and where its value goes: const char *, bool, uint32_t, uint64_t,
 * int32_t[count]; a repeated one goes nowhere. */
typedef struct abi_option {
    const char *name;
    abi_kind kind;
    void *to;
    uint32_t count;
} abi_option;

/* Reads a list of options; LVL_ERR_ARG with a message. */
lvl_status abi_options(abi_call *call, const char *options, const abi_option *known, size_t count);
/* One of them. */
lvl_status abi_option_take(abi_call *call, const char *text, const abi_option *known, size_t count);
/* The value of `name` in a text "name=value", or NULL. */
const char *abi_value(const char *text, const char *name);

/* The texts of a list as an array, allocated by malloc; NULL without memory. */
const char **abi_items(const char *list, size_t *count);

/* Writes a JSON array of entries: begin, each entry, end. Ending gives the status of the container. */
void abi_list_begin(abi_call *call);
void abi_entry_json(abi_call *call, const lvl_entry *entry);
lvl_status abi_list_end(abi_call *call, const lvl_container *container);

/* A document with a copy of these bytes: `like` (may be NULL) has the settings. */
lvl_status abi_doc_new(abi_call *call, const lvl_abi_doc *like, lvl_bytes bytes, const char *name,
                       lvl_abi_doc **out);
/* Reads its bytes. `format` NULL: probe. */
lvl_status abi_doc_read(abi_call *call, lvl_abi_doc *doc, const lvl_format *format);
/* Writes it as lvl_abi_write; `replaces`: LVL_ERR_LOSS if the result must not replace its source. */
lvl_status abi_doc_write(abi_call *call, lvl_abi_doc *doc, bool replaces, lvl_buffer *out);
/* The bytes that writing it would give: those that were read, or in `storage`. */
lvl_status abi_doc_bytes(lvl_abi_doc *doc, lvl_buffer *storage, lvl_bytes *out);
/* Frees what is kept for the next call, of a document that changes or ends. */
void abi_forget(lvl_abi_doc *doc);
void abi_view_clear(const lvl_abi_doc *doc, abi_view *view);
/* A copy of bytes, to be freed; NULL: no memory. */
static inline char *abi_copy(const char *bytes, size_t size)
{
    char *copy = malloc(size);

    return copy ? memcpy(copy, bytes, size) : NULL;
}
static inline char *abi_copy_text(const char *text)
{
    return abi_copy(text, strlen(text) + 1);
}
/* The file name at the end of its name. */
const char *abi_file_name(const lvl_abi_doc *doc);
/* Adds a user, which ends with lvl_abi_art_free. Accepts NULL. */
lvl_abi_art *abi_art_keep(lvl_abi_art *art);
/* Its search path, made on demand with the limits of the document. `around`: the folders around the document
 * may be searched. *bad: the root that could not be opened, or NULL. */
lvl_status abi_art_open(lvl_abi_art *art, const lvl_abi_doc *doc, bool around, lvl_art **out,
                        const char **bad);
/* Whether that is its search path. */
bool abi_art_is(const lvl_abi_art *art, const lvl_art *path);
/* The same, and its pictures stay until it is freed. */
bool abi_art_is_lasting(const lvl_abi_art *art, const lvl_art *path);
/* The art of a call: made from the repeated options "art", else that of the document (lvl_abi_use_art), else
 * made around a document that was loaded from disk; *out is NULL if there is none. `around` false: the last
 * one is not made. */
lvl_status abi_art(abi_call *call, const lvl_abi_doc *doc, const char *options, bool around, lvl_art **out);
/* Whether it is the document's, which outlives the call. */
bool abi_art_is_shared(const lvl_abi_doc *doc, const lvl_art *art);
/* Frees it unless it is the document's. */
void abi_art_done(const lvl_abi_doc *doc, lvl_art *art);

#endif
