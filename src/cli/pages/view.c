/*
 * cli/pages/view.c: the files of a page with levels: those given, and those that are read to draw them.
 * Archives with art appear as folders here, so that a page contains the members that are used, not the whole
 * archive.
 */
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L /* getcwd */
#endif

#include "cli/pages/view.h"

#include "base/hash.h"
#include "base/search.h"
#include "base/text.h"

#include <lvl/render.h>

#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

enum { MAX_BYTES = 4096, MAX_FRAMES = 1024 };

/* ---- paths ------------------------------------------------------------------------------------------- */

/* The absolute path, with '/' and without "." and ".."; to be freed, NULL without memory. */
static char *full_path(const char *path)
{
    char base[MAX_BYTES] = "";
    char *full;

#ifdef _WIN32
    full = cli_copy(_fullpath(base, path, sizeof base) ? base : path);
#else
    if (*path != '/' && !getcwd(base, sizeof base))
        *base = 0;
    full = cli_format("%s/%s", base, path);
#endif
    if (!full)
        return NULL;
    char *to = full;
#ifdef _WIN32
    /* of a share, //server/share/file, the two slashes stay */
    if (strspn(full, "/\\") == 2)
        *to++ = '/';
#endif
    for (const char *from = full; *from;) {
        const size_t len = strcspn(from, "/\\");
        if (len == 2 && memcmp(from, "..", 2) == 0) {
            while (to > full && *--to != '/')
                ;
        } else if (len && !(len == 1 && *from == '.')) {
            if (to > full || full[0] == '/')
                *to++ = '/';
            memmove(to, from, len);
            to += len;
        }
        from += len + strspn(from + len, "/\\");
    }
    *to = 0;
    return full;
}

/* Whether the file lies below the folder. */
static bool is_below(const char *path, const char *folder)
{
    const size_t len = strlen(folder);

    return strncmp(path, folder, len) == 0 && path[len] == '/';
}

/* ---- files, with archives as folders ----------------------------------------------------------------- */

/* Whether the name has the ending of an archive (a format with members and without a picture). */
static bool is_archive_name(const char *path)
{
    const lvl_format *format = cli_format_of_ending(path);

    return format && (lvl_format_can(format) & (LVL_CAN_EXTRACT | LVL_CAN_RENDER)) == LVL_CAN_EXTRACT;
}

/* The archive that contains the path, and the rest of the path in *within; NULL: none. */
static const lvl_container *container_of_path(view *v, const char *path, const char **within)
{
    char *head = cli_copy(path);
    const lvl_container *found = NULL;

    v->no_memory = v->no_memory || !head;
    for (size_t i = head ? strlen(head) : 0; i; i--) {
        if (path[i] && path[i] != '/')
            continue;
        head[i] = 0;
        *within = path + i + (path[i] == '/');
        if (is_archive_name(head) && lvl_file_kind_of(head) == LVL_FILE_REGULAR) {
            const lvl_status status = cli_archive_open(v->c, head, &found);
            v->no_memory = v->no_memory || status == LVL_ERR_MEMORY;
            break;
        }
    }
    free(head);
    return found;
}

static const lvl_entry *member_of(view *v, const char *path, const lvl_container **container)
{
    const char *within;

    *container = container_of_path(v, path, &within);
    return *container ? lvl_container_find(*container, within) : NULL;
}

static lvl_file_kind kind_of(void *user, const char *path)
{
    const lvl_file_kind kind = lvl_file_kind_of(path);
    const lvl_container *container;

    if (kind == LVL_FILE_REGULAR && is_archive_name(path))
        return LVL_FILE_FOLDER;
    const lvl_entry *entry = kind == LVL_FILE_NONE ? member_of(user, path, &container) : NULL;
    return entry ? entry->is_dir ? LVL_FILE_FOLDER : LVL_FILE_REGULAR : kind;
}

