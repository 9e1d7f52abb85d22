/*
 * A program that loads lvl.dll as a game's patch does: by LoadLibrary and names, with the structs of the
 * headers. Compiled for 32 bits it shows that lvl.dll for 32 bits works: the same lines and the same file as
 * the examples of bindings/.
 *
 * usage: abi_client lvl.dll LEVEL.wwd OUT.wwd
 */
#include <lvl/lvl.h>

#include <stdio.h>
#include <string.h>
#include <windows.h>

static HMODULE library;

/* ISO C has no conversion from an address to a function. */
static void find(const char *name, void *function)
{
    const FARPROC found = GetProcAddress(library, name);

    if (!found) {
        printf("no function %s\n", name);
        ExitProcess(3);
    }
    memcpy(function, &found, sizeof found);
}

static lvl_abi_result *(*load)(const char *, const char *),
    *(*save)(lvl_abi_doc *, const char *, const char *);
static lvl_abi_result *(*get)(lvl_abi_doc *, const char *, const char *), *(*layout)(const char *);
static lvl_abi_result *(*render)(lvl_abi_doc *, const char *);
static void *(*root_of)(lvl_abi_doc *);
static void (*result_free)(lvl_abi_result *), (*doc_close)(lvl_abi_doc *);
static uint32_t (*version)(void);

static int failed(lvl_abi_result *r)
{
    if (r && r->status == LVL_OK)
        return 0;
    printf("%s\n", r ? r->message : "out of memory");
    return 1;
}

int main(int argc, char **argv)
{
    unsigned moved = 0;
    char expected[32];

    if (argc != 4 || !(library = LoadLibraryA(argv[1])))
        return 2;
    find("lvl_abi_version", (void *)&version);
    find("lvl_abi_load", (void *)&load);
    find("lvl_abi_save", (void *)&save);
    find("lvl_abi_get", (void *)&get);
    find("lvl_abi_layout", (void *)&layout);
    find("lvl_abi_render", (void *)&render);
    find("lvl_abi_root", (void *)&root_of);
    find("lvl_abi_result_free", (void *)&result_free);
    find("lvl_abi_close", (void *)&doc_close);
    if (version() != LVL_ABI)
        return 3;
    lvl_abi_result *r = layout("wwd");
    snprintf(expected, sizeof expected, "\"pointer\":%u", (unsigned)sizeof(void *));
    if (failed(r) || !r->len || !strstr((const char *)r->data, expected))
        return 3;
    result_free(r);
    r = load(argv[2], NULL);
    if (failed(r))
        return 3;
    lvl_abi_doc *doc = r->doc;
    result_free(r);
    lvl_wwd *wwd = root_of(doc);
    for (uint32_t p = 0; p < wwd->plane_count; p++) {
        if (wwd->planes[p].flags & LVL_WWD_PLANE_MAIN)
            printf("main plane: %.*s\n", (int)strnlen(wwd->planes[p].name, sizeof wwd->planes[p].name),
                   wwd->planes[p].name);
        for (uint32_t i = 0; i < wwd->planes[p].object_count; i++) {
            lvl_wwd_object *o = &wwd->planes[p].objects[i];
            if (o->logic.len == 7 && memcmp(o->logic.ptr, "Soldier", 7) == 0) {
                o->x += 64;
                moved++;
            }
        }
    }
    printf("%u soldiers moved\n", moved);
    r = save(doc, argv[3], NULL);
    if (failed(r))
        return 3;
    result_free(r);
    r = render(doc, "size=200\0");
    if (failed(r) || r->len < 1000)
        return 3;
    printf("a picture of %lu by %lu px\n", (unsigned long)r->width, (unsigned long)r->height);
    result_free(r);
    r = get(doc, "nothing", NULL);
    failed(r);
    result_free(r);
    doc_close(doc);
    return 0;
}
