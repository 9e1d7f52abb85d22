/*
 * cli/convert/target.c: the target and the options of `lvl convert`.
 */
#include "cli/convert/convert.h"
#include "tools/picture/frames.h"
#include "tools/picture/pictures.h"

#include "base/format.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *cli_stem_of(const char *path)
{
    const char *name = lvl_file_name(path);

    return cli_format("%.*s", (int)(cli_ending(name) - name), name);
}

/* Whether a form has the name of a format that has other forms, too; the name then means this form only. */
static bool is_one_of_several(const lvl_format *f, const lvl_form *form)
{
    size_t count = 0;

    for (const lvl_form *other = f->forms; other->name; other++)
        count += strcmp(other->format, form->format) == 0;
    return count > 1 && strcmp(form->name, form->format) == 0;
}

/* Finds the target by name or ending: the name of a form comes first, then that of a format, then an ending.
 */
static bool find_target(cli_convert *p, const char *to)
{
    const lvl_text wanted = lvl_text_of(to);
    const lvl_format *f, *by_name = lvl_format_find(to);

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; (f = lvl_format_at(i)) != NULL; i++) {
            for (const lvl_form *form = f->forms; form && form->name; form++) {
                bool named = lvl_text_equal_nocase(wanted, lvl_text_of(form->name));
                bool meant = pass == 0 ? named
                             : by_name ? strcmp(form->format, to) == 0
                                       : lvl_text_equal_nocase(wanted, lvl_text_of(form->extension));
                if (!meant)
                    continue;
                p->form = named || !by_name ? form->name : form->format;
                p->format = lvl_format_find(form->format);
                p->exact = strcmp(p->form, form->format) != 0 || is_one_of_several(f, form);
                snprintf(p->ending, sizeof p->ending, "%s", form->extension);
                return true;
            }
        }
    }
    p->format = cli_format_named(to, LVL_CAN_WRITE);
    if (p->format && by_name)
        cli_first_ending(p->format, p->ending);
    else if (p->format)
        snprintf(p->ending, sizeof p->ending, "%s", to);
    return p->format != NULL;
}

/* The form whose name differs in one letter: v3.1 for v31. */
static const char *nearest_form(const char *to)
{
    const char *near = NULL;
    const lvl_format *f;
    unsigned best = 2;

    for (size_t i = 0; (f = lvl_format_at(i)) != NULL; i++) {
        for (const lvl_form *form = f->forms; form && form->name; form++) {
            const unsigned d = lvl_text_distance(lvl_text_of(to), lvl_text_of(form->name), best);
            if (d < best) {
                best = d;
                near = form->name;
            }
        }
    }
    return near;
}

int cli_target_find(cli *c, cli_convert *p, const char *to)
{
    if (find_target(p, to))
        return EXIT_FINE;
    const char *near = nearest_form(to);
    return cli_usage(c, "there is no format or form `%s' that can be written%s%s%s `lvl formats' lists all",
                     to, near ? ": did you mean " : "", near ? near : "", near ? "?" : ";");
}

/* The target's format if all its forms have the same ending. Another ending of the format then shows the
 * kind of drawing, and a file keeps it. */
static const lvl_format *keeps_endings(const cli_convert *p)
{
    for (const lvl_form *form = p->format ? p->format->forms : NULL; form && form->name; form++) {
        if (strcmp(form->format, p->format->id) == 0 && strcmp(form->extension, p->ending) != 0)
            return NULL;
    }
    return p->format;
}

/* "#rrggbb" or "rrggbb". */
static bool parse_color(const char *text, uint8_t rgb[3])
{
    unsigned n[3];
    char end;

    text += *text == '#';
    if (strlen(text) != 6 || strspn(text, "0123456789abcdefABCDEF") != 6 ||
        sscanf(text, "%2x%2x%2x%c", &n[0], &n[1], &n[2], &end) != 3) /* NOLINT(cert-err34-c): digits alone */
        return false;
    for (int k = 0; k < 3; k++)
        rgb[k] = (uint8_t)n[k];
    return true;
}

