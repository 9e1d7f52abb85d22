/*
 * tiled/read_xml.c: converts TMX, TSX and TX of any version of Tiled to a tree in the form of TMJ, for
 * read.c. Values remain texts, and each object has its line number. Parts that lvl does not use (wang sets,
 * animations) are only marked as present; editor settings are left out.
 *
 * A document type is refused, so a file cannot declare entities.
 */
#include "base/text.h"
#include "base/work.h"
#include "tiled/map.h"

#include <expat.h>
#include <stdlib.h>

/* How an element is converted. */
typedef enum use {
    USE_ITEM, /* an object in a list of its parent */
    USE_PARENT, /* its attributes and content are added to its parent */
    USE_SOURCE, /* the name of its file becomes a text of its parent */
    USE_MARK /* true in its parent */
} use;

static const struct rule {
    const char *element;
    use use;
    const char *key, *type;
} rules[] = {{"property", USE_ITEM, "properties", NULL},
             {"properties", USE_PARENT, NULL, NULL},
             {"object", USE_ITEM, "objects", NULL},
             {"tile", USE_ITEM, "tiles", NULL},
             {"tileset", USE_ITEM, "tilesets", NULL},
             {"layer", USE_ITEM, "layers", "tilelayer"},
             {"objectgroup", USE_ITEM, "layers", "objectgroup"},
             {"imagelayer", USE_ITEM, "layers", "imagelayer"},
             {"group", USE_ITEM, "layers", "group"},
             {"data", USE_PARENT, NULL, NULL},
             {"chunk", USE_ITEM, "chunks", NULL},
             {"image", USE_SOURCE, "image", NULL},
             {"point", USE_MARK, "point", NULL},
             {"capsule", USE_MARK, "capsule", NULL},
             {"animation", USE_MARK, "animation", NULL},
             {"tileoffset", USE_MARK, "tileoffset", NULL},
             {"wangsets", USE_MARK, "wangsets", NULL},
             {"ellipse", USE_MARK, "ellipse", NULL},
             {"text", USE_MARK, "text", NULL},
             {"polygon", USE_MARK, "polygon", NULL},
             {"polyline", USE_MARK, "polyline", NULL}};

static const char *const attributes[] = {
    "id",          "name",      "type",       "class",     "value",           "gid",
    "x",           "y",         "width",      "height",    "rotation",        "template",
    "source",      "firstgid",  "encoding",   "infinite",  "compression",     "orientation",
    "offsetx",     "offsety",   "parallaxx",  "parallaxy", "objectalignment", "tilecount",
    "draworder",   "tilewidth", "tileheight", "opacity",   "tintcolor",       "mode",
    "renderorder", "columns",   "margin",     "spacing",   "visible"};

typedef struct element {
    yyjson_mut_val *object; /* NULL: left out, with everything in it */
    const char *text; /* the key of its text; NULL: it has none */
    bool cells; /* its text is cells */
} element;

typedef struct reader {
    XML_Parser parser;
    const lvl_ctx *ctx;
    const char *root; /* the expected root element */
    lvl_findings *findings;
    lvl_status status;
    yyjson_mut_doc *doc;
    element *stack;
    uint32_t depth, most;
    lvl_buffer text; /* text of the innermost element that has any */
    uint64_t used; /* approximate bytes of the tree */
    bool infinite;
} reader;

static void set_status(reader *r, lvl_status status)
{
    if (r->status == LVL_OK)
        r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

/* Where the parser is. Expat 2.9 has functions of its own for large files, and warns of the others. */
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 9)
static uint64_t line_of(const reader *r)
{
    return XML_GetCurrentLineNumber64(r->parser);
}
static uint64_t column_of(const reader *r)
{
    return XML_GetCurrentColumnNumber64(r->parser);
}
static int64_t offset_of(const reader *r)
{
    return XML_GetCurrentByteIndex64(r->parser);
}
#else
static uint64_t line_of(const reader *r)
{
    return XML_GetCurrentLineNumber(r->parser);
}
static uint64_t column_of(const reader *r)
{
    return XML_GetCurrentColumnNumber(r->parser);
}
static int64_t offset_of(const reader *r)
{
    return XML_GetCurrentByteIndex(r->parser);
}
#endif