static lvl_status read_bytes(view *v, const char *path, lvl_buffer *out)
{
    lvl_buffer storage = {0};
    lvl_bytes bytes;
    const lvl_container *container;

    if (lvl_file_kind_of(path) != LVL_FILE_NONE)
        return lvl_file_read(out, path, v->c->ctx.limits.input_bytes, NULL);
    const lvl_entry *entry = member_of(v, path, &container);
    if (!entry)
        return LVL_ERR_MISSING;
    const lvl_status status = lvl_container_read(container, entry, &bytes, &storage, NULL);
    const bool readable = status == LVL_OK || status == LVL_ERR_LOSS; /* art is drawn as far as it goes */
    if (readable)
        lvl_buffer_add(out, bytes.ptr, bytes.len);
    lvl_buffer_free(&storage);
    return readable ? out->status : status;
}

static bool grow_parts(view *v)
{
    return cli_grow(&v->parts, &v->cap, v->count + 1, sizeof *v->parts);
}

bool cli_view_is_below(const char *path, const char *folder)
{
    char *full = full_path(path), *top = full_path(folder);
    const char *up = path;

    while (strncmp(up, "../", 3) == 0 || strncmp(up, "./", 2) == 0)
        up = strchr(up, '/') + 1;
    /* only the system can resolve ".." after a link */
    const bool below =
        full && top && !strstr(up, "/../") && is_below(full, top) && lvl_file_stays_below(full, strlen(top));
    free(full);
    free(top);
    return below;
}

/* Puts a path into a sorted list, once. */
static bool add_sorted(cli_strings *list, const char *path)
{
    size_t at;

    LVL_LOWER_BOUND(at, list->count, strcmp(list->items[at], path) < 0);
    if (at < list->count && strcmp(list->items[at], path) == 0)
        return true;
    char *copy = cli_copy(path);
    if (!copy || !cli_strings_add(list, copy)) {
        free(copy);
        return false;
    }
    memmove(&list->items[at + 1], &list->items[at], (list->count - 1 - at) * sizeof *list->items);
    list->items[at] = copy;
    return true;
}

/* Whether this file belongs in the page. */
static bool may_read(view *v, const char *path)
{
    bool may = !v->folder || cli_view_is_below(path, v->folder);

    for (size_t i = 0; i < v->given_roots && !may; i++)
        may = strcmp(path, v->roots.items[i]) == 0 || cli_view_is_below(path, v->roots.items[i]);
    if (!may && !add_sorted(v->refused, path))
        v->no_memory = true;
    return may;
}

/* Adds a file to the page, once, and takes over its bytes. */
static void add_file(view *v, const char *path, lvl_buffer *bytes, bool given)
{
    char *full = full_path(path);
    size_t i = 0;

    while (full && i < v->count && strcmp(v->parts[i].path, full) != 0)
        i++;
    if (full && i < v->count) {
        v->parts[i].given = v->parts[i].given || given;
    } else if (full && grow_parts(v)) {
        v->parts[v->count++] = (part){full, *bytes, given};
        *bytes = (lvl_buffer){0};
        full = NULL;
    } else {
        v->no_memory = true;
    }
    free(full);
    lvl_buffer_free(bytes);
}

static lvl_status read_file(void *user, const char *path, lvl_buffer *out)
{
    view *v = user;
    lvl_buffer copy = {0};
    const size_t before = out->len;

    if (!may_read(v, path))
        return LVL_ERR_MISSING;
    const lvl_status status = read_bytes(v, path, out);
    if (status != LVL_OK)
        return status;
    lvl_buffer_add(&copy, out->data + before, out->len - before);
    v->no_memory = v->no_memory || copy.status != LVL_OK;
    add_file(v, path, &copy, false);
    return LVL_OK;
}

typedef struct listing {
    lvl_buffer *names;
    size_t folder; /* length of its path with the slash */
} listing;

static bool add_name(void *user, const lvl_entry *entry)
{
    const listing *l = user;

    lvl_buffer_add(l->names, entry->path + l->folder, strlen(entry->path + l->folder) + 1);
    return true;
}

static lvl_status list_files(void *user, const char *path, lvl_buffer *names)
{
    const char *within;
    lvl_file_list list = {0};
    listing l = {.names = names};

    if (lvl_file_kind_of(path) == LVL_FILE_FOLDER) {
        const lvl_status status = lvl_folder_list(&list, path, NULL);
        for (size_t i = 0; i < list.count && status == LVL_OK; i++)
            lvl_buffer_add(names, list.names[i], strlen(list.names[i]) + 1);
        lvl_file_list_free(&list);
        return status == LVL_OK ? names->status : status;
    }
    const lvl_container *container = container_of_path(user, path, &within);
    if (!container)
        return LVL_ERR_MISSING;
    l.folder = strlen(within) + (*within != 0);
    lvl_container_list(container, within, false, add_name, &l);
    return names->status;
}

