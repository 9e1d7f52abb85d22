/*
 * lvl_samples FOLDER: writes the samples below FOLDER (the repository's samples/), which has to exist; folders in it are made.
 */
#include "samples.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct target {
    const char *folder;
    size_t files, bytes;
    bool failed;
};

static void make_folders(char *path, size_t from)
{
    for (char *p = path + from; (p = strchr(p, '/')); p++) {
        *p = 0;
#ifdef _WIN32
        (void)mkdir(path);
#else
        (void)mkdir(path, 0777);
#endif
        *p = '/';
    }
}

static void save(void *user, const char *path, lvl_bytes bytes)
{
    struct target *t = user;
    char full[1024];
    snprintf(full, sizeof(full), "%s/%s", t->folder, path);
    make_folders(full, strlen(t->folder) + 1);
    FILE *f = fopen(full, "wb");
    if (!f || fwrite(bytes.ptr, 1, bytes.len, f) != bytes.len || fclose(f) != 0) {
        fprintf(stderr, "lvl_samples: %s: %s\n", full, strerror(errno));
        t->failed = true;
        return;
    }
    t->files++;
    t->bytes += bytes.len;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: lvl_samples FOLDER\n", stderr);
        return 2;
    }
    struct target t = {argv[1], 0, 0, false};
    if (!samples_make(save, &t) || t.failed)
        return 3;
    printf("%zu files, %zu bytes\n", t.files, t.bytes);
    return 0;
}
