/*
 * tale.c: the tale format: tables, reader, writer, forms.
 */
#include "tale.h"

#include "codec/json.h"

#include <stdlib.h>
#include <string.h>

static const lvl_name gap_names[] = {{0, "none", NULL}, {1, "one", NULL}, {2, "two", NULL}, {0, NULL, NULL}};
static const lvl_name end_names[] = {{0, "lf", NULL}, {1, "crlf", NULL}, {0, NULL, NULL}};

static const lvl_field actor_fields[] = {
    LVL_ROW_REAL(tale_actor, x, "x", .prose = "from the left", .unit = "tiles"),
    LVL_ROW_REAL(tale_actor, y, "y", .prose = "from the top"),
    LVL_ROW_TEXT(tale_actor, name, "name", .prose = "who it is"),
    LVL_ROW_TEXT(tale_actor, script, "script", .flags = LVL_F_LINES, .part = "scripts",
                 .prose = "what it does"),
    LVL_ROW(tale_actor, gap, "gap", LVL_INT, .role = LVL_KEPT, .disk = LVL_NO_PLACE, .names = gap_names,
            .prose = "empty lines before it"),
    LVL_ROW(tale_actor, line, "line", LVL_TEXT, .role = LVL_KEPT, .disk = LVL_NO_PLACE,
            .prose = "its line as it stands"),
};
static const lvl_identity actor_identities[] = {
    {3, {offsetof(tale_actor, name), offsetof(tale_actor, x), offsetof(tale_actor, y)}},
    {1, {offsetof(tale_actor, name)}},
};
static const lvl_table actor_table = {
    .name = "actor",
    .prose = "Somebody.",
    .struct_size = sizeof(tale_actor),
    .fields = actor_fields,
    .field_count = LVL_COUNT_OF(actor_fields),
    .label = "name",
    .identities = actor_identities,
    .identity_count = LVL_COUNT_OF(actor_identities),
};

static const lvl_field sign_fields[] = {
    LVL_ROW_INT(tale_sign, x, "x", LVL_NO_PLACE, .prose = "from the left"),
    LVL_ROW_INT(tale_sign, y, "y", LVL_NO_PLACE, .prose = "from the top"),
    LVL_ROW_TEXT(tale_sign, text, "text", .flags = LVL_F_LINES, .part = "signs", .prose = "what it says"),
};
static const lvl_identity sign_identities[] = {{2, {offsetof(tale_sign, x), offsetof(tale_sign, y)}}};
static const lvl_table sign_table = {
    .name = "sign",
    .prose = "Something to read.",
    .struct_size = sizeof(tale_sign),
    .fields = sign_fields,
    .field_count = LVL_COUNT_OF(sign_fields),
    .label = "text",
    .identities = sign_identities,
    .identity_count = LVL_COUNT_OF(sign_identities),
};

static const lvl_field tale_fields[] = {
    LVL_ROW_UINT(tale, version, "version", LVL_NO_PLACE, .def = -1, .flags = LVL_F_FORM,
                 .prose = "0 has no actors"),
    LVL_ROW_LIST(tale, actors, actor_count, "actors", &actor_table, tale_actor, .prose = "who is there",
                 .when = {offsetof(tale, version), 1, 2}),
    LVL_ROW_LIST(tale, signs, sign_count, "signs", &sign_table, tale_sign, .prose = "what is there to read"),
    LVL_ROW_REALS(tale, heights, height_count, "heights", .prose = "of the ground"),
    LVL_ROW_TEXT(tale, dots, "dots", .prose = "numbers in bits"),
    LVL_ROW(tale, line_end, "line_end", LVL_INT, .role = LVL_KEPT, .disk = LVL_NO_PLACE, .names = end_names,
            .prose = "how lines end"),
};
static const lvl_table tale_table = {
    .name = "tale",
    .prose = "A tale.",
    .struct_size = sizeof(tale),
    .fields = tale_fields,
    .field_count = LVL_COUNT_OF(tale_fields),
};

enum { LOSS_ACTOR };
static const lvl_finding_def findings_table[] = {
    {"tale.loss.actor", "Version 0 has no actors.", {LVL_WARNING, LVL_WARNING, LVL_WARNING}, NULL, 0},
};