/* ---- what drawing reads ------------------------------------------------------------------------------ */

static void add_root(view *v, const char *path)
{
    char *full = full_path(path);

    for (size_t i = 0; full && i < v->roots.count; i++) {
        if (strcmp(v->roots.items[i], full) == 0) {
            free(full);
            return;
        }
    }
    if (!full || !cli_strings_add(&v->roots, full)) {
        v->no_memory = true;
        free(full);
    }
}

/* Adds --art and LVL_ART to the art; cli_art_try has reported errors of --art. */
static void add_given(view *v)
{
    const char *root;

    for (size_t i = 0; i < v->c->opt->art.count; i++)
        (void)lvl_art_add(v->art, v->c->opt->art.items[i]);
    if (lvl_art_add_list(v->art, getenv("LVL_ART")) == LVL_ERR_MEMORY) /* NOLINT(concurrency-mt-unsafe) */
        v->no_memory = true;
    for (size_t i = 0; (root = lvl_art_root(v->art, i)) != NULL; i++)
        add_root(v, root);
    v->given_roots = v->roots.count;
}

/* Draws it to find out which files are read for that. */
static lvl_status draw_thumbnail(const lvl_doc *doc, const lvl_scene_request *request)
{
    lvl_render_options options;
    lvl_scene *scene = NULL;
    lvl_image unused = {0};

    lvl_render_options_init(&options);
    options.size = 16;
    lvl_status status = lvl_doc_scene(doc, request, &scene);
    if (status == LVL_OK)
        status = lvl_render_image(scene, &options, &unused);
    lvl_image_clear(&unused);
    lvl_scene_free(scene);
    return status;
}

/* Draws everything that the page can show. What cannot be drawn is not an error: the page reports it. */
static lvl_status draw_all(view *v, cli_job *job)
{
    lvl_scene_request request = {.art = v->art};
    lvl_animation *play = NULL;
    const lvl_status known = lvl_doc_play(job->doc, &request, &play);
    lvl_status status = known == LVL_ERR_UNSUPPORTED ? LVL_OK : known;

    request.play = play;
    const uint32_t sides = play ? play->directions : 0, frames = play ? play->frames : 0;
    if (status == LVL_OK && !play)
        status = draw_thumbnail(job->doc, &request);
    for (uint64_t i = 0; i < (uint64_t)sides * frames && i < MAX_FRAMES && status == LVL_OK; i++) {
        request.frame = (uint32_t)(i / sides);
        request.direction = (uint32_t)(i % sides);
        status = draw_thumbnail(job->doc, &request);
    }
    lvl_animation_free(&job->ctx, play);
    return status == LVL_ERR_MEMORY || status == LVL_ERR_STOPPED ? status : LVL_OK;
}

/* The path of an input; a member's begins with that of its archive. To be freed. */
static char *place_of(const cli_input *input)
{
    const size_t outer = input->archive ? strlen(cli_archive_name(input->archive)) : 0;

    if (!input->path)
        return cli_copy("standard-input");
    return input->archive ? cli_format("%.*s/%s", (int)outer, input->name, input->name + outer)
                          : cli_copy(input->path);
}

void cli_view_add(view *v, cli_job *job)
{
    lvl_buffer copy = {0};

    char *place = place_of(job->input);
    lvl_buffer_add(&copy, job->bytes.ptr, job->bytes.len);
    if (!place || copy.status != LVL_OK) {
        lvl_buffer_free(&copy);
        free(place);
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return;
    }
    add_file(v, place, &copy, true);
    if (!v->open && job->input->named) {
        v->open = full_path(place);
        v->no_memory = v->no_memory || !v->open;
    }
    lvl_status status = LVL_OK;
    if (lvl_format_can(job->format) & LVL_CAN_RENDER) {
        /* art is searched in archives of games and in packs, not in a zip, which the page would then
         * contain */
        if (job->input->archive && job->input->path && !cli_archive_is_foreign(job->input->archive)) {
            status = lvl_art_add_home(v->art, job->input->path);
            add_root(v, job->input->path);
        }
        if (status != LVL_ERR_MEMORY)
            status = lvl_art_level(v->art, job->input->path);
        if (status != LVL_ERR_MEMORY)
            status = draw_all(v, job);
    }
    if (v->no_memory || lvl_art_status(v->art) != LVL_OK)
        status = LVL_ERR_MEMORY;
    if (status == LVL_ERR_MEMORY || status == LVL_ERR_STOPPED)
        cli_job_status(job, status, NULL, NULL);
    free(place);
}

