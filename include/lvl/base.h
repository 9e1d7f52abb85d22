/*
 * lvl/base.h: the basic types of the library: status codes, text and byte views, the context with its limits,
 * positions in a file, and findings (diagnostics).
 *
 * Threads: a lvl_ctx is constant once made and may be shared. Everything else here belongs to one thread at a
 * time unless stated otherwise. Memory: views (lvl_text, lvl_bytes) own nothing. NULL is accepted only where
 * it is documented; every *_free accepts NULL.
 */
#ifndef LVL_BASE_H
#define LVL_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LVL_VERSION_MAJOR 0
#define LVL_VERSION_MINOR 1
#define LVL_VERSION_PATCH 0
#define LVL_VERSION       "0.1.0"

#if defined(_WIN32) && defined(LVL_SHARED)
#ifdef LVL_BUILDING
#define LVL_API __declspec(dllexport)
#else
#define LVL_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define LVL_API __attribute__((visibility("default")))
#else
#define LVL_API
#endif

#if defined(__MINGW32__)
#define LVL_PRINTF(fmt, args) __attribute__((format(gnu_printf, fmt, args)))
#elif defined(__GNUC__)
#define LVL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define LVL_PRINTF(fmt, args)
#endif

/* The version of the running library, such as "0.1.0". Static storage. */
LVL_API const char *lvl_version(void);

/* ---- status ------------------------------------------------------------------------------------------ */

/* What a function returns. The reason is a finding (lvl_findings), not a code. */
typedef enum lvl_status {
    LVL_OK = 0,
    LVL_ERR_MEMORY, /* an allocation failed */
    LVL_ERR_LIMIT, /* a limit of the context would be exceeded; a finding names it */
    LVL_ERR_FORMAT, /* the bytes can't be read as that format (fatal finding) */
    LVL_ERR_FOREIGN, /* not a format that lvl supports */
    LVL_ERR_IO, /* the system refused: open, read, write, rename */
    LVL_ERR_ARG, /* an invalid argument: unknown path, key or value of the wrong kind */
    LVL_ERR_LOSS, /* the target can't represent something, and loss was not allowed */
    LVL_ERR_MISSING, /* not found: a path, member or image that doesn't exist */
    LVL_ERR_UNSUPPORTED, /* this format has no such operation */
    LVL_ERR_STOPPED /* the flag lvl_ctx.stop was set */
} lvl_status;

/* A short English name of a status ("out of memory"). Static storage; never NULL. */
LVL_API const char *lvl_status_text(lvl_status status);

/* ---- views ------------------------------------------------------------------------------------------- */

/* Bytes of text in the document's code page: not NUL-ended (printf("%.*s", (int)text.len, text.ptr)), may
 * contain NULs. `ptr` may be NULL if `len` is 0. */
typedef struct lvl_text {
    const char *ptr;
    size_t len;
} lvl_text;

/* Bytes that are not text. `ptr` may be NULL if `len` is 0. */
typedef struct lvl_bytes {
    const uint8_t *ptr;
    size_t len;
} lvl_bytes;

/* A grid of cells (tiles, pixels), row by row, each cell of `size` bytes (1, 2 or 4), little-endian and
 * possibly unaligned: read it with lvl_cell. `ptr` NULL: there are no cells, although width and height are
 * known. */
typedef struct lvl_cells {
    const uint8_t *ptr;
    uint32_t width, height;
    uint32_t size;
} lvl_cells;

/* The cell at column x of row y; bounds are not checked. */
static inline uint32_t lvl_cell(const lvl_cells *cells, uint32_t x, uint32_t y)
{
    const uint8_t *p = cells->ptr + ((size_t)y * cells->width + x) * cells->size;
    if (cells->size == 4)
        return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    if (cells->size == 2)
        return (uint32_t)p[0] | (uint32_t)p[1] << 8;
    return p[0];
}