static void fail(reader *r, const char *text)
{
    if (r->status == LVL_OK)
        lvl_fault_add(r->findings, LVL_FAULT_MAP, "line %llu: %s", (unsigned long long)line_of(r), text);
    set_status(r, LVL_ERR_FORMAT);
}

/* Stops if a node of the tree, with `len` bytes of text, could not be allocated, or if the tree is too
 * large. */
static void charge_node(reader *r, bool good, size_t len)
{
    enum { NODES = 64 }; /* approximate bytes of a key and a value */
    const size_t most = lvl_memory_share(r->ctx);

    r->used += NODES + len;
    if (!good)
        set_status(r, LVL_ERR_MEMORY);
    else if (r->used > most)
        set_status(r, lvl_refuse(r->ctx, LVL_LIMIT_MEMORY, most, r->used));
}

/* Of equal keys only the first is kept, since more would slow down each lookup in the object. */
static void add_text(reader *r, yyjson_mut_val *object, const char *key, const char *text, size_t len)
{
    if (!yyjson_mut_obj_get(object, key))
        charge_node(r, yyjson_mut_obj_add_strncpy(r->doc, object, key, text, len), len);
}

static lvl_text attribute(const XML_Char **attrs, const char *name)
{
    for (; attrs[0]; attrs += 2) {
        if (strcmp(attrs[0], name) == 0)
            return lvl_text_of(attrs[1]);
    }
    return (lvl_text){NULL, 0};
}

static void add_attributes(reader *r, yyjson_mut_val *object, const XML_Char **attrs)
{
    for (; attrs[0] && r->status == LVL_OK; attrs += 2) {
        for (size_t i = 0; i < LVL_COUNT_OF(attributes); i++) {
            if (attrs[0][0] == attributes[i][0] && strcmp(attrs[0], attributes[i]) == 0)
                add_text(r, object, attributes[i], attrs[1], strlen(attrs[1]));
        }
    }
}

/* `line`: store its line number. Properties, the most numerous objects, do not need it, since no error refers
 * to one. */
static yyjson_mut_val *new_object(reader *r, const XML_Char **attrs, bool line)
{
    yyjson_mut_val *object = yyjson_mut_obj(r->doc);

    charge_node(r, object != NULL, 0);
    if (line && r->status == LVL_OK)
        charge_node(r, yyjson_mut_obj_add_uint(r->doc, object, TILED_LINE, line_of(r)), 0);
    if (r->status == LVL_OK)
        add_attributes(r, object, attrs);
    return object;
}

static yyjson_mut_val *add_item(reader *r, yyjson_mut_val *parent, const struct rule *rule,
                                const XML_Char **attrs)
{
    yyjson_mut_val *list = yyjson_mut_obj_get(parent, rule->key);
    yyjson_mut_val *object = new_object(r, attrs, strcmp(rule->element, "property") != 0);

    if (rule->type)
        charge_node(r, yyjson_mut_obj_add_str(r->doc, object, "type", rule->type), 0);
    if (!list) {
        list = yyjson_mut_arr(r->doc);
        charge_node(r, yyjson_mut_obj_add_val(r->doc, parent, rule->key, list), 0);
    }
    if (!yyjson_mut_arr_append(list, object))
        set_status(r, LVL_ERR_MEMORY);
    return object;
}

static element begin_root(reader *r, const char *name, const XML_Char **attrs)
{
    if (strcmp(name, r->root) != 0) {
        char text[64];
        snprintf(text, sizeof text, "expected a %s of Tiled", r->root);
        fail(r, text);
        return (element){0};
    }
    yyjson_mut_val *root = new_object(r, attrs, true);
    yyjson_mut_doc_set_root(r->doc, root);
    r->infinite = lvl_text_is(attribute(attrs, "infinite"), "1");
    return (element){.object = root};
}

/* Converts a cell that an old version of Tiled wrote as an element to CSV. */
static void add_cell(reader *r, const XML_Char **attrs)
{
    const lvl_text gid = attribute(attrs, "gid");

    lvl_buffer_add(&r->text, gid.len ? gid.ptr : "0", gid.len ? gid.len : 1);
    lvl_buffer_u8(&r->text, ',');
    if (r->text.status != LVL_OK)
        set_status(r, lvl_buffer_outcome(r->ctx, &r->text));
}