static int take_draw_options(cli *c, cli_convert *p)
{
    const cli_options *opt = c->opt;
    lvl_draw_options *w = &p->draw_options;
    uint64_t size = 0, colors = 0, empty = 0;
    uint32_t width, height;

    if (opt->chunk_size && (!cli_number(opt->chunk_size, UINT32_MAX, &size) || !size))
        return cli_usage(c, "--chunk-size: expected a number of pixels, got `%s'", opt->chunk_size);
    if (opt->colors && (!cli_number(opt->colors, 256, &colors) || !colors))
        return cli_usage(c, "--colors: expected a number from 1 to 256, got `%s'", opt->colors);
    if (opt->empty_is && !cli_number(opt->empty_is, UINT32_MAX, &empty))
        return cli_usage(c, "--empty-is: expected the number of a tile, got `%s'", opt->empty_is);
    if (opt->key && !parse_color(opt->key, w->key))
        return cli_usage(c, "--key: expected a colour like #ff00ff, got `%s'", opt->key);
    w->has_key = opt->key != NULL;
    if (opt->alpha && strcmp(opt->alpha, "keep") != 0) {
        w->alpha = strcmp(opt->alpha, "cut") == 0 ? LVL_ALPHA_CUT : LVL_ALPHA_OVER;
        if (w->alpha == LVL_ALPHA_OVER && !parse_color(opt->alpha, w->over))
            return cli_usage(c, "--alpha: expected `keep', `cut' or a colour like #ffffff, got `%s'",
                             opt->alpha);
    }
    if (opt->nearest && !opt->palette && !opt->like)
        return cli_usage(c, "--nearest needs --palette or --like");
    if (opt->more_colors && !opt->palette && !opt->like)
        return cli_usage(c, "--more-colors needs --palette or --like");
    if (opt->slice && !lvl_text_size(opt->slice, &width, &height))
        return cli_usage(c, "--slice: expected WxH in pixels, got `%s'", opt->slice);
    p->empty_is = (uint32_t)empty;
    w->colors = (uint32_t)colors;
    w->more_colors = opt->more_colors;
    w->nearest = opt->nearest;
    w->chunk_size = (uint32_t)size;
    w->trim_palette = opt->trim_palette;
    if (opt->at && (!opt->like || !lvl_text_numbers(opt->at, ",", p->at, 2)))
        return cli_usage(c, "--at: expected X,Y, and --like with the drawing to put the picture on");
    p->restructure = size || opt->trim_palette || opt->screenshots;
    return cli_take_scale(c, NULL, &p->scale_down);
}

/* What --to names, or the ending of -o; NULL: nothing is named. */
static const char *target_name(const cli *c, bool is_copy)
{
    const char *o = c->opt->output;

    if (c->opt->to)
        return c->opt->to;
    return o && *cli_ending(o) && !is_copy ? cli_ending(o) + 1 : NULL;
}

/* Selects a target that is not a form of a format. False: it may be one. */
static bool take_other_target(cli_convert *p, const char *to)
{
    static const struct {
        const char *name;
        cli_convert_to to;
        bool text, add; /* of the output: it is a text; its ending is added to the input's */
        bool folder; /* of the output: it is a folder */
    } others[] = {
        {"png", TO_PNG, false, false, false},    {"json", TO_JSON, true, true, false},
        {"world", TO_WORLD, true, false, false}, {"tmx", TO_MAP, true, false, false},
        {"tmj", TO_MAP, true, false, false},     {"csv", TO_CSV, false, false, true},
        {"ldtk", TO_LDTK, false, false, true},   {"gif", TO_FILM, false, false, false},
        {"apng", TO_FILM, false, false, false},
    };

    for (size_t i = 0; i < LVL_COUNT_OF(others); i++) {
        if (strcmp(to, others[i].name) != 0)
            continue;
        p->to = others[i].to;
        p->json = strcmp(to, "tmj") == 0;
        p->output.text = others[i].text;
        p->output.add = others[i].add;
        p->output.folder = others[i].folder;
        p->output.edits = false;
        return true;
    }
    return false;
}

const lvl_export *cli_export_of(const lvl_format *format, const char *ending)
{
    const lvl_export *e = format->calls->exports;

    while (e && e->ending && !lvl_text_equal_nocase(lvl_text_of(e->ending), lvl_text_of(ending)))
        e++;
    return e && e->ending ? e : NULL;
}

/* Selects what some format can be written as. An ending that is a format's, too, means that, unless the input
 * can be written as the other (cli_export_of). */