/* A view of a NUL-ended string; NULL gives an empty text. */
LVL_API lvl_text lvl_text_of(const char *str);
/* Whether two texts have the same bytes. Any thread. */
LVL_API bool lvl_text_equal(lvl_text a, lvl_text b);
/* The same with a NUL-ended string; NULL counts as an empty text. */
LVL_API bool lvl_text_is(lvl_text a, const char *str);

/* ---- context ----------------------------------------------------------------------------------------- */

/* The rules that decide how severe a finding is. Reading is the same in all profiles. */
typedef enum lvl_profile {
    LVL_PROFILE_STRICT, /* as the format is described */
    LVL_PROFILE_GAME, /* what the game would load; the default */
    LVL_PROFILE_SALVAGE, /* keep everything that can be kept */
    LVL_PROFILE_COUNT
} lvl_profile;

/* Single-byte code pages of text. Each is a bijection of 256 bytes (unassigned bytes map to C1 controls). */
typedef enum lvl_codepage {
    LVL_CP_1252, /* windows-1252, Western; the default */
    LVL_CP_1250, /* windows-1250, Central European */
    LVL_CP_1251, /* windows-1251, Cyrillic */
    LVL_CP_UTF8, /* for formats whose text is UTF-8; not a bijection, broken text is shown as base64 */
    LVL_CP_COUNT
} lvl_codepage;

/* The last member of every struct that a program allocates and passes: space for members of later versions,
 * so that the struct keeps its size. It must be zero, as after `= {0}`, designated initializers and the
 * functions called ..._init; then a program that was compiled before an option existed gets the option's
 * default. */
#define LVL_RESERVED(slots) uint64_t reserved[slots]

/* Limits for hostile input. 0 in any member means the default given in its comment. */
typedef struct lvl_limits {
    uint64_t input_bytes; /* size of one input: 1 GiB */
    /* Memory of one operation: 768 MiB. One document, inflated stream or input of unknown size may use a
     * sixth of it (lvl_memory_share), one picture a half, since an operation has several in memory: the
     * input, the document, the output, and the output read again. */
    uint64_t memory_bytes;
    uint64_t cells; /* cells of one grid: 256 Mi */
    uint64_t items; /* items of one list: 16 Mi */
    uint32_t depth; /* nesting of dumps, containers, records: 64 */
    uint32_t inflate_ratio; /* inflated size divided by compressed size: 1032, the maximum of deflate */
    /* findings kept per document, plus the first of each kind; the rest are only counted: 10000 */
    uint32_t findings;
    uint64_t work; /* steps of one operation, each of a few nanoseconds: 2 Gi, or about 10 seconds */
    LVL_RESERVED(4);
} lvl_limits;

/* A member of lvl_limits, or a limit that no option raises. */
typedef enum lvl_limit {
    LVL_LIMIT_NONE,
    LVL_LIMIT_INPUT,
    LVL_LIMIT_MEMORY,
    LVL_LIMIT_CELLS,
    LVL_LIMIT_ITEMS,
    LVL_LIMIT_DEPTH,
    LVL_LIMIT_WORK,
    LVL_LIMIT_FIXED /* a limit of the format of the file or picture, or of lvl itself */
} lvl_limit;

/* What an operation has used, and the first limit that it exceeded. The caller zeroes it and passes it to all
 * calls that count as one operation. For one thread at a time. */
typedef struct lvl_usage {
    uint64_t work; /* steps done */
    lvl_limit limit; /* LVL_LIMIT_NONE: no limit has refused anything */
    uint64_t allowed; /* by that limit; may be a part of it (lvl_memory_share) */
    uint64_t wanted; /* what was requested, or the part of it that is known; 0: unknown */
    /* LVL_LIMIT_FIXED: what is limited, "members of a zip archive"; "inflate_ratio" if that limit allows less
     * memory than memory_bytes; else NULL */
    const char *what;
    LVL_RESERVED(4);
} lvl_usage;

/* Allocation hooks; all three or none. `user` is passed to them. Other libraries (zlib,
 * libdeflate) use malloc regardless. */
typedef struct lvl_allocator {
    void *(*alloc)(void *user, size_t size);
    void *(*resize)(void *user, void *ptr, size_t old_size, size_t size);
    void (*release)(void *user, void *ptr);
    void *user;
} lvl_allocator;