static element begin_element(reader *r, const element *in, const char *name, const XML_Char **attrs)
{
    const struct rule *rule = NULL;
    element e = {0};

    for (size_t i = 0; i < LVL_COUNT_OF(rules) && !rule; i++)
        rule = strcmp(name, rules[i].element) == 0 ? &rules[i] : NULL;
    if (!rule || !in->object || (in->text && !in->cells)) /* elements in a property are not used */
        return e;
    if (in->cells && strcmp(name, "tile") == 0) {
        add_cell(r, attrs);
    } else if (rule->use == USE_MARK) {
        if (!yyjson_mut_obj_get(in->object, rule->key))
            charge_node(r, yyjson_mut_obj_add_bool(r->doc, in->object, rule->key, true), 0);
    } else if (rule->use == USE_SOURCE) {
        const lvl_text source = attribute(attrs, "source");
        add_text(r, in->object, rule->key, source.len ? source.ptr : "", source.len);
        const lvl_text width = attribute(attrs, "width"), height = attribute(attrs, "height");
        if (width.len && height.len) {
            add_text(r, in->object, "imagewidth", width.ptr, width.len);
            add_text(r, in->object, "imageheight", height.ptr, height.len);
        }
    } else if (rule->use == USE_PARENT) {
        e.object = in->object;
        add_attributes(r, e.object, attrs);
    } else {
        e.object = add_item(r, in->object, rule, attrs);
    }
    e.cells = strcmp(name, "data") == 0 || strcmp(name, "chunk") == 0;
    if (e.cells)
        e.text = "data";
    else if (strcmp(name, "property") == 0 && !attribute(attrs, "value").ptr)
        e.text = "value";
    if (e.text)
        r->text.len = 0;
    return e;
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **attrs)
{
    reader *r = user;

    if (r->status != LVL_OK)
        return;
    if (r->depth >= r->most) {
        set_status(r, lvl_refuse(r->ctx, LVL_LIMIT_DEPTH, r->most, 0));
        return;
    }
    r->stack[r->depth] =
        r->depth ? begin_element(r, &r->stack[r->depth - 1], name, attrs) : begin_root(r, name, attrs);
    r->depth++;
}

static void XMLCALL on_end(void *user, const XML_Char *name)
{
    reader *r = user;

    if (r->status != LVL_OK)
        return;
    const element *e = &r->stack[--r->depth];
    if (!e->object || !e->text)
        return;
    /* the cells of an infinite layer are in its chunks */
    if (strcmp(name, "data") != 0 || !r->infinite)
        add_text(r, e->object, e->text, r->text.data ? (const char *)r->text.data : "", r->text.len);
    r->text.len = 0;
}

static void XMLCALL on_text(void *user, const XML_Char *text, int len)
{
    reader *r = user;

    if (r->status != LVL_OK || !r->depth || !r->stack[r->depth - 1].text)
        return;
    lvl_buffer_add(&r->text, text, (size_t)len);
    if (r->text.status != LVL_OK)
        set_status(r, lvl_buffer_outcome(r->ctx, &r->text));
}

static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system_id,
                               const XML_Char *public_id, int has_internal)
{
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_internal;
    fail(user, "a map has no document type (DOCTYPE)");
}

/* Code pages of games, which expat does not know. */
static int XMLCALL on_encoding(void *user, const XML_Char *name, XML_Encoding *info)
{
    lvl_codepage page;

    (void)user;
    if (!lvl_codepage_parse(name, &page) || page == LVL_CP_UTF8)
        return XML_STATUS_ERROR;
    for (int i = 0; i < 256; i++) {
        const char byte = (char)i;
        uint8_t utf8[8] = {0};
        lvl_buffer out = {.data = utf8, .cap = sizeof utf8, .max = sizeof utf8};
        lvl_text_to_utf8(&out, page, (lvl_text){&byte, 1});
        info->map[i] = utf8[0] < 0x80   ? utf8[0]
                       : utf8[0] < 0xE0 ? (utf8[0] & 0x1F) << 6 | (utf8[1] & 0x3F)
                                        : (utf8[0] & 0x0F) << 12 | (utf8[1] & 0x3F) << 6 | (utf8[2] & 0x3F);
    }
    info->data = NULL;
    info->convert = NULL;
    info->release = NULL;
    return XML_STATUS_OK;
}