static int probe(const lvl_probe_input *in)
{
    return in->head.len >= 5 && memcmp(in->head.ptr, "TALE ", 5) == 0 ? 40 : 0;
}

typedef struct reader {
    lvl_doc *doc;
    tale *t;
    lvl_sink *sink;
    const char *text;
    size_t at, len;
    const lvl_field *list; /* the record to which lines belong */
    uint32_t index;
} reader;

static void report(const reader *r, size_t from, size_t to, lvl_span_role role, lvl_where where,
                   const lvl_field *field, const char *note)
{
    const lvl_span s = {
        .bit = from * 8, .bits = (to - from) * 8, .role = role, .where = where, .field = field, .note = note};

    if (r->sink && to > from)
        r->sink->span(r->sink, &s);
}

/* The next line, without its end. */
static bool next_line(reader *r, lvl_text *line)
{
    if (r->at >= r->len)
        return false;
    const char *p = r->text + r->at, *nl = memchr(p, '\n', r->len - r->at);
    size_t n = nl ? (size_t)(nl - p) : r->len - r->at;
    r->at += n + (nl != NULL);
    line->ptr = p;
    line->len = n && p[n - 1] == '\r' ? n - 1 : n;
    return true;
}

static lvl_text word(lvl_text *rest)
{
    lvl_text w = *rest;
    size_t n = 0;

    while (n < rest->len && rest->ptr[n] != ' ')
        n++;
    w.len = n;
    while (n < rest->len && rest->ptr[n] == ' ')
        n++;
    rest->ptr += n;
    rest->len -= n;
    return w;
}

static void write_actor(lvl_buffer *out, const tale_actor *a)
{
    lvl_buffer_str(out, "ACTOR ");
    lvl_json_real(out, a->x);
    lvl_buffer_u8(out, ' ');
    lvl_json_real(out, a->y);
    lvl_buffer_u8(out, ' ');
    lvl_buffer_add(out, a->name.ptr, a->name.len);
}

static void read_actor_line(tale_actor *a, lvl_text rest)
{
    word(&rest);
    lvl_real_parse(word(&rest), &a->x);
    lvl_real_parse(word(&rest), &a->y);
    a->name = rest;
}

/* The kept line, if reading it gives the present content. */
static bool line_holds(const tale_actor *a)
{
    tale_actor b = {0};

    if (!a->line.len)
        return false;
    read_actor_line(&b, a->line);
    return a->x == b.x && a->y == b.y && lvl_text_equal(a->name, b.name);
}

static lvl_status add_line(lvl_doc *doc, lvl_text *to, lvl_text line)
{
    size_t n = to->len + (to->ptr != NULL);
    char *p = lvl_arena_alloc(&doc->arena, n + line.len + 1);

    if (!p)
        return LVL_ERR_MEMORY;
    if (to->ptr) {
        memcpy(p, to->ptr, to->len);
        p[to->len] = '\n';
    }
    memcpy(p + n, line.ptr, line.len);
    to->ptr = p;
    to->len = n + line.len;
    return LVL_OK;
}