/* A release of a game or another program that loads its files; see below. */
typedef struct lvl_program lvl_program;

typedef struct lvl_ctx {
    lvl_profile profile;
    const lvl_program *program; /* the program whose rules LVL_PROFILE_GAME follows; NULL: no particular
                                   one */
    lvl_codepage codepage;
    bool codepage_given; /* chosen by the user: overrides a format's own default */
    lvl_limits limits;
    lvl_allocator allocator;
    /* When a signal handler or another thread sets it to non-zero, running operations end soon with
     * LVL_ERR_STOPPED. NULL: they can't be stopped. Must outlive all operations with this context. */
    const volatile int *stop;
    /* Counts the work of an operation and records the limit that refused it; must outlive all operations and
     * documents with this context. NULL: work is not counted, and limits.work applies to each search
     * separately. */
    lvl_usage *usage;
    /* The formats that files are probed for, ended by NULL: lvl_ctx_init sets all of them. NULL: none. */
    const struct lvl_format *const *formats;
    /* Things that the user adds to a game (the command's --rules), whose numbers then move and are drawn as
     * the file says; NULL: none. It must outlive all operations and documents with this context. */
    const struct lvl_own *own;
    LVL_RESERVED(3);
} lvl_ctx;

/* Records the first limit that refused something: `wanted` (0: unknown) is more than `allowed`. Returns
 * LVL_ERR_LIMIT. */
static inline lvl_status lvl_refuse(const lvl_ctx *ctx, lvl_limit limit, uint64_t allowed, uint64_t wanted)
{
    if (ctx && ctx->usage && !ctx->usage->limit) {
        ctx->usage->limit = limit;
        ctx->usage->allowed = allowed;
        ctx->usage->wanted = wanted;
    }
    return LVL_ERR_LIMIT;
}

/* Sets the defaults: profile game, windows-1252, default limits, malloc, all formats. There is nothing to
 * free. */
LVL_API void lvl_ctx_init(lvl_ctx *out);
/* "windows-1252", "cp1252", "1252", "utf-8", …; false if the name is unknown. */
LVL_API bool lvl_codepage_parse(const char *name, lvl_codepage *out);

/* ---- paths to a record or field ---------------------------------------------------------------------- */

struct lvl_field;

#define LVL_PATH_DEPTH 12

/* One step down from a record: a field, and for a list the index of an item, for cells one of them, as row <<
 * 16 | column (LVL_NO_INDEX: the whole). */
#define LVL_NO_INDEX UINT32_MAX
typedef struct lvl_step {
    const struct lvl_field *field;
    uint32_t index;
} lvl_step;

/* A path in a document, from the root record down: planes[2].objects[17].name. Empty: the document itself. */
typedef struct lvl_where {
    uint32_t depth;
    lvl_step steps[LVL_PATH_DEPTH];
} lvl_where;

/* Writes the path as text, NUL-ended, cut to `size`; returns the full length, as snprintf does. */
LVL_API size_t lvl_where_text(const lvl_where *where, char *buf, size_t size);

/* ---- positions --------------------------------------------------------------------------------------- */

/* A file is a tree of byte spaces: the file itself is space 0, the inflated content of a stream in it is
 * another, and so on. Offsets in a space count from the base that the format uses (a WWD's inflated block
 * starts at 0x5F4). */
typedef struct lvl_position {
    uint32_t space; /* 0: the file */
    uint64_t bit; /* from the start of the space, base included */
    uint64_t bits; /* length */
    uint64_t outer; /* byte offset in the file of the stream that the space comes from; 0 for space 0 */
    bool known; /* false: no position (the finding is about the document as a whole) */
} lvl_position;

/* "0x1a3" or "0x5f4/0x1a3", NUL-ended, cut to `size`; "" when unknown. Returns as snprintf does. */
LVL_API size_t lvl_position_text(const lvl_position *pos, char *buf, size_t size);

/* ---- findings ---------------------------------------------------------------------------------------- */

