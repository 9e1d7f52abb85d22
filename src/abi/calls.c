/*
 * abi/calls.c: what the flat interface does with a document: looking, comparing, drawing, editing.
 */
#include "abi/abi.h"
#include "base/buffer.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static lvl_status no_document(abi_call *call)
{
    return abi_wrong(call, "no document");
}

lvl_abi_result *lvl_abi_info(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_info_options o = {0};
    const abi_option known[] = {
        {"json", ABI_FLAG, &o.json, 0},
        {"summary", ABI_FLAG, &o.summary, 0},
        {"counts", ABI_FLAG, &o.counts, 0},
        {"art", ABI_REPEATED, NULL, 0},
    };
    lvl_art *art = NULL;

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : no_document(call);
    if (status == LVL_OK)
        status = abi_art(call, d, options, true, &art);
    if (status == LVL_OK) {
        o.file = *d->name ? d->name : NULL;
        o.art = art;
        status = lvl_info_write(d->doc, &o, &call->out);
    }
    lvl_art_free(art);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_dump(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_dump_options o = {0};
    const abi_option known[] = {
        {"compact", ABI_FLAG, &o.compact, 0},
        {"no_kept", ABI_FLAG, &o.no_kept, 0},
        {"path", ABI_TEXT, &o.path, 0},
    };

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : no_document(call);
    if (status == LVL_OK)
        status = lvl_dump(d->doc, &o, &call->out, call->findings);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_get(lvl_abi_doc *d, const char *path, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_get_options o = {0};
    const abi_option known[] = {
        {"json", ABI_FLAG, &o.json, 0},
        {"paths", ABI_FLAG, &o.paths, 0},
    };
    size_t count = 0;

    if (!call)
        return NULL;
    lvl_status status =
        d && path ? abi_options(call, options, known, LVL_COUNT_OF(known)) : no_document(call);
    if (status == LVL_OK)
        status = lvl_get(d->doc, path, &o, &call->out, &count, call->findings);
    call->result.count = count;
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_explain(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_explain_options o = {0};
    bool residue = false, all = false;
    uint32_t depth = 0;
    const abi_option known[] = {
        {"at", ABI_TEXT, &o.at, 0},     {"path", ABI_TEXT, &o.path, 0}, {"residue", ABI_FLAG, &residue, 0},
        {"all", ABI_FLAG, &all, 0},     {"depth", ABI_UINT, &depth, 0}, {"bits", ABI_FLAG, &o.bits, 0},
        {"json", ABI_FLAG, &o.json, 0},
    };

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : no_document(call);
    o.mode = o.at      ? LVL_EXPLAIN_AT
             : o.path  ? LVL_EXPLAIN_PATH
             : residue ? LVL_EXPLAIN_RESIDUE
             : all     ? LVL_EXPLAIN_ALL
                       : LVL_EXPLAIN_RECORDS;
    o.depth = depth;
    if (status == LVL_OK)
        status = lvl_explain(d->doc, &o, &call->out, call->findings);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_check(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_check_options o = {0};
    lvl_check_result result;
    lvl_buffer bytes = {0};
    lvl_art *art = NULL;
    const abi_option known[] = {
        {"roundtrip", ABI_FLAG, &o.roundtrip, 0},
        {"sha256", ABI_FLAG, &o.sha256, 0},
        {"art", ABI_REPEATED, NULL, 0},
    };

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : no_document(call);
    if (status == LVL_OK)
        status = abi_art(call, d, options, true, &art);
    if (status == LVL_OK)
        status = lvl_doc_write_with_findings(d->doc, &bytes, NULL);
    o.art = art;
    if (status == LVL_OK)
        status = lvl_check(&d->ctx, lvl_doc_format(d->doc), (lvl_bytes){bytes.data, bytes.len},
                           *d->name ? abi_file_name(d) : NULL, &o, call->findings, &result, NULL);
    if (status == LVL_OK) {
        call->result.count = (uint64_t)result.verdict;
        status = lvl_check_json(&result, call->findings, d->name, &call->out);
    }
    lvl_art_free(art);
    lvl_buffer_free(&bytes);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_diff(lvl_abi_doc *a, lvl_abi_doc *b, const char *options)
{
    abi_call *call = abi_begin(a);
    lvl_diff_options o = {0};
    bool different = false;
    const abi_option known[] = {
        {"json", ABI_FLAG, &o.json, 0},
        {"summary", ABI_FLAG, &o.summary, 0},
    };

    if (!call)
        return NULL;
    lvl_status status = a && b ? abi_options(call, options, known, LVL_COUNT_OF(known))
                               : abi_wrong(call, "two documents are needed");
    if (status == LVL_OK)
        status = lvl_doc_open(a->doc);
    if (status == LVL_OK)
        status = lvl_doc_open(b->doc);
    if (status == LVL_OK) {
        o.a = *a->name ? a->name : NULL;
        o.b = *b->name ? b->name : NULL;
        status = lvl_diff(a->doc, b->doc, &o, &different, &call->out);
        if (status == LVL_ERR_ARG)
            abi_set_message(call, "the documents are of different formats: %s and %s",
                            lvl_doc_format(a->doc)->id, lvl_doc_format(b->doc)->id);
    }
    call->result.count = different;
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_follow(const lvl_abi_doc *before, const char *paths, lvl_abi_doc *after)
{
    abi_call *call = abi_begin(after);
    size_t count = 0;
    const char **items = abi_items(paths, &count);

    if (!call) {
        free((void *)items);
        return NULL;
    }
    lvl_status status = before && after ? LVL_OK : abi_wrong(call, "two documents are needed");
    if (status == LVL_OK && !items)
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK)
        status = lvl_paths_follow(before->doc, items, count, after->doc, &call->out, call->findings);
    call->result.count = count;
    free((void *)items);
    return abi_end(call, status);
}

/* ---- pictures ---------------------------------------------------------------------------------------- */

typedef struct png_writer {
    lvl_writer writer; /* first */
    lvl_buffer *out;
} png_writer;

static lvl_status write_png(lvl_writer *writer, const void *data, size_t len)
{
    lvl_buffer *out = ((png_writer *)(void *)writer)->out;

    lvl_buffer_add(out, data, len);
    return out->status;
}

/* What lvl_abi_render draws, besides the words. */
typedef struct picture {
    lvl_render_words words;
    const char **with; /* choices of an animation */
    size_t with_count;
    bool pixels, sheet, apng;
} picture;

/* Reads the options of a picture: words, and those of the call. */
static lvl_status read_picture(abi_call *call, const char *options, picture *p)
{
    const abi_option own[] = {
        {"pixels", ABI_FLAG, &p->pixels, 0}, {"sheet", ABI_FLAG, &p->sheet, 0},
        {"apng", ABI_FLAG, &p->apng, 0},     {"with", ABI_REPEATED, NULL, 0},
        {"art", ABI_REPEATED, NULL, 0},
    };
    size_t count;
    const lvl_render_word *words = lvl_render_word_list(&count);

    lvl_render_words_init(&p->words);
    p->with = abi_items(options, &p->with_count); /* room for all of them */
    p->with_count = 0;
    if (!p->with)
        return LVL_ERR_MEMORY;
    for (const char *at = options; at && *at; at += strlen(at) + 1) {
        const char *value = NULL, *with = abi_value(at, "with");
        size_t i = 0;
        while (i < count && (value = abi_value(at, words[i].name)) == NULL)
            i++;
        lvl_text bad;
        if (with && !lvl_render_is_choice(with))
            return abi_wrong(call, "with: expected NAME=VALUE, found '%.60s'", with);
        if (with)
            p->with[p->with_count++] = with;
        if (i == count) {
            const lvl_status status = abi_option_take(call, at, own, LVL_COUNT_OF(own));
            if (status != LVL_OK)
                return status;
        } else if (lvl_render_words_set(&p->words, words[i].name, value, &bad) != LVL_OK) {
            return abi_wrong(call, "option %s: expected %s, found '%.*s'", words[i].name,
                             words[i].value ? words[i].value : "0 or 1", (int)(bad.len < 60 ? bad.len : 60),
                             bad.ptr);
        }
    }
    const char *clash = lvl_render_words_clash(&p->words);
    if (clash)
        return abi_wrong(call, "%s and camera exclude each other", clash);
    if (p->sheet + p->apng + p->pixels > 1)
        return abi_wrong(call, "only one of sheet, apng and pixels");
    if (p->words.frame && (p->sheet || p->apng))
        return abi_wrong(call, "frame excludes sheet and apng, which have all frames");
    return LVL_OK;
}

static lvl_status draw(abi_call *call, const lvl_scene *scene, const picture *p)
{
    signed char *layers = malloc(scene->layer_count + 1);
    lvl_render_options r;
    lvl_image image = {0};
    lvl_text missing;

    if (!layers)
        return LVL_ERR_MEMORY;
    lvl_status status = lvl_render_words_scene(&p->words, scene, false, layers, &r, &missing);
    if (status == LVL_ERR_MISSING) {
        lvl_buffer names = {0};
        lvl_render_layer_names(scene, &names);
        abi_set_message(call, "there is no plane '%.*s': expected one of %.*s",
                        (int)(missing.len < 100 ? missing.len : 100), missing.ptr, (int)names.len,
                        names.data ? (const char *)names.data : "");
        lvl_buffer_free(&names);
    }
    if (status == LVL_OK)
        status = lvl_render_size(scene, &r, &call->result.width, &call->result.height);
    if (status == LVL_ERR_ARG)
        abi_set_message(call, "there is nothing to draw");
    if (status == LVL_OK && !p->pixels) {
        png_writer png = {{write_png}, &call->out};
        status = lvl_render_png(scene, &r, &png.writer);
    } else if (status == LVL_OK) {
        status = lvl_render_image(scene, &r, &image);
        if (status == LVL_OK)
            lvl_buffer_add(&call->out, image.pixels, (size_t)image.width * image.height * 4);
    }
    lvl_image_clear(&image);
    free(layers);
    return status;
}

/* All frames of an animation. */
static lvl_status draw_all(abi_call *call, const lvl_doc *doc, const lvl_scene *scene,
                           const lvl_scene_request *request, const picture *p)
{
    lvl_render_options r = p->words.options;
    const lvl_render_play play = {.doc = doc, .request = *request, .play = request->play, .options = &r};
    png_writer png = {{write_png}, &call->out};
    const lvl_status status = lvl_render_words_fit(&p->words, scene, &r);

    if (status != LVL_OK)
        return status;
    return p->apng ? lvl_render_apng(&play, &png.writer)
                   : lvl_render_sheet(&play, p->words.direction != NULL, &png.writer);
}

/* How an animation runs and which frame is drawn; *play stays NULL for what is none. */
static lvl_status take_frame(abi_call *call, const lvl_doc *doc, picture *p, lvl_scene_request *request,
                             lvl_animation **play)
{
    const bool animated = p->sheet || p->apng || p->with_count || p->words.frame || p->words.direction;
    const char *missing;
    lvl_status status = lvl_doc_play(doc, request, play);

    if (status == LVL_ERR_UNSUPPORTED && !animated)
        return LVL_OK;
    if (status == LVL_ERR_UNSUPPORTED)
        return abi_wrong(call, "no animation: frame, direction, sheet, apng and with do not apply");
    if (status == LVL_ERR_ARG)
        return abi_wrong(call, "with: expected the name of a colour in the game, or #rrggbb");
    if (status != LVL_OK)
        return status;
    request->play = *play;
    p->words.options.transparent = true;
    status = lvl_render_words_frame(&p->words, lvl_doc_codepage(doc), *play, request, &missing);
    if (status == LVL_ERR_MISSING && strcmp(missing, "frame") == 0)
        abi_set_message(call, "there is no frame '%.60s' (of %lu)", p->words.frame ? p->words.frame : "0",
                        (unsigned long)(*play)->frames);
    else if (status == LVL_ERR_MISSING)
        abi_set_message(call, "there is no direction '%.60s'", p->words.direction);
    return status;
}

lvl_abi_result *lvl_abi_render(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    picture p = {0};
    lvl_scene_request request = {0};
    lvl_scene_choice *choices = NULL;
    lvl_animation *play = NULL;
    lvl_buffer storage = {0};
    lvl_scene *scene = NULL;
    lvl_art *art = NULL;

    if (!call)
        return NULL;
    lvl_status status = d ? read_picture(call, options, &p) : no_document(call);
    if (status == LVL_OK)
        status = abi_art(call, d, options, true, &art);
    if (status == LVL_OK) {
        choices = calloc(p.with_count + 1, sizeof *choices);
        status = choices
                     ? lvl_render_choices(lvl_doc_codepage(d->doc), p.with, p.with_count, choices, &storage)
                     : LVL_ERR_MEMORY;
    }
    request = (lvl_scene_request){.art = art, .choices = choices, .choice_count = (uint32_t)p.with_count};
    if (status == LVL_OK)
        status = take_frame(call, d->doc, &p, &request, &play);
    if (status == LVL_OK)
        status = lvl_doc_scene(d->doc, &request, &scene);
    if (status == LVL_OK && art)
        status = lvl_art_status(art);
    if (status == LVL_OK)
        status = p.sheet || p.apng ? draw_all(call, d->doc, scene, &request, &p) : draw(call, scene, &p);
    lvl_scene_free(scene);
    if (d)
        lvl_animation_free(&d->ctx, play);
    lvl_art_free(art);
    lvl_buffer_free(&storage);
    free(choices);
    free((void *)p.with);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_scene(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    const abi_option known[] = {{"art", ABI_REPEATED, NULL, 0}};
    lvl_scene_request request = {0};
    lvl_scene *scene = NULL;
    lvl_art *art = NULL;

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : no_document(call);
    if (status == LVL_OK)
        status = abi_art(call, d, options, true, &art);
    request.art = art;
    if (status == LVL_OK)
        status = lvl_doc_scene(d->doc, &request, &scene);
    if (status == LVL_OK && art)
        status = lvl_art_status(art);
    if (status == LVL_OK)
        status = lvl_scene_json(d->doc, scene, &call->out);
    lvl_scene_free(scene);
    lvl_art_free(art);
    return abi_end(call, status);
}

/* ---- members of archives ----------------------------------------------------------------------------- */

lvl_abi_result *lvl_abi_members(lvl_abi_doc *d)
{
    abi_call *call = abi_begin(d);
    lvl_container *box = NULL;

    if (!call)
        return NULL;
    lvl_status status = d ? lvl_container_open(d->doc, &box) : no_document(call);
    if (status == LVL_OK) {
        abi_list_begin(call);
        for (size_t i = 0; i < lvl_container_count(box); i++)
            abi_entry_json(call, lvl_container_at(box, i));
        status = abi_list_end(call, box);
    }
    lvl_container_close(box);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_member(lvl_abi_doc *d, const char *path)
{
    abi_call *call = abi_begin(d);
    lvl_container *box = NULL;
    lvl_buffer storage = {0};
    lvl_bytes view = {NULL, 0};

    if (!call)
        return NULL;
    lvl_status status = d && path ? lvl_container_open(d->doc, &box) : no_document(call);
    const lvl_entry *entry = status == LVL_OK ? lvl_container_find(box, path) : NULL;
    if (status == LVL_OK && !entry) {
        abi_set_message(call, "there is no member '%.200s'", path);
        status = LVL_ERR_MISSING;
    }
    if (status == LVL_OK)
        status = lvl_container_read(box, entry, &view, &storage, call->findings);
    if (status == LVL_OK || status == LVL_ERR_LOSS)
        lvl_buffer_add(&call->out, view.ptr, view.len);
    lvl_buffer_free(&storage);
    lvl_container_close(box);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_put_member(lvl_abi_doc *d, const char *path, const void *bytes, size_t len)
{
    abi_call *call = abi_begin(d);
    lvl_container *box = NULL;

    if (!call)
        return NULL;
    lvl_status status = d && path ? lvl_container_open(d->doc, &box) : no_document(call);
    if (status == LVL_OK)
        status = bytes ? lvl_container_put(box, path, (lvl_bytes){bytes, len}, 0)
                       : lvl_container_remove(box, path);
    call->result.count = status == LVL_OK;
    lvl_container_close(box);
    return abi_end(call, status);
}

/* ---- edits ------------------------------------------------------------------------------------------- */

static lvl_abi_result *edit(lvl_abi_doc *d, const char *list,
                            lvl_status (*with)(lvl_doc *, const char *const *, size_t, size_t *,
                                               lvl_findings *))
{
    abi_call *call = abi_begin(d);
    size_t count = 0, changed = 0;
    const char **items = abi_items(list, &count);

    if (!call) {
        free((void *)items);
        return NULL;
    }
    lvl_status status = !d      ? no_document(call)
                        : items ? with(d->doc, items, count, &changed, call->findings)
                                : LVL_ERR_MEMORY;
    call->result.count = changed;
    free((void *)items);
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_set(lvl_abi_doc *d, const char *assignments)
{
    return edit(d, assignments, lvl_set);
}

lvl_abi_result *lvl_abi_unset(lvl_abi_doc *d, const char *paths)
{
    return edit(d, paths, lvl_unset);
}

lvl_abi_result *lvl_abi_copy(lvl_abi_doc *to, const char *to_path, lvl_abi_doc *from, const char *from_path)
{
    abi_call *call = abi_begin(to);
    size_t copied = 0;

    if (!call)
        return NULL;
    const lvl_status status = to && from && from_path
                                  ? lvl_copy(to->doc, to_path, from->doc, from_path, &copied, call->findings)
                                  : abi_wrong(call, "two documents and a path are needed");
    call->result.count = copied;
    if (status == LVL_OK && copied)
        to->partial = to->partial || from->partial || lvl_doc_cuts(from->doc) > 0;
    return abi_end(call, status);
}

lvl_abi_result *lvl_abi_resize(lvl_abi_doc *d, const char *options)
{
    abi_call *call = abi_begin(d);
    lvl_resize_options o = {0};
    int32_t x = 0, y = 0;
    size_t changed = 0;
    const abi_option known[] = {
        {"plane", ABI_TEXT, &o.plane, 0},   {"width", ABI_UINT, &o.width, 0},
        {"height", ABI_UINT, &o.height, 0}, {"anchor_x", ABI_INTS, &x, 1},
        {"anchor_y", ABI_INTS, &y, 1},
    };

    if (!call)
        return NULL;
    lvl_status status = d ? abi_options(call, options, known, LVL_COUNT_OF(known)) : no_document(call);
    o.anchor_x = x;
    o.anchor_y = y;
    if (status == LVL_OK && (x < -1 || x > 1 || y < -1 || y > 1))
        status = abi_wrong(call, "anchors are -1, 0 or 1");
    if (status == LVL_OK)
        status = lvl_resize(d->doc, &o, &changed, call->findings);
    call->result.count = changed;
    return abi_end(call, status);
}