static lvl_status read_line(reader *r, lvl_text line, unsigned gap, size_t from)
{
    const lvl_where root = lvl_where_root();
    lvl_text rest = line, key = word(&rest);
    lvl_status status = LVL_OK;
    tale *t = r->t;

    if (line.len && *line.ptr == '|') {
        lvl_text body = {line.ptr + 1, line.len - 1};
        lvl_where w = lvl_where_to(root, r->list, r->index);
        const lvl_field *f =
            r->list ? lvl_table_find(r->list->table,
                                     lvl_text_of(r->list->table == &actor_table ? "script" : "text"))
                    : NULL;
        if (!f)
            return LVL_ERR_FORMAT;
        report(r, from, r->at, LVL_SPAN_FIELD, lvl_where_to(w, f, LVL_NO_INDEX), f, NULL);
        return add_line(r->doc,
                        f->kind == LVL_TEXT && r->list->table == &actor_table ? &t->actors[r->index].script
                                                                              : &t->signs[r->index].text,
                        body);
    }
    if (lvl_text_is(key, "ACTOR")) {
        r->list = lvl_table_find(&tale_table, lvl_text_of("actors"));
        r->index = t->actor_count;
        status = lvl_list_insert(r->doc, t, r->list, r->index, 1);
        if (status != LVL_OK)
            return status;
        tale_actor *a = &t->actors[r->index];
        lvl_buffer ours = {0};
        read_actor_line(a, line);
        a->gap = (uint8_t)gap;
        write_actor(&ours, a);
        if (ours.len != line.len || memcmp(ours.data, line.ptr, line.len) != 0)
            a->line = line;
        lvl_buffer_free(&ours);
        report(r, from, r->at, LVL_SPAN_FIELD, lvl_where_to(root, r->list, r->index), NULL, "place and name");
    } else if (lvl_text_is(key, "SIGN")) {
        double x = 0, y = 0;
        r->list = lvl_table_find(&tale_table, lvl_text_of("signs"));
        r->index = t->sign_count;
        status = lvl_list_insert(r->doc, t, r->list, r->index, 1);
        if (status != LVL_OK)
            return status;
        lvl_real_parse(word(&rest), &x);
        lvl_real_parse(word(&rest), &y);
        t->signs[r->index].x = (int32_t)x;
        t->signs[r->index].y = (int32_t)y;
        report(r, from, r->at, LVL_SPAN_FIELD, lvl_where_to(root, r->list, r->index), NULL, "place");
    } else if (lvl_text_is(key, "HEIGHTS")) {
        const lvl_field *f = lvl_table_find(&tale_table, lvl_text_of("heights"));
        while (rest.len && status == LVL_OK) {
            lvl_text w = word(&rest);
            status = lvl_list_insert(r->doc, t, f, t->height_count, 1);
            if (status == LVL_OK && !lvl_real_parse(w, &t->heights[t->height_count - 1]))
                status = LVL_ERR_FORMAT;
        }
        report(r, from, r->at, LVL_SPAN_FIELD, lvl_where_to(root, f, LVL_NO_INDEX), f, NULL);
    } else if (lvl_text_is(key, "DOTS") && line.len == 7) {
        const lvl_field *f = lvl_table_find(&tale_table, lvl_text_of("dots"));
        const unsigned bits = (unsigned)(uint8_t)rest.ptr[0] | (unsigned)(uint8_t)rest.ptr[1] << 8;
        t->dots = rest;
        report(r, from, from + 5, LVL_SPAN_SPELLING, root, NULL, "command");
        for (unsigned at = 0; r->sink && at < 15; at += 5) {
            const lvl_span s = {.bit = (from + 5) * 8 + at,
                                .bits = at == 10 ? 6 : 5,
                                .where = lvl_where_to(root, f, LVL_NO_INDEX),
                                .field = f,
                                .note = "dot",
                                .has_value = true,
                                .value = bits >> at & (at == 10 ? 63 : 31)};
            r->sink->span(r->sink, &s);
        }
        report(r, from + 7, r->at, LVL_SPAN_SPELLING, root, NULL, "line end");
    } else {
        return LVL_ERR_FORMAT;
    }
    return status;
}

static lvl_status read(lvl_doc *doc, lvl_sink *sink, lvl_findings *findings)
{
    reader r = {doc, doc->root, sink, (const char *)doc->input.ptr, 0, doc->input.len, NULL, 0};
    const lvl_field *end = lvl_table_find(&tale_table, lvl_text_of("line_end"));
    lvl_status status = LVL_OK;
    unsigned gap = 0;
    lvl_text line;
    (void)findings;

    if (!next_line(&r, &line) || line.len != 6)
        return LVL_ERR_FORMAT;
    r.t->version = (uint8_t)(line.ptr[5] - '0');
    r.t->line_end = line.ptr[6] == '\r';
    report(&r, 0, 6, LVL_SPAN_FIELD, lvl_where_root(), tale_fields, NULL);
    report(&r, 6, r.at, LVL_SPAN_SPELLING, lvl_where_root(), end, NULL);
    while (status == LVL_OK) {
        size_t from = r.at;
        if (!next_line(&r, &line))
            break;
        if (!line.len) {
            gap++;
            report(&r, from, r.at, LVL_SPAN_SPELLING, lvl_where_root(), NULL, "an empty line");
            continue;
        }
        status = read_line(&r, line, gap, from);
        gap = 0;
    }
    return status;
}

