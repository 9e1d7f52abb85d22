/*
 * The limit memory_bytes bounds the memory of a whole verb, with all its copies. Small files that inflate to
 * much are given to each verb of the command, in a separate process, whose peak is measured. The limit is an
 * eighth of the default, so that the test is quick.
 */
#define _GNU_SOURCE /* wait4 */

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

enum { MIB = 1 << 20, LIMIT = 48, OWN = 16, PIECE = 512 << 10 };

static char dir[] = "/tmp/lvl-memory-XXXXXX";

/* ---- inputs ------------------------------------------------------------------------------------------ */

typedef struct bytes {
    uint8_t *data;
    size_t len;
} bytes;

static void add(bytes *b, const void *data, size_t len)
{
    b->data = realloc(b->data, b->len + len + 1);
    assert_non_null(b->data);
    memcpy(b->data + b->len, data, len);
    b->len += len;
}

static void add_u32(bytes *b, uint32_t v)
{
    add(b, (const uint8_t[]){(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)}, 4);
}

static void add_u16(bytes *b, unsigned v)
{
    add(b, (const uint8_t[]){(uint8_t)v, (uint8_t)(v >> 8)}, 2);
}

/* Adds deflated bytes that end at a byte, so that they may be repeated. */
static void add_deflated(bytes *out, const void *data, size_t len, int flush)
{
    const uLong room = compressBound((uLong)len) + 64;
    uint8_t *to = malloc(room);
    z_stream z = {.next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)len, .next_out = to};

    assert_non_null(to);
    z.avail_out = (uInt)room;
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY), Z_OK);
    assert_in_range(deflate(&z, flush), Z_OK, Z_STREAM_END);
    assert_int_equal(z.avail_in, 0);
    add(out, to, (size_t)(z.next_out - to));
    deflateEnd(&z);
    free(to);
}

typedef struct content {
    bytes packed; /* a raw deflate stream */
    uint32_t crc, adler;
    uint64_t size;
} content;

/* head, then `mib` MiB of the piece repeated, then tail */
static content make(const void *head, size_t head_len, const char *piece, unsigned mib, const char *tail)
{
    content c = {{NULL, 0},
                 (uint32_t)crc32(0, head, (uInt)head_len),
                 (uint32_t)adler32(1, head, (uInt)head_len),
                 head_len};
    const size_t step = strlen(piece) ? strlen(piece) : 1, len = PIECE / step * step;
    char *block = malloc(PIECE);
    bytes packed = {NULL, 0};

    assert_non_null(block);
    for (size_t i = 0; i < len; i++)
        block[i] = piece[i % step];
    add_deflated(&c.packed, head, head_len, Z_FULL_FLUSH);
    add_deflated(&packed, block, len, Z_FULL_FLUSH);
    const uLong crc = crc32(0, (Bytef *)block, (uInt)len), adler = adler32(1, (Bytef *)block, (uInt)len);
    for (uint64_t done = 0; done + len <= (uint64_t)mib * MIB; done += len) {
        add(&c.packed, packed.data, packed.len);
        c.crc = (uint32_t)crc32_combine(c.crc, crc, (z_off_t)len);
        c.adler = (uint32_t)adler32_combine(c.adler, adler, (z_off_t)len);
        c.size += len;
    }
    add_deflated(&c.packed, tail, strlen(tail), Z_FINISH);
    c.crc = (uint32_t)crc32(c.crc, (const Bytef *)tail, (uInt)strlen(tail));
    c.adler = (uint32_t)adler32(c.adler, (const Bytef *)tail, (uInt)strlen(tail));
    c.size += strlen(tail);
    free(block);
    free(packed.data);
    return c;
}

static void save(const char *name, const bytes *b)
{
    char path[128];

    assert_in_range(b->len, 1, 1200000);
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(b->data, 1, b->len, f), b->len);
    assert_int_equal(fclose(f), 0);
}

