/*
 * A stranger's program, in the language that C11 and C++11 share: says which liblvl it runs with, reads the
 * file it is given, and wants the same bytes when it is written again. scripts/check-install builds it
 * against an installed copy in every way there is.
 */
#include <lvl/lvl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_and_write(const char *path, const uint8_t *data, size_t len)
{
    lvl_ctx ctx;
    lvl_bytes input;
    lvl_doc *doc = NULL;
    lvl_buffer out;
    int same;

    memset(&out, 0, sizeof out); /* C writes {0}, C++ {} */
    lvl_ctx_init(&ctx);
    input.ptr = data;
    input.len = len;
    if (lvl_read(&doc, &ctx, NULL, input, path, LVL_READ_BORROW, NULL) != LVL_OK) {
        fprintf(stderr, "%s: can't be read\n", path);
        return 1;
    }
    same = lvl_write(doc, &out, NULL) == LVL_OK && out.len == len && memcmp(out.data, data, len) == 0;
    printf("%s: %s, %s\n", path, lvl_doc_format(doc)->title, same ? "written the same" : "written otherwise");
    lvl_buffer_free(&out);
    lvl_doc_free(doc);
    return same ? 0 : 1;
}

int main(int argc, char **argv)
{
    static uint8_t data[16 << 20];
    size_t len;
    unsigned formats = 0;
    FILE *file;

    while (lvl_format_at(formats))
        formats++;
    printf("liblvl %s, %u formats\n", lvl_version(), formats);
    if (strcmp(lvl_version(), LVL_VERSION) != 0) {
        fprintf(stderr, "headers are %s\n", LVL_VERSION);
        return 1;
    }
    if (argc < 2)
        return 0;
    file = fopen(argv[1], "rb");
    if (!file) {
        perror(argv[1]);
        return 1;
    }
    len = fread(data, 1, sizeof(data), file);
    fclose(file);
    return read_and_write(argv[1], data, len);
}
