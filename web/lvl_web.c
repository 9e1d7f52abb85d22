/*
 * lvl_web.c: what a page needs besides the flat interface (lvl/abi.h), which lvl.js calls: memory, files that
 * are functions of JavaScript, and zip archives that are not levels. For one thread.
 */
#include "abi/abi.h"
#include "base/text.h"
#include "container/zip.h"

#include <libdeflate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#define WEB(name)    __attribute__((export_name(#name), used)) name
#define IMPORT(name) __attribute__((import_module("lvl"), import_name(#name))) extern

/* Sets of files in JavaScript, each with a number. */
IMPORT(files_kind) int files_kind(uint32_t set, const char *path);
/* 0: `*bytes` (from lvl_alloc) and `*len` are set; else a lvl_status. */
IMPORT(files_read) int files_read(uint32_t set, const char *path, uint8_t **bytes, size_t *len);
IMPORT(files_list) int files_list(uint32_t set, const char *path, uint8_t **names, size_t *len);

IMPORT(random_bytes) void random_bytes(void *out, size_t len);

/* Emscripten's C library lacks it, and in a module without its JavaScript the getentropy of newer ones stops
 * the program. The library uses the time only as a seed for hash tables, so random bytes will do. */
int timespec_get(struct timespec *now, int base)
{
    random_bytes(now, sizeof *now);
    return base;
}

/* JavaScript reads numbers and has these functions, and 20 KB of code and tables stay out. For strtod, the text
 * is a number in JSON. */
IMPORT(number_of) double number_of(const char *text, size_t len);
IMPORT(sine) double sine(double angle);
IMPORT(cosine) double cosine(double angle);

double strtod(const char *text, char **end)
{
    const size_t len = strspn(text, "+-.0123456789eE");

    if (end)
        *end = (char *)(uintptr_t)(text + len);
    return number_of(text, len);
}

double sin(double angle)
{
    return sine(angle);
}

double cos(double angle)
{
    return cosine(angle);
}

/* libdeflate's own CRC is not compiled (CMakeLists.txt), to save its tables. */
uint32_t libdeflate_crc32(uint32_t crc, const void *buffer, size_t len)
{
    return (uint32_t)crc32(crc, buffer, (uInt)len);
}

/* Left out with their files (CMakeLists.txt), so that the module stays small: a page plays animations by
 * itself, and offers no levels of another game. */
lvl_status lvl_render_sheet(const lvl_render_play *play, bool one_direction, lvl_writer *out)
{
    (void)play, (void)one_direction, (void)out;
    return LVL_ERR_UNSUPPORTED;
}

lvl_status lvl_render_apng(const lvl_render_play *play, lvl_writer *out)
{
    (void)play, (void)out;
    return LVL_ERR_UNSUPPORTED;
}

lvl_status lvl_render_gif(const lvl_render_play *play, lvl_writer *out)
{
    (void)play, (void)out;
    return LVL_ERR_UNSUPPORTED;
}

lvl_status lvl_convert_scene(lvl_doc **out, const lvl_doc *doc, const lvl_format *to,
                             const lvl_scene_level_options *options, lvl_findings *losses)
{
    (void)doc, (void)to, (void)options, (void)losses;
    *out = NULL;
    return LVL_ERR_UNSUPPORTED;
}

void *WEB(lvl_alloc)(size_t size)
{
    return malloc(size ? size : 1);
}

void WEB(lvl_free)(void *ptr)
{
    free(ptr);
}

/* ---- files ------------------------------------------------------------------------------------------- */

/* `user` is the number of a set. */
static uint32_t set_of(const void *user)
{
    return (uint32_t)(uintptr_t)user;
}

static int32_t kind_of(void *user, const char *path)
{
    return files_kind(set_of(user), path);
}

static int32_t pass(int status, uint8_t *bytes, size_t len, void *out)
{
    if (status == 0)
        lvl_abi_give(out, bytes, len);
    free(bytes);
    return status;
}

static int32_t read_file(void *user, const char *path, void *out)
{
    uint8_t *bytes = NULL;
    size_t len = 0;
    const int status = files_read(set_of(user), path, &bytes, &len);

    return pass(status, bytes, len, out);
}

static int32_t list_files(void *user, const char *path, void *out)
{
    uint8_t *bytes = NULL;
    size_t len = 0;
    const int status = files_list(set_of(user), path, &bytes, &len);

    return pass(status, bytes, len, out);
}