typedef enum lvl_severity {
    LVL_NONE, /* not reported in this profile */
    LVL_NOTE, /* worth knowing */
    LVL_WARNING, /* works, but probably not as intended */
    LVL_ERROR, /* the game, or a careful reader, fails on this part */
    LVL_FATAL /* nothing of it can be read */
} lvl_severity;

/* "none", "note", "warning", "error" or "fatal". Static storage; never NULL. */
LVL_API const char *lvl_severity_name(lvl_severity severity);

/* What a finding is about, if it is about a name of a file. */
typedef enum lvl_about {
    LVL_ABOUT_OTHER,
    LVL_ABOUT_NO_LEVEL, /* no file has that name; the text begins with it */
    LVL_ABOUT_NO_PICTURE,
    LVL_ABOUT_CASE, /* the file's name differs in case */
    LVL_ABOUT_UNLINKED, /* nothing leads to the level */
    LVL_ABOUT_UNNAMED /* nothing names the file */
} lvl_about;

/* A kind of finding: one constant each, in a table of the format that reports it. Ids are stable. */
typedef struct lvl_finding_def {
    const char *id; /* "wwd.checksum.mismatch" */
    const char *meaning; /* one or two sentences: what it is and what a player or tool would see */
    lvl_severity severity[LVL_PROFILE_COUNT];
    const char *repair; /* what `repair` does about it, or NULL for nothing */
    uint8_t about; /* LVL_ABOUT_…: what tools that look at many files count together */
} lvl_finding_def;

/* A finding for which a program has another severity than the profile game. */
typedef struct lvl_judgement {
    const lvl_finding_def *def;
    lvl_severity severity;
} lvl_judgement;

/* A program that loads files of a family, if several with different rules are known: the profile game with
 * the rules of that program. The plain profile means the newest release, and reports what only another
 * program can read as a note. */
struct lvl_program {
    const char *name; /* "family-1.0": lower case, without blanks, no other's name and no profile's */
    const char *title; /* its usual name, "1.0" */
    const char *prose; /* one sentence, without full stop: which program, and what it can't do */
    const lvl_judgement *judgements; /* other findings have the severity of the profile game */
    uint32_t judgement_count;
};

typedef struct lvl_finding {
    const lvl_finding_def *def;
    lvl_severity severity; /* in the context's profile and program */
    lvl_position position;
    lvl_where where;
    const char *text; /* the message, NUL-ended UTF-8, owned by the list */
    /* the file in the archive that it is about ("levels/hill.level"), as `text`; NULL: the document itself */
    const char *member;
} lvl_finding;

typedef struct lvl_findings lvl_findings;

/* Adds a finding for the limit that was reached: its name, what it allows, and how to raise it. Does nothing
 * if none was reached, or `usage` is NULL. `ctx`: the context with these limits. */
LVL_API void lvl_usage_report(const lvl_usage *usage, const lvl_ctx *ctx, lvl_findings *findings);

/* An empty list; NULL: out of memory. The context must outlive it. */
LVL_API lvl_findings *lvl_findings_new(const lvl_ctx *ctx);
/* Frees the list with its messages: pointers to its findings become invalid. Accepts NULL. */
LVL_API void lvl_findings_free(lvl_findings *list);
/* Removes all findings and resets the counts and the status; the list can be used again. Not NULL. */
LVL_API void lvl_findings_clear(lvl_findings *list);
/* The number of findings that lvl_findings_at returns. Not NULL. */
LVL_API size_t lvl_findings_count(const lvl_findings *list);
/* The finding at `index` in order of discovery; NULL past the end. Valid until the list changes. */
LVL_API const lvl_finding *lvl_findings_at(const lvl_findings *list, size_t index);
/* The number of findings of that severity, including those that were only counted. */
LVL_API size_t lvl_findings_of(const lvl_findings *list, lvl_severity severity);
/* The highest severity; LVL_NONE for an empty list. */
LVL_API lvl_severity lvl_findings_worst(const lvl_findings *list);

#ifdef __cplusplus
}
#endif

#endif