/* What is wrong at a byte, after another one, of a file that is not well-formed. */
static void explain(enum XML_Error code, uint8_t before, uint8_t byte, char *out, size_t size)
{
    const bool token = code == XML_ERROR_INVALID_TOKEN || code == XML_ERROR_PARTIAL_CHAR;
    const uint8_t sign = byte == '&' || byte == '<' ? byte : before;

    if (token && byte >= 0x80)
        snprintf(out, size,
                 "the byte 0x%02X is no character in the encoding that the first line names (UTF-8 if it "
                 "names none); save the file as UTF-8, or write encoding=\"windows-1252\" there if it is "
                 "western text",
                 byte);
    else if (token && byte < ' ' && byte != '\n' && byte != '\r' && byte != '\t')
        snprintf(out, size, "the control character 0x%02X, which XML cannot hold; remove it", byte);
    else if (token && (sign == '&' || sign == '<'))
        snprintf(out, size, "a plain %c, which XML writes as %s", sign, sign == '&' ? "&amp;" : "&lt;");
    else if (token && before == '=')
        snprintf(out, size, "a value without quotation marks");
    else if (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN ||
             code == XML_ERROR_UNCLOSED_CDATA_SECTION)
        snprintf(out, size, "the file ends before its map is complete (%s)", XML_ErrorString(code));
    else
        snprintf(out, size, "%s", XML_ErrorString(code));
}

/* Reports where and why the file is not well-formed. */
static void fail_at(reader *r, lvl_bytes bytes, enum XML_Error code)
{
    const int64_t at = offset_of(r);
    const bool inside = at >= 0 && (uint64_t)at < bytes.len;
    char why[240];

    explain(code, inside && at ? bytes.ptr[at - 1] : ' ', inside ? bytes.ptr[at] : ' ', why, sizeof why);
    lvl_fault_add(r->findings, LVL_FAULT_MAP, "line %llu, column %llu: %s", (unsigned long long)line_of(r),
                  (unsigned long long)column_of(r) + 1, why);
    set_status(r, LVL_ERR_FORMAT);
}

static void parse(reader *r, lvl_bytes bytes)
{
    enum { PART = 1 << 29 }; /* the most that expat accepts at once; it counts lines across parts */
    size_t at = 0;

    if (!bytes.len)
        bytes.ptr = (const uint8_t *)"";
    do {
        const size_t n = bytes.len - at < PART ? bytes.len - at : PART;
        const bool last = at + n == bytes.len;
        if (XML_Parse(r->parser, (const char *)bytes.ptr + at, (int)n, last) == XML_STATUS_ERROR &&
            r->status == LVL_OK) {
            const enum XML_Error code = XML_GetErrorCode(r->parser);
            if (code == XML_ERROR_NO_MEMORY)
                set_status(r, LVL_ERR_MEMORY);
            else
                fail_at(r, bytes, code);
        }
        at += n;
    } while (at < bytes.len && r->status == LVL_OK);
}

lvl_status tiled_xml_tree(yyjson_doc **out, const lvl_ctx *ctx, const char *root, lvl_bytes bytes,
                          lvl_findings *findings)
{
    reader r = {.ctx = ctx, .root = root, .findings = findings};

    *out = NULL;
    r.most = lvl_limits_of(ctx).depth + 4; /* plus the elements around the deepest group */
    r.stack = calloc(r.most, sizeof *r.stack);
    r.parser = XML_ParserCreate(NULL);
    r.doc = yyjson_mut_doc_new(NULL);
    if (r.stack && r.parser && r.doc) {
        r.text.max = lvl_memory_share(ctx);
        XML_SetUserData(r.parser, &r);
        XML_SetElementHandler(r.parser, on_start, on_end);
        XML_SetCharacterDataHandler(r.parser, on_text);
        XML_SetUnknownEncodingHandler(r.parser, on_encoding, NULL);
        XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
        parse(&r, bytes);
    } else {
        r.status = LVL_ERR_MEMORY;
    }
    if (r.status == LVL_OK) {
        *out = yyjson_mut_doc_imut_copy(r.doc, NULL);
        r.status = *out ? LVL_OK : LVL_ERR_MEMORY;
    }
    if (r.parser)
        XML_ParserFree(r.parser);
    yyjson_mut_doc_free(r.doc);
    free(r.stack);
    lvl_buffer_free(&r.text);
    return r.status;
}