static void write_lines(lvl_buffer *out, lvl_text text, const char *end)
{
    for (size_t from = 0, i = 0; text.ptr && i <= text.len; i++) {
        if (i < text.len && text.ptr[i] != '\n')
            continue;
        lvl_buffer_u8(out, '|');
        lvl_buffer_add(out, text.ptr + from, i - from);
        lvl_buffer_str(out, end);
        from = i + 1;
    }
}

static lvl_status write(const lvl_doc *doc, lvl_buffer *out)
{
    const tale *t = doc->root;
    const char *end = t->line_end ? "\r\n" : "\n";

    lvl_buffer_printf(out, "TALE %d%s", t->version, end);
    if (t->height_count)
        lvl_buffer_str(out, "HEIGHTS");
    for (uint32_t i = 0; i < t->height_count; i++) {
        lvl_buffer_u8(out, ' ');
        lvl_json_real(out, t->heights[i]);
    }
    if (t->height_count)
        lvl_buffer_str(out, end);
    if (t->dots.len)
        lvl_buffer_printf(out, "DOTS %.*s%s", (int)t->dots.len, t->dots.ptr, end);
    for (uint32_t i = 0; i < t->actor_count; i++) {
        const tale_actor *a = &t->actors[i];
        for (unsigned k = 0; k < a->gap; k++)
            lvl_buffer_str(out, end);
        if (line_holds(a))
            lvl_buffer_add(out, a->line.ptr, a->line.len);
        else
            write_actor(out, a);
        lvl_buffer_str(out, end);
        write_lines(out, a->script, end);
    }
    for (uint32_t i = 0; i < t->sign_count; i++) {
        lvl_buffer_printf(out, "SIGN %ld %ld%s", (long)t->signs[i].x, (long)t->signs[i].y, end);
        write_lines(out, t->signs[i].text, end);
    }
    return LVL_OK;
}

static const lvl_form forms[] = {
    {"tale-1", "A tale with actors", "tale", "tale", 1},
    {"tale-0", "A tale without", "tale0", "tale", 0},
    {NULL, NULL, NULL, NULL, 0},
};

static lvl_status convert(const lvl_doc *from, const lvl_form *form, lvl_doc *to, lvl_findings *losses)
{
    const lvl_field *actors = lvl_table_find(&tale_table, lvl_text_of("actors"));
    const tale *a = from->root;
    tale *b = to->root;

    b->version = (uint8_t)form->version;
    for (uint32_t i = 0; i < a->actor_count; i++) {
        const tale_actor *o = &a->actors[i];
        if (!form->version) {
            lvl_where w = lvl_where_to(lvl_where_root(), actors, i);
            lvl_findings_add(losses, &findings_table[LOSS_ACTOR], &w, NULL, "the actor %.*s",
                             (int)o->name.len, o->name.ptr);
            continue;
        }
        lvl_status status = lvl_list_insert(to, b, actors, b->actor_count, 1);
        if (status != LVL_OK)
            return status;
        b->actors[b->actor_count - 1].x = o->x;
        b->actors[b->actor_count - 1].y = o->y;
        b->actors[b->actor_count - 1].name = lvl_doc_text(to, o->name);
        b->actors[b->actor_count - 1].script = lvl_doc_text(to, o->script);
    }
    return LVL_OK;
}

const lvl_format tale_format = {
    .id = "tale",
    .family = "tale",
    .title = "Tale",
    .extensions = "tale",
    .codepage = LVL_CP_1252,
    .table = &tale_table,
    .findings = findings_table,
    .finding_count = LVL_COUNT_OF(findings_table),
    .forms = forms,
    .calls =
        &(const lvl_format_calls){
            .probe = probe,
            .read = read,
            .write = write,
            .convert = convert,
        },
};

const lvl_format saga_format = {
    .id = "saga",
    .family = "tale",
    .title = "Saga",
    .extensions = "saga",
    .codepage = LVL_CP_1252,
    .table = &tale_table,
    .calls =
        &(const lvl_format_calls){
            .probe = probe,
            .read = read,
            .write = write,
        },
};

lvl_doc *tale_doc(const lvl_ctx *ctx, const char *text)
{
    lvl_bytes bytes = {(const uint8_t *)text, strlen(text)};
    lvl_doc *doc;

    if (lvl_read(&doc, ctx, &tale_format, bytes, NULL, 0, NULL) != LVL_OK)
        abort();
    return doc;
}