static void save_gzip(const char *name, const char *head, const char *piece, unsigned mib, const char *tail)
{
    content c = make(head, strlen(head), piece, mib, tail);
    bytes b = {NULL, 0};

    add(&b, "\x1F\x8B\x08\0\0\0\0\0\0\xFF", 10);
    add(&b, c.packed.data, c.packed.len);
    add_u32(&b, c.crc);
    add_u32(&b, (uint32_t)c.size);
    save(name, &b);
    free(b.data);
    free(c.packed.data);
}

static void save_zip(const char *name, unsigned count, unsigned mib)
{
    content c = make("", 0, "", mib, ""), json = make("{}", 2, " ", 0, "");
    bytes b = {NULL, 0}, list = {NULL, 0};

    for (unsigned i = 0; i < count; i++) {
        const content *m = i ? &c : &json;
        char member[32];
        const uint32_t at = (uint32_t)b.len;
        snprintf(member, sizeof member, i ? "chunks/0/%u,0.bin" : "level.json", i);
        add_u32(&b, 0x04034b50);
        add_u32(&list, 0x02014b50);
        add_u16(&list, 20);
        for (bytes *to = &b; to; to = to == &b ? &list : NULL) {
            add_u16(to, 20);
            add_u16(to, 0);
            add_u16(to, 8);
            add_u32(to, 0);
            add_u32(to, m->crc);
            add_u32(to, (uint32_t)m->packed.len);
            add_u32(to, (uint32_t)m->size);
            add_u16(to, (unsigned)strlen(member));
            add_u16(to, 0);
        }
        add(&b, member, strlen(member));
        add(&b, m->packed.data, m->packed.len);
        add(&list, "\0\0\0\0\0\0\0\0\0\0", 10);
        add_u32(&list, at);
        add(&list, member, strlen(member));
    }
    const uint32_t at = (uint32_t)b.len;
    add(&b, list.data, list.len);
    add_u32(&b, 0x06054b50);
    add_u32(&b, 0);
    add_u16(&b, count);
    add_u16(&b, count);
    add_u32(&b, (uint32_t)list.len);
    add_u32(&b, at);
    add_u16(&b, 0);
    save(name, &b);
    free(b.data);
    free(list.data);
    free(c.packed.data);
    free(json.packed.data);
}

/* A sample whose main block continues with zeros. */
static void save_wwd(const char *name, unsigned mib)
{
    enum { HEADER = 0x5F4, SIZE_AT = 744 };
    static uint8_t file[1 << 16], block[1 << 20];
    char path[512];
    uLongf len = sizeof block;
    bytes b = {NULL, 0};

    snprintf(path, sizeof path, "%s/wwd/cliffs.wwd", getenv("LVL_SAMPLES"));
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t size = fread(file, 1, sizeof file, f);
    fclose(f);
    assert_int_equal(uncompress(block, &len, file + HEADER, (uLong)(size - HEADER)), Z_OK);
    content c = make(block, len, "", mib, "");
    for (int i = 0; i < 4; i++) {
        assert_int_equal(file[SIZE_AT + i], len >> (8 * i) & 0xFF);
        file[SIZE_AT + i] = (uint8_t)(c.size >> (8 * i));
    }
    add(&b, file, HEADER);
    add(&b, "\x78\xDA", 2);
    add(&b, c.packed.data, c.packed.len);
    add(&b,
        (const uint8_t[]){(uint8_t)(c.adler >> 24), (uint8_t)(c.adler >> 16), (uint8_t)(c.adler >> 8),
                          (uint8_t)c.adler},
        4);
    save(name, &b);
    free(b.data);
    free(c.packed.data);
}

/* ---- measuring --------------------------------------------------------------------------------------- */

/* MiB at the peak of the command, and its exit code. */
static long peak(const char *const *args, int in, int *code)
{
    struct rusage usage;
    int status;

    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int null = open("/dev/null", O_RDWR);
        dup2(in < 0 ? null : in, 0);
        dup2(null, 1);
        if (!getenv("LVL_SHOW"))
            dup2(null, 2);
        alarm(60);
        execv(args[0], (char *const *)(uintptr_t)args);
        _exit(127);
    }
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return usage.ru_maxrss / 1024;
}