/* ---- the page ---------------------------------------------------------------------------------------- */

char *cli_view_page_path(cli *c)
{
    static const char *const places[] = {"../share/lvl/lvl.html", "lvl.html", "../viewer/lvl.html"};
    char *program = cli_own_path(), *first = NULL;

    if (c->opt->page) {
        free(program);
        return cli_copy(c->opt->page);
    }
    for (size_t i = 0; program && i < sizeof places / sizeof *places; i++) {
        const int folder = (int)(lvl_file_name(program) - program);
        char *joined = cli_format("%.*s%s", folder, program, places[i]);
        char *path = joined ? full_path(joined) : NULL;
        free(joined);
        if (path && lvl_file_kind_of(path) == LVL_FILE_REGULAR) {
            free(first);
            free(program);
            return path;
        }
        if (first)
            free(path);
        else
            first = path;
    }
    cli_report(
        c,
        "the page of the viewer is not installed (expected %s); `make web' in lvl's source folder builds "
        "it, `make install' then installs it; or name an lvl.html with --page",
        first ? first : "lvl.html");
    free(first);
    free(program);
    return NULL;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const part *)a)->path, ((const part *)b)->path);
}

/* Removes the members of archives that the page contains as a whole. */
static void drop_members(view *v)
{
    size_t kept = 0;

    for (size_t i = 0; i < v->count; i++) {
        bool inside = false;
        for (size_t k = 0; k < v->count && !inside; k++)
            inside = v->parts[k].given && is_below(v->parts[i].path, v->parts[k].path);
        if (inside) {
            free(v->parts[i].path);
            lvl_buffer_free(&v->parts[i].bytes);
        } else {
            v->parts[kept++] = v->parts[i];
        }
    }
    v->count = kept;
}

/* Whether a file of the page is in that root of art. */
static bool is_used(const view *v, const char *root)
{
    bool used = false;

    for (size_t i = 0; i < v->count && !used; i++)
        used = is_below(v->parts[i].path, root) || strcmp(v->parts[i].path, root) == 0;
    return used;
}

/* Length of the folder path that all files and used roots share, which the page omits. */
static size_t common_length(const view *v)
{
    const char *first = v->parts[0].path;
    size_t len = (size_t)(lvl_file_name(first) - first);

    for (size_t i = 1; i < v->count + v->roots.count; i++) {
        const char *path = i < v->count ? v->parts[i].path : v->roots.items[i - v->count];
        size_t same = 0;
        if (i >= v->count && !is_used(v, path))
            continue;
        while (same < len && path[same] == first[same])
            same++;
        /* a root is a folder without a slash at its end; it may be the common one */
        if (i >= v->count && same + 1 == len && !path[same])
            same++;
        while (same && first[same - 1] != '/')
            same--;
        len = same;
    }
    return len;
}

size_t cli_view_arrange(view *v)
{
    drop_members(v);
    if (!v->count)
        return 0;
    qsort(v->parts, v->count, sizeof *v->parts, by_path);
    return common_length(v);
}

/* A JSON string that cannot end a script element. */
static void put_string(lvl_buffer *out, const char *text)
{
    lvl_buffer json = {0};

    lvl_json_string(&json, lvl_text_of(text));
    for (size_t i = 0; i < json.len; i++) {
        if (json.data[i] == '<')
            lvl_buffer_str(out, "\\u003c");
        else
            lvl_buffer_u8(out, json.data[i]);
    }
    if (json.status != LVL_OK)
        out->status = json.status;
    lvl_buffer_free(&json);
}