static bool take_export(cli_convert *p, const char *to)
{
    const lvl_format *f;
    cli_convert other = {0};

    for (size_t i = 0; (f = lvl_format_at(i)) != NULL; i++) {
        const lvl_export *e = cli_export_of(f, to);
        if (!e || find_target(&other, to))
            continue;
        p->to = TO_EXPORT;
        p->output.text = e->text;
        p->output.edits = false;
        return true;
    }
    return false;
}

static int take_format(cli *c, cli_convert *p, const char *to)
{
    p->to = TO_FORMAT;
    const int code = cli_target_find(c, p, to);
    if (code)
        return code;
    p->output.keeps = keeps_endings(p);
    p->by_form = p->named && p->exact && lvl_text_equal_nocase(lvl_text_of(to), lvl_text_of(p->form));
    return EXIT_FINE;
}

static int check_rewrite_links(cli *c, const cli_convert *p, const char *to)
{
    if (!c->opt->rewrite_links)
        return EXIT_FINE;
    if (p->to != TO_FORMAT)
        return cli_usage(c, "--rewrite-links: expected the form of a level as target, not %s", to);
    if (c->opt->in_place || !c->opt->output || !c->inputs.batch)
        return cli_usage(c,
                         "--rewrite-links needs a folder as input and -o DIR: it changes links between the "
                         "files that are converted");
    return EXIT_FINE;
}

/* Whether the run takes pictures apart into files: of a grid, or of a list that is its only input. */
static bool makes_files(const cli *c, const cli_convert *p)
{
    const cli_look *look = c->inputs.count == 1 ? c->inputs.items[0].look : NULL;
    const bool list = look && !c->format &&
                      lvl_frames_probe((lvl_text){(const char *)look->ends.head, look->ends.head_len});

    return (c->opt->slice || list) && cli_makes_pictures(p);
}

/* Selects the target by --to, or by the ending of -o. */
static int make_plan(cli *c, cli_convert *p)
{
    const char *o = c->opt->output;
    const bool is_copy = o && cli_inputs_archive_named(&c->inputs, o);
    const char *to = target_name(c, is_copy);

    p->output.edits = true;
    p->named = c->opt->to != NULL;
    if (!to && p->restructure) {
        p->to = TO_SAME;
        return EXIT_FINE;
    }
    if (!to && is_copy)
        return cli_usage(c, "-o %s makes a copy of the archive; use --to to name the member's new form", o);
    if (!to)
        return cli_usage(c, "no target format given; use --to FORM, or -o with an ending");
    snprintf(p->ending, sizeof p->ending, "%s", to);
    const int code = take_other_target(p, to) || take_export(p, to) ? EXIT_FINE : take_format(c, p, to);
    if (code)
        return code;
    /* the ending of the output file, which may be any ending of the format */
    p->draw_options.ending = p->format && o && cli_has_ending(o, p->format) ? cli_ending(o) + 1 : p->ending;
    p->output.ext = p->ending;
    p->as_it_is = (cli_output){.edits = true};
    p->output.tree = p->output.whole = makes_files(c, p);
    return check_rewrite_links(c, p, to);
}

bool cli_is_drawing(const lvl_format *format)
{
    return (lvl_format_can(format) & LVL_CAN_DRAW) && (lvl_format_can(format) & LVL_CAN_RESTRUCTURE);
}

bool cli_makes_pictures(const cli_convert *p)
{
    const unsigned can = p->to == TO_FORMAT ? lvl_format_can(p->format) : 0;

    return p->to == TO_PNG || (can & LVL_CAN_IMAGE && can & LVL_CAN_DRAW);
}

bool cli_takes_pictures(const cli *c, const cli_convert *p)
{
    return p->format && (lvl_format_can(p->format) & LVL_CAN_DRAW) &&
           (c->opt->tileset || lvl_format_can(p->format) & LVL_CAN_PALETTE || cli_is_drawing(p->format) ||
            (lvl_format_can(p->format) & LVL_CAN_IMAGE));
}

static lvl_status palette_of(lvl_doc *doc, cli_convert *p)
{
    const lvl_format *f = lvl_doc_format(doc);

    if (cli_is_drawing(f)) {
        p->draw_options.palette = doc;
        return LVL_OK;
    }
    const lvl_status status = lvl_doc_palette(doc, &p->palette);
    p->has_palette = status == LVL_OK;
    return status;
}