static void no_verb_passes_the_limit(void **state)
{
    static const char *const verbs[][6] = {
        {"info"},
        {"check"},
        {"repair", "-y", "-o", "out.level"},
        {"dump"},
        {"explain"},
        {"explain", "--all"},
        {"convert", "-y", "-o", "out.png"},
        {"render", "--size", "64", "-y", "-o", "out.png"},
        {"diff"},
        {"get"},
        {"set", "-y", "-o", "out.level"},
        {"extract", "-y", "-o", "parts/"},
    };
    static const char *const files[] = {"actors-7.level", "actors-4.level", "text-7.level", "text-1000.level",
                                        "chunks-7.level", "seven-7.level",  "block-7.wwd",  "block-900.wwd"};
    char limit[32], file[600];
    long worst = 0;

    (void)state;
    assert_int_equal(chdir(dir), 0);
    save_gzip("actors-7.level", "{\"actors\":{", "\"a\":{},", 7, "\"b\":{}}}");
    save_gzip("actors-4.level", "{\"actors\":{", "\"a\":{},", 4, "\"b\":{}}}");
    save_gzip("text-7.level", "{\"title\":\"", "A", 7, "\"}");
    save_gzip("text-1000.level", "{\"title\":\"", "A", 1000, "\"}");
    save_gzip("chunks-7.level", "{\"chunks\":{\"size\":128,\"chunks\":{\"0,0\":{\"type\":0,\"data\":{",
              "\"1,1\":1,", 7, "\"2,2\":1}}}}}");
    save_zip("seven-7.level", 8, 7);
    save_wwd("block-7.wwd", 7);
    save_wwd("block-900.wwd", 900);
    snprintf(limit, sizeof limit, "memory_bytes=%dM", LIMIT);
    printf("MiB with --limit %s\n%-18s", limit, "");
    for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++)
        printf("%8s", verbs[v][0]);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(file, sizeof file, "%s", files[i]);
        printf("\n%-18s", files[i]);
        for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++) {
            const char *args[16] = {getenv("LVL"), verbs[v][0], "-q", "--limit", limit, file};
            size_t n = 6;
            int code;
            if (strcmp(args[1], "diff") == 0)
                args[n++] = file;
            if (strcmp(args[1], "get") == 0)
                args[n++] = strstr(file, "wwd") ? "name" : "title";
            if (strcmp(args[1], "set") == 0)
                args[n++] = strstr(file, "wwd") ? "name=x" : "title=x";
            for (size_t k = 1; k < 6 && verbs[v][k]; k++)
                args[n++] = verbs[v][k];
            const long mib = peak(args, -1, &code);
            printf("%6ld%c%c", mib, mib > LIMIT + OWN ? '!' : ' ', code == 0 ? ' ' : code == 1 ? '-' : 'x');
            fflush(stdout);
            assert_in_range(code, 0, 4);
            worst = mib > worst ? mib : worst;
        }
    }
    printf("\nworst: %ld MiB (-: exit 1, x: exit 2 or more)\n", worst);
    assert_in_range(worst, 1, LIMIT + OWN);
}

static void streams_without_end_are_refused(void **state)
{
    static const char *const verbs[] = {"info", "check", "dump", "undump"};
    const int zero = open("/dev/zero", O_RDONLY);
    int code;

    (void)state;
    for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++) {
        const char *args[] = {getenv("LVL"), verbs[v], "--limit", "memory_bytes=48M", "-", NULL};
        const long mib = peak(args, zero, &code);
        printf("%s - </dev/zero: %ld MiB, exit %d\n", verbs[v], mib, code);
        assert_int_equal(code, 1);
        assert_in_range(mib, 1, LIMIT + OWN);
    }
    close(zero);
}

static int group_setup(void **state)
{
    (void)state;
    return mkdtemp(dir) ? 0 : -1;
}

static int group_teardown(void **state)
{
    char command[64];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command); /* NOLINT(cert-env33-c) */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_verb_passes_the_limit),
        cmocka_unit_test(streams_without_end_are_refused),
    };

#ifdef SANITIZED
    puts("sanitizers take memory of their own");
    return 77;
#endif
    if (!getenv("LVL") || !getenv("LVL_SAMPLES"))
        return 77;
    return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