void cli_view_id(lvl_bytes bytes, char id[CLI_VIEW_ID])
{
    char hex[65];

    lvl_sha256_hex(bytes, hex);
    snprintf(id, CLI_VIEW_ID, "%.*s", CLI_VIEW_ID - 1, hex);
}

void cli_view_files(const view *v, size_t cut, cli_view_content content, lvl_buffer *out)
{
    bool first = true;

    lvl_buffer_str(out, "\"open\":");
    if (v->open)
        put_string(out, v->open + cut);
    else
        lvl_buffer_str(out, "null");
    lvl_buffer_str(out, ",\"art\":[");
    for (size_t i = 0; i < v->roots.count; i++) {
        const char *root = v->roots.items[i];
        if (!is_used(v, root))
            continue;
        lvl_buffer_str(out, first ? "" : ",");
        put_string(out, strlen(root) < cut ? "" : root + cut);
        first = false;
    }
    lvl_buffer_str(out, "],\"files\":[");
    for (size_t i = 0; i < v->count; i++) {
        const part *p = &v->parts[i];
        lvl_buffer_str(out, !i ? "{\"path\":" : content == CLI_VIEW_BYTES ? ",\n{\"path\":" : ",{\"path\":");
        put_string(out, p->path + cut);
        if (content == CLI_VIEW_BYTES) {
            lvl_buffer_str(out, ",\"base64\":\"");
            lvl_base64_encode(out, lvl_buffer_bytes(&p->bytes));
            lvl_buffer_str(out, "\"}");
        } else if (content == CLI_VIEW_IDS) {
            char id[CLI_VIEW_ID];
            cli_view_id(lvl_buffer_bytes(&p->bytes), id);
            lvl_buffer_printf(out, ",\"id\":\"%s\"}", id);
        } else {
            lvl_buffer_printf(out, ",\"size\":%zu}", p->bytes.len);
        }
    }
    lvl_buffer_str(out, "]}");
}

int cli_view_page(cli *c, lvl_text element, bool scripts, lvl_buffer *out)
{
    static const char mark[] = "<script type=\"text/plain\" id=\"lvl-wasm\">", policy[] = "script-src ";
    lvl_file_error why = {0};
    lvl_buffer page = {0};
    char *path = cli_view_page_path(c);
    int code = EXIT_ENVIRONMENT;

    if (!path)
        return code;
    lvl_status status = lvl_file_read(&page, path, 0, &why);
    lvl_buffer_u8(&page, 0);
    const char *text = status == LVL_OK && page.status == LVL_OK ? (const char *)page.data : "";
    const char *at = strstr(text, mark), *sources = scripts ? strstr(text, policy) : at;
    if (status != LVL_OK) {
        cli_report_file(c, path, status, &why);
    } else if (!at || !sources || sources > at) {
        cli_report(c, "%s: expected the page that `make web' builds (build/viewer/lvl.html)", path);
    } else {
        const size_t head = (size_t)(at - text),
                     first = scripts ? (size_t)(sources - text) + sizeof policy - 1 : 0;
        lvl_buffer_add(out, text, first);
        if (scripts)
            lvl_buffer_str(out, "'self' file: ");
        lvl_buffer_add(out, text + first, head - first);
        lvl_buffer_add(out, element.ptr, element.len);
        lvl_buffer_add(out, text + head, page.len - 1 - head);
        code = out->status == LVL_OK ? EXIT_FINE : cli_no_memory(c);
    }
    lvl_buffer_free(&page);
    free(path);
    return code;
}

bool cli_view_begin(view *v, cli *c)
{
    *v = (view){.c = c, .files = {.user = v, .kind = kind_of, .read = read_file, .list = list_files}};
    v->art = lvl_art_new(&c->ctx);
    if (!v->art)
        return false;
    lvl_art_set_files(v->art, &v->files);
    add_given(v);
    return !v->no_memory;
}

void cli_view_end(view *v)
{
    lvl_art_free(v->art);
    for (size_t i = 0; i < v->count; i++) {
        free(v->parts[i].path);
        lvl_buffer_free(&v->parts[i].bytes);
    }
    free(v->parts);
    for (size_t i = 0; i < v->roots.count; i++)
        free((void *)(uintptr_t)v->roots.items[i]);
    free((void *)v->roots.items);
    free(v->open);
}