/* Reads a palette from a file that is not a document: a picture, or a palette file that the target's format
 * reads. */
static lvl_status foreign_palette(cli *c, cli_convert *p, lvl_bytes bytes)
{
    lvl_image image = {0};

    if (p->to != TO_FORMAT && !lvl_picture_kind(bytes))
        return LVL_ERR_FOREIGN;
    if (!lvl_picture_kind(bytes)) {
        const lvl_status status = lvl_palette_read(&p->palette_doc, &c->ctx, p->format, bytes);
        p->draw_options.palette = p->palette_doc;
        return status;
    }
    lvl_status status = lvl_picture_read(&c->ctx, bytes, false, &image);
    if (status == LVL_OK && p->to == TO_FORMAT && cli_is_drawing(p->format)) {
        status = lvl_doc_draw(&p->palette_doc, &c->ctx, p->format, &image, NULL, NULL);
        p->draw_options.palette = p->palette_doc;
    } else if (status == LVL_OK) {
        status = image.palette ? LVL_OK : LVL_ERR_UNSUPPORTED;
        p->has_palette = image.palette != NULL;
        if (image.palette)
            p->palette = *image.palette;
    }
    lvl_image_clear(&image);
    return status;
}

/* Reports why the file of an option cannot be used; `text` (may be NULL) replaces the text of the status. */
static void report_named(cli *c, const char *option, const char *path, lvl_status status, const char *text)
{
    char *limit = status == LVL_ERR_LIMIT && c->ctx.usage ? cli_limit_text(&c->ctx, c->ctx.usage) : NULL;

    cli_report(c, "%s %s: %s", option, path, limit ? limit : text ? text : lvl_status_text(status));
    free(limit);
}

/* Reads the file of an option; reports errors. */
static int read_named(cli *c, const char *option, const char *path, lvl_buffer *out)
{
    lvl_file_error why = {0};
    char text[256];

    if (cli_is_named_pipe(path)) {
        cli_report(c, "%s %s: expected a file, found a pipe", option, path);
        return EXIT_ENVIRONMENT;
    }
    const lvl_status status = lvl_file_read(out, path, c->ctx.limits.input_bytes, &why);
    if (status == LVL_OK)
        return EXIT_FINE;
    if (status == LVL_ERR_LIMIT)
        lvl_refuse(&c->ctx, LVL_LIMIT_INPUT, c->ctx.limits.input_bytes, 0);
    report_named(c, option, path, status, why.step ? lvl_file_error_text(&why, text, sizeof text) : NULL);
    return status == LVL_ERR_MISSING ? EXIT_ENVIRONMENT : cli_code_of(status);
}

static int load_palette(cli *c, cli_convert *p)
{
    if (!c->opt->palette)
        return EXIT_FINE;
    const int code = read_named(c, "--palette", c->opt->palette, &p->palette_file);
    if (code)
        return code;
    const lvl_bytes bytes = {p->palette_file.data, p->palette_file.len};
    lvl_status status = lvl_read(&p->palette_doc, &c->ctx, NULL, bytes, lvl_file_name(c->opt->palette),
                                 LVL_READ_BORROW, NULL);
    if (status == LVL_OK)
        status = palette_of(p->palette_doc, p);
    else if (status == LVL_ERR_FOREIGN)
        status = foreign_palette(c, p, bytes);
    if (status != LVL_OK)
        report_named(c, "--palette", c->opt->palette, status,
                     status == LVL_ERR_UNSUPPORTED ? "has no palette"
                     : status == LVL_ERR_FOREIGN || status == LVL_ERR_FORMAT
                         ? "expected a palette; see `lvl convert --help' for the kinds of files"
                         : NULL);
    return cli_code_of(status);
}