/* The pictures of a document come from a set of files. False without memory. */
int WEB(lvl_web_files)(lvl_abi_doc *doc, const char *level, const char *roots, uint32_t set)
{
    const lvl_abi_files files = {(void *)(uintptr_t)set, kind_of, read_file, list_files};
    lvl_abi_art *art = lvl_abi_art_new(level, roots, &files);

    lvl_abi_use_art(doc, art);
    lvl_abi_art_free(art);
    return art != NULL;
}

/* ---- zip archives that are not levels ---------------------------------------------------------------- */

/* The library's containers of such archives are read only; a page puts changed levels into them. */
typedef struct web_zip {
    lvl_ctx ctx;
    lvl_arena arena;
    lvl_zip zip;
    uint8_t *input;
} web_zip;

void WEB(lvl_web_zip_close)(web_zip *z)
{
    if (!z)
        return;
    lvl_arena_free(&z->arena);
    free(z->input);
    free(z);
}

/* Takes ownership of `bytes`, and sets *out. The result is a list of the members' names and sizes. */
lvl_abi_result *WEB(lvl_web_zip_open)(uint8_t *bytes, size_t len, web_zip **out)
{
    abi_call *call = abi_begin(NULL);
    web_zip *z = calloc(1, sizeof *z);
    lvl_status status = LVL_ERR_MEMORY;

    *out = NULL;
    if (!call || !z) {
        free(bytes);
        free(z);
        return call ? abi_end(call, status) : NULL;
    }
    z->input = bytes;
    lvl_ctx_init(&z->ctx);
    lvl_arena_init(&z->arena, &z->ctx);
    status = lvl_zip_read(&z->arena, &z->ctx, (lvl_bytes){bytes, len}, &z->zip);
    if (status == LVL_OK) {
        lvl_buffer_u8(&call->out, '[');
        for (uint32_t i = 0; i < z->zip.count; i++) {
            lvl_buffer_str(&call->out, i ? ",{\"path\":" : "{\"path\":");
            lvl_json_string(&call->out, z->zip.members[i].name);
            lvl_buffer_printf(&call->out, ",\"size\":%llu}", (unsigned long long)z->zip.members[i].size);
        }
        lvl_buffer_u8(&call->out, ']');
        status = call->out.status;
    }
    if (status == LVL_OK)
        *out = z;
    else
        lvl_web_zip_close(z);
    return abi_end(call, status);
}

lvl_abi_result *WEB(lvl_web_zip_member)(web_zip *z, uint32_t index)
{
    abi_call *call = abi_begin(NULL);
    lvl_buffer storage = {0};
    lvl_bytes content = {0};
    bool sound = true;

    if (!call)
        return NULL;
    lvl_status status = index < z->zip.count
                            ? lvl_zip_inflate(&z->ctx, &z->zip.members[index], &storage, &content, &sound)
                            : LVL_ERR_MISSING;
    if (status == LVL_OK && !sound)
        status = LVL_ERR_FORMAT;
    if (status == LVL_OK)
        lvl_buffer_add(&call->out, content.ptr, content.len);
    lvl_buffer_free(&storage);
    return abi_end(call, status);
}

typedef struct web_zip_change {
    uint32_t index;
    const uint8_t *bytes;
    uint32_t len;
} web_zip_change;

/* The archive with new contents of some members; the others are copied byte for byte. `changes` is in the
 * order of the members. */
lvl_abi_result *WEB(lvl_web_zip_save)(const web_zip *z, const web_zip_change *changes, uint32_t count)
{
    abi_call *call = abi_begin(NULL);
    lvl_zip_writer writer;

    if (!call)
        return NULL;
    lvl_zip_begin(&writer, &z->ctx, &call->out);
    for (uint32_t i = 0, next = 0; i < z->zip.count; i++) {
        const lvl_zip_member *member = &z->zip.members[i];
        lvl_zip_put_raw(&writer, member->before);
        if (next < count && changes[next].index == i) {
            lvl_zip_put_new(&writer, member->name, (lvl_bytes){changes[next].bytes, changes[next].len});
            next++;
        } else {
            lvl_zip_put_member(&writer, member);
        }
    }
    return abi_end(call, lvl_zip_end(&writer, &z->zip));
}