/* Reads the document of --like. */
static int load_like(cli *c, cli_convert *p)
{
    const char *path = c->opt->like;
    lvl_image image = {0};

    if (!path)
        return EXIT_FINE;
    const unsigned can = p->to == TO_FORMAT ? lvl_format_can(p->format) : 0;
    const bool drawing = can && cli_is_drawing(p->format);
    if (!drawing && !(can & LVL_CAN_IMAGE))
        return cli_usage(c, "--like needs a picture as input and a PID, PCX, BMP or drawing as output");
    if (drawing && c->opt->also.count)
        return cli_usage(c, "--like and --and exclude each other; lay one picture after the other");
    const int code = read_named(c, "--like", path, &p->like_file);
    if (code)
        return code;
    const lvl_bytes bytes = {p->like_file.data, p->like_file.len};
    lvl_status status =
        lvl_read(&p->like_doc, &c->ctx, NULL, bytes, lvl_file_name(path), LVL_READ_BORROW, NULL);
    if (status == LVL_OK && lvl_doc_format(p->like_doc) != p->format) {
        cli_report(c, "--like %s: expected %s, found %s", path, p->format->title,
                   lvl_doc_format(p->like_doc)->title);
        return EXIT_NEGATIVE;
    }
    if (status == LVL_OK && !drawing)
        status = lvl_doc_picture(p->like_doc, NULL, &image);
    if (status == LVL_OK) {
        p->draw_options.like = p->like_doc;
        p->draw_options.layer = c->opt->layer;
        p->draw_options.keep_indices = !drawing && !image.palette;
    } else {
        report_named(c, "--like", path, status, NULL);
    }
    lvl_image_clear(&image);
    return cli_code_of(status);
}

/* Reads the picture of an option. */
static int read_picture(cli *c, const char *option, const char *path, lvl_image *image)
{
    lvl_buffer file = {0};
    int code = read_named(c, option, path, &file);

    if (!code) {
        const lvl_status status = lvl_picture_read(&c->ctx, lvl_buffer_bytes(&file), false, image);
        if (status != LVL_OK)
            report_named(c, option, path, status, NULL);
        code = cli_code_of(status);
    }
    lvl_buffer_free(&file);
    return code;
}

/* Reads the pictures of --and. */
static int load_layers(cli *c, cli_convert *p)
{
    const cli_strings *also = &c->opt->also;
    int code = EXIT_FINE;

    if (!also->count)
        return EXIT_FINE;
    if (p->to != TO_FORMAT || !cli_is_drawing(p->format))
        return cli_usage(c, "--and needs a picture as input and a doodad as output");
    p->layers = calloc(also->count, sizeof *p->layers);
    p->layer_names = calloc(also->count, sizeof *p->layer_names);
    if (!p->layers || !p->layer_names)
        return cli_no_memory(c);
    for (size_t i = 0; i < also->count && !code; i++) {
        code = read_picture(c, "--and", also->items[i], &p->layers[i]);
        p->layer_names[i] = cli_stem_of(also->items[i]);
        if (!code && !p->layer_names[i])
            code = cli_no_memory(c);
    }
    p->draw_options.layers = p->layers;
    p->draw_options.layer_count = (uint32_t)also->count;
    return code;
}

int cli_convert_plan(cli *c, cli_convert *p)
{
    const int code = take_draw_options(c, p);

    return code ? code : make_plan(c, p);
}

static int load_named(cli *c, cli_convert *p)
{
    int code = load_palette(c, p);

    if (!code && c->opt->tileset) {
        code = read_picture(c, "--tileset", c->opt->tileset, &p->tileset);
        p->draw_options.tileset = &p->tileset;
    }
    if (!code)
        code = load_like(c, p);
    return code ? code : load_layers(c, p);
}

int cli_convert_load(cli *c, cli_convert *p)
{
    lvl_usage usage = {0};

    c->ctx.usage = &usage;
    const int code = load_named(c, p);
    c->ctx.usage = NULL;
    return code;
}

void cli_convert_clear(const cli *c, cli_convert *p)
{
    lvl_doc_free(p->palette_doc);
    lvl_buffer_free(&p->palette_file);
    lvl_doc_free(p->like_doc);
    lvl_buffer_free(&p->like_file);
    lvl_image_clear(&p->tileset);
    for (size_t i = 0; p->layers && i < c->opt->also.count; i++)
        lvl_image_clear(&p->layers[i]);
    for (size_t i = 0; p->layer_names && i < c->opt->also.count; i++)
        free(p->layer_names[i]);
    cli_links_free(p->links);
    free(p->layers);
    free(p->layer_names);
}
