/*
 * support/hostile.c: the kinds of damage. The operations on each input are in support/hostile_trial.c.
 */
#define _POSIX_C_SOURCE 200809L
#include "hostile.h"

#include "base/sink.h"
#include "hostile_trial.h"
#include "starve.h"
#include "base/buffer.h"
#include "growth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef _WIN32
#include <signal.h>
#include <unistd.h>
#endif

enum {
    SMALL = 8192, /* files up to this size are damaged at every place */
    PLACES = 1000, /* cuts of larger files */
    FLIPS = 10000, /* flips of larger files */
    BRIEF = 12, /* without `full`: divides the number of random or slow inputs */
    SECONDS = 60, /* for one input, before it counts as a hang */
    MAX_FAILURES = 5
};

struct run {
    const lvl_hostile *h;
    lvl_hostile_report *report;
    struct lvl_trial_reference reference;
    lvl_buffer inner; /* the content of the sample; empty without a hook */
    lvl_buffer scratch; /* the bytes being damaged */
    lvl_buffer wrapped;
    bool has_inner;
    uint32_t thin; /* step between places or values of the same kind: 1, or more in large files */
    uint64_t blocks;
    uint32_t seed;
};

/* A description of the current input, for a message from a signal handler or a sanitizer. */
static struct {
    const char *name, *stage;
    unsigned long long number;
} current;

#ifndef _WIN32
static void on_alarm(int sig)
{
    static const char text[] = "hostile: an input takes too long\n";

    (void)sig;
    (void)!write(2, text, sizeof text - 1);
    lvl_hostile_say_current();
    _exit(3);
}
#endif

void lvl_hostile_say_current(void)
{
    fprintf(stderr, "hostile: at %s, %s, input %llu\n", current.name ? current.name : "?",
            current.stage ? current.stage : "?", current.number);
}

#if defined(__SANITIZE_ADDRESS__)
void __sanitizer_set_death_callback(void (*callback)(void));
#endif

static uint32_t next_random(struct run *run)
{
    run->seed ^= run->seed << 13;
    run->seed ^= run->seed >> 17;
    run->seed ^= run->seed << 5;
    return run->seed;
}

static double now_ms(void)
{
#ifdef _WIN32
    return (double)clock() * 1e3 / CLOCKS_PER_SEC; /* wall clock time */
#else
    struct timespec t;

    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
#endif
}

bool lvl_hostile_wants_full(void)
{
    const char *want = getenv("LVL_HOSTILE");

    return want && !strcmp(want, "full");
}

static void keep_input(const struct run *run, lvl_bytes input)
{
    const char *dir = getenv("LVL_HOSTILE_OUT");
    char path[600];

    if (!dir || !*dir)
        return;
    snprintf(path, sizeof path, "%s/%s-%s-%llu.bin", dir, current.name, current.stage, current.number);
    FILE *f = fopen(path, "wb");
    if (f) {
        fwrite(input.ptr, 1, input.len, f);
        fclose(f);
    }
    (void)run;
}

/* Tries one input. False after too many failures. */
static bool try_input(struct run *run, lvl_bytes input, bool thorough)
{
    lvl_hostile_report *r = run->report;
    struct lvl_trial trial = {
        .format = run->h->format, .input = input, .thorough = thorough, .loose = run->h->loose};

    current.number++;
    run->blocks = lvl_starve_blocks();
    /* Memory of exactly this size, so that a sanitizer sees reads beyond it. */
    uint8_t *exact = malloc(input.len ? input.len : 1);
    if (!exact)
        return false;
    if (input.len)
        memcpy(exact, input.ptr, input.len);
    trial.input.ptr = exact;
    lvl_starve_mark();
    uint64_t before = lvl_starve_bytes();
    double start = now_ms();
#ifndef _WIN32
    alarm(SECONDS);
#endif
    bool good = lvl_trial_run(&trial);
    unsigned took = (unsigned)(now_ms() - start);
    uint64_t peak = lvl_starve_peak() - before;
    r->slowest_ms = took > r->slowest_ms ? took : r->slowest_ms;
    r->peak = peak > r->peak ? peak : r->peak;
    r->read += trial.was_read;
    r->exact += trial.was_exact;
    r->thorough += thorough;
    if (trial.was_read && !trial.was_exact && getenv("LVL_HOSTILE_OUT")) {
        fprintf(stderr, "hostile: not written back bit for bit: ");
        lvl_hostile_say_current();
        keep_input(run, input);
    }
    free(exact);
    if (peak > LVL_TRIAL_MEMORY_BOUND) {
        trial.complaint = "takes more memory than it may";
        good = false;
    }
    if (good && lvl_starve_blocks() != run->blocks) {
        trial.complaint = "leaks";
        good = false;
    }
    if (!good) {
        lvl_hostile_say_current();
        fprintf(stderr, "hostile: %s\n", trial.complaint);
        keep_input(run, input);
        r->failures++;
    }
    return r->failures < MAX_FAILURES;
}

/* Tries an input, or a file with these inner bytes. */
static bool try_bytes(struct run *run, lvl_bytes bytes, bool inner, bool thorough)
{
    if (!inner)
        return try_input(run, bytes, thorough);
    run->wrapped.len = 0;
    if (!run->h->hook->wrap(run->h->sample, bytes, &run->wrapped))
        return true;
    run->report->inner++;
    return try_input(run, (lvl_bytes){run->wrapped.data, run->wrapped.len}, thorough);
}

/* Whether input number `i` is tried with every tool: one in `every`, and with `full` all except those of a
 * large sample. */
static bool is_thorough(const struct run *run, size_t i, unsigned every)
{
    if (run->h->full)
        every = run->h->sample.len + run->inner.len > (size_t)4 * SMALL ? 16 : 1;
    return i % every == 0;
}

static lvl_bytes subject(const struct run *run, bool inner)
{
    return inner ? (lvl_bytes){run->inner.data, run->inner.len} : run->h->sample;
}

/* A fresh copy of the sample, or of its content, to be damaged. */
static uint8_t *fresh(struct run *run, bool inner)
{
    lvl_bytes from = subject(run, inner);

    run->scratch.len = 0;
    lvl_buffer_reserve(&run->scratch, from.len + 64);
    lvl_buffer_add(&run->scratch, from.ptr, from.len);
    return run->scratch.data;
}

static void stage(struct run *run, const char *name)
{
    current.name = run->h->name;
    current.stage = name;
    current.number = 0;
    run->seed = 0x2545F491;
}

/* ---- cuts and flips ---------------------------------------------------------------------------------- */

static bool cut(struct run *run, bool inner)
{
    lvl_bytes all = subject(run, inner);
    size_t places = all.len <= SMALL ? all.len : PLACES;
    size_t step = run->h->full ? 1 : all.len > SMALL ? 2 * run->thin : inner ? 7 : 2;

    stage(run, inner ? "inner cut" : "cut");
    for (size_t i = 0; i < places; i += step) {
        size_t at = all.len <= SMALL ? i : (size_t)((double)all.len * (double)i / PLACES);
        run->report->cuts++;
        if (!try_bytes(run, (lvl_bytes){all.ptr, at}, inner, is_thorough(run, i, 16)))
            return false;
    }
    return true;
}

static bool flip(struct run *run, bool inner)
{
    size_t bits = subject(run, inner).len * 8;
    bool every = bits <= (size_t)SMALL * 8;
    size_t count = every ? bits : FLIPS;
    /* 11 and 37 have no common factor with 8, so every bit of a byte is flipped */
    size_t step = run->h->full ? 1 : !every ? BRIEF * run->thin : inner ? 37 * run->thin : 11;
    uint8_t *data = fresh(run, inner);

    stage(run, inner ? "inner flip" : "flip");
    for (size_t i = 0; i < count; i += step) {
        size_t bit = every ? i : (size_t)(((uint64_t)next_random(run) << 20 ^ next_random(run)) % bits);
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        run->report->flips++;
        bool thorough = run->h->full ? i % 8 == 0 : i / step % 32 == 0;
        if (!try_bytes(run, (lvl_bytes){data, run->scratch.len}, inner, thorough))
            return false;
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    return true;
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

struct number {
    uint64_t at;
    uint32_t size;
    bool inner, derived;
    const lvl_field *field;
};

enum { MAX_NUMBERS = 4000, MAX_SPACES = 8 };

struct numbers {
    lvl_sink sink;
    struct number *items;
    uint32_t count, each;
    uint64_t base[MAX_SPACES];
    int inner[MAX_SPACES]; /* 0: the file; 1: the space in it; -1: a deeper one */
    uint64_t inner_len, file_len;
};

static void see_space(lvl_sink *sink, const lvl_space *space)
{
    struct numbers *n = (struct numbers *)(void *)sink;

    if (space->id >= MAX_SPACES)
        return;
    n->base[space->id] = space->base;
    n->inner[space->id] = space->id == 0 ? 0 : space->parent == 0 ? 1 : -1;
}

static void add_number(struct numbers *n, uint32_t space, uint64_t at, const lvl_field *field, bool derived)
{
    uint32_t size = field->disk_size ? field->disk_size : field->size, same = 0;

    if (space >= MAX_SPACES || n->inner[space] < 0 || at < n->base[space] || n->count == MAX_NUMBERS)
        return;
    at -= n->base[space];
    uint64_t len = n->inner[space] ? n->inner_len : n->file_len;
    if (size > 8 || at > len || size > len - at)
        return;
    for (uint32_t i = 0; i < n->count; i++)
        same += n->items[i].field == field;
    if (same >= n->each)
        return;
    struct number one = {at, size, n->inner[space] == 1, derived, field};
    n->items[n->count++] = one;
}

static void add_table(struct numbers *n, uint32_t space, uint64_t at, const lvl_table *table, uint64_t size)
{
    for (uint32_t i = 0; i < table->field_count; i++) {
        const lvl_field *f = &table->fields[i];
        if (f->disk == LVL_NO_PLACE || f->disk >= size)
            continue;
        if (f->kind == LVL_RECORD)
            add_table(n, space, at + f->disk, f->table, size - f->disk);
        else if (f->kind == LVL_INT)
            add_number(n, space, at + f->disk, f, f->role == LVL_DERIVED);
    }
}

static void see_span(lvl_sink *sink, const lvl_span *span)
{
    struct numbers *n = (struct numbers *)(void *)sink;

    if (span->bit % 8)
        return;
    if (span->table)
        add_table(n, span->space, span->bit / 8, span->table, span->bits / 8);
    else if (span->field && span->field->kind == LVL_INT && span->bits == (uint64_t)span->field->size * 8)
        add_number(n, span->space, span->bit / 8, span->field, span->role == LVL_SPAN_DERIVED);
}

static uint64_t load_number(const uint8_t *p, uint32_t size)
{
    uint64_t v = 0;

    for (uint32_t i = 0; i < size; i++)
        v |= (uint64_t)p[i] << 8 * i;
    return v;
}

static void store_number(uint8_t *p, uint32_t size, uint64_t v)
{
    for (uint32_t i = 0; i < size; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

/* Value number `k` to try in place of `n`; false after the last one. */
static bool edge(uint32_t k, uint64_t n, uint64_t len, bool derived, uint64_t *out)
{
    const uint64_t first[] = {0, 0x7fffffff, 0x80000000, 0xffffffff, 1, 0x100};
    const uint64_t rest[] = {n - 1,
                             n + 1,
                             n * 2,
                             len,
                             len - 1,
                             len + 1,
                             0x7fff,
                             0x8000,
                             0xffff,
                             0x10000,
                             0x40000000,
                             0x20000000,
                             0x10000001,
                             0xfffffffe,
                             0x7fffffffffffffff,
                             0xffffffffffffffff};

    if (k < sizeof first / sizeof *first)
        *out = first[k];
    else if (derived && k - sizeof first / sizeof *first < sizeof rest / sizeof *rest)
        *out = rest[k - sizeof first / sizeof *first];
    else
        return false;
    return true;
}

static bool set_one(struct run *run, const struct number *number, uint64_t len)
{
    uint8_t *data = fresh(run, number->inner);
    uint64_t old = load_number(data + number->at, number->size), value;

    for (uint32_t k = 0; edge(k, old, len, number->derived, &value); k++) {
        store_number(data + number->at, number->size, value);
        if (load_number(data + number->at, number->size) == old)
            continue;
        if (next_random(run) % run->thin) {
            store_number(data + number->at, number->size, old);
            continue;
        }
        run->report->numbers++;
        bool thorough = is_thorough(run, k, number->derived ? 2 : 8);
        if (!try_bytes(run, (lvl_bytes){data, run->scratch.len}, number->inner, thorough))
            return false;
        store_number(data + number->at, number->size, old);
    }
    return true;
}

/* Two derived numbers at once, since one wrong value may hide another. */
static bool set_pairs(struct run *run, const struct numbers *n)
{
    unsigned count = run->h->full ? 6000 : 400 / run->thin;

    stage(run, "pairs");
    for (unsigned i = 0; i < count && n->count; i++) {
        const struct number *a = &n->items[next_random(run) % n->count],
                            *b = &n->items[next_random(run) % n->count];
        uint64_t value;
        if (!a->derived || !b->derived || a->inner != b->inner || a == b)
            continue;
        uint8_t *data = fresh(run, a->inner);
        for (int which = 0; which < 2; which++) {
            const struct number *x = which ? b : a;
            uint64_t len = x->inner ? n->inner_len : n->file_len;
            if (edge(next_random(run) % 22, load_number(data + x->at, x->size), len, true, &value))
                store_number(data + x->at, x->size, value);
        }
        run->report->numbers++;
        if (!try_bytes(run, (lvl_bytes){data, run->scratch.len}, a->inner, is_thorough(run, i, 4)))
            return false;
    }
    return true;
}

static bool numbers(struct run *run)
{
    struct numbers n;
    bool go_on = true;

    memset(&n, 0, sizeof n);
    n.sink.space = see_space;
    n.sink.span = see_span;
    n.each = run->h->full ? 12 : 2;
    n.inner_len = run->inner.len;
    n.file_len = run->h->sample.len;
    n.items = malloc(MAX_NUMBERS * sizeof *n.items);
    if (!n.items || !lvl_trial_trace(run->h->format, run->h->sample, &n.sink)) {
        fprintf(stderr, "hostile: %s can't be traced\n", run->h->name);
        run->report->failures++;
        free(n.items);
        return false;
    }
    stage(run, "numbers");
    for (uint32_t i = 0; i < n.count && go_on; i++)
        go_on = set_one(run, &n.items[i], n.items[i].inner ? n.inner_len : n.file_len);
    go_on = go_on && set_pairs(run, &n);
    free(n.items);
    return go_on;
}

/* ---- havoc ------------------------------------------------------------------------------------------- */

static void wreak(struct run *run)
{
    lvl_buffer *b = &run->scratch;
    uint32_t times = next_random(run) % 6 + 1;

    while (times-- && b->len > 8) {
        size_t at = next_random(run) % b->len, n = next_random(run) % 40 + 1,
               from = next_random(run) % b->len;
        n = n < b->len - at ? n : b->len - at;
        switch (next_random(run) % 5) {
        case 0: /* removes a piece */
            memmove(b->data + at, b->data + at + n, b->len - at - n);
            b->len -= n;
            break;
        case 1: /* inserts a piece */
            lvl_buffer_fill(b, 0, n);
            memmove(b->data + at + n, b->data + at, b->len - n - at);
            for (size_t i = 0; i < n; i++)
                b->data[at + i] = (uint8_t)next_random(run);
            break;
        case 2: /* copies a piece */
            n = n < b->len - from ? n : b->len - from;
            memmove(b->data + at, b->data + from, n);
            break;
        case 3: memset(b->data + at, next_random(run) % 2 ? 0xff : 0, n); break;
        default: b->data[at] = (uint8_t)next_random(run);
        }
    }
}

static bool havoc(struct run *run, bool inner)
{
    unsigned count = FLIPS / 2 / (run->h->full ? 1 : BRIEF * run->thin);

    stage(run, inner ? "inner havoc" : "havoc");
    for (unsigned i = 0; i < count; i++) {
        fresh(run, inner);
        wreak(run);
        run->report->havoc++;
        if (!try_bytes(run, (lvl_bytes){run->scratch.data, run->scratch.len}, inner, is_thorough(run, i, 8)))
            return false;
    }
    return true;
}

/* ---- allocation failures ------------------------------------------------------------------------------ */

static bool starve_at(struct run *run, uint64_t call, bool on)
{
    struct lvl_trial trial = {
        .format = run->h->format, .input = run->h->sample, .thorough = true, .reference = &run->reference};

    current.number = call * 2 + on;
    run->report->memory_failed++;
#ifndef _WIN32
    alarm(SECONDS);
#endif
    lvl_starve_from(call, on);
    bool good = lvl_trial_run(&trial);
    lvl_starve_from(0, false);
    if (good && lvl_starve_blocks() != run->blocks) {
        trial.complaint = "leaks when memory runs out";
        good = false;
    }
    if (!good) {
        lvl_hostile_say_current();
        fprintf(stderr, "hostile: %s (malloc call %llu fails%s)\n", trial.complaint, (unsigned long long)call,
                on ? ", and all after it" : "");
        run->report->failures++;
        run->blocks = lvl_starve_blocks();
    }
    return run->report->failures < MAX_FAILURES;
}

static bool starve(struct run *run)
{
    uint64_t most = run->h->full ? 4000 : 250 / run->thin;
    struct lvl_trial trial = {
        .format = run->h->format, .input = run->h->sample, .thorough = true, .reference = &run->reference};

    stage(run, "starved");
    run->blocks = lvl_starve_blocks();
    lvl_starve_from(0, false);
    if (!lvl_trial_run(&trial)) {
        fprintf(stderr, "hostile: %s: the sample itself: %s\n", run->h->name, trial.complaint);
        run->report->failures++;
        return false;
    }
    uint64_t calls = lvl_starve_calls();
    for (uint64_t i = 0; i < (calls < most ? calls : most); i++) {
        uint64_t call = calls <= most ? i + 1 : i * calls / most + 1;
        if (!starve_at(run, call, false) || (i % 4 == 0 && !starve_at(run, call, true)))
            return false;
    }
    return true;
}

/* ---- everything -------------------------------------------------------------------------------------- */

bool lvl_hostile_run(const lvl_hostile *hostile, lvl_hostile_report *report)
{
    struct run run;
    const double start = lvl_cpu_seconds();

    memset(&run, 0, sizeof run);
    memset(report, 0, sizeof *report);
    run.h = hostile;
    run.report = report;
    current.name = hostile->name;
#ifndef _WIN32
    signal(SIGALRM, on_alarm);
#endif
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_set_death_callback(lvl_hostile_say_current);
#endif
    if (hostile->hook)
        run.has_inner = hostile->hook->unwrap(hostile->sample, &run.inner);
    run.thin = !hostile->full && hostile->sample.len + run.inner.len > (size_t)4 * SMALL ? 30 : 1;
    stage(&run, "sample");
    if (!lvl_trial_reference_make(&run.reference, hostile->format, hostile->sample)) {
        fprintf(stderr, "hostile: %s: the sample isn't sound or isn't written back bit for bit\n",
                hostile->name);
        report->failures++;
    } else {
        (void)(starve(&run) && cut(&run, false) && flip(&run, false) && numbers(&run) && havoc(&run, false) &&
               (!run.has_inner || (cut(&run, true) && flip(&run, true) && havoc(&run, true))));
    }
#ifndef _WIN32
    alarm(0);
#endif
    report->seconds = lvl_cpu_seconds() - start;
    lvl_trial_reference_free(&run.reference);
    lvl_buffer_free(&run.inner);
    lvl_buffer_free(&run.scratch);
    lvl_buffer_free(&run.wrapped);
    return report->failures == 0;
}

void lvl_hostile_print(const lvl_hostile *hostile, const lvl_hostile_report *r)
{
    printf("hostile %s (%zu bytes): %llu inputs (%llu cuts, %llu flips, %llu numbers, %llu havoc, %llu "
           "starved; %llu inside, %llu through everything); "
           "%llu read, %llu of them exact; at most %llu KiB, %u ms; %.1f s; %u failures\n",
           hostile->name, hostile->sample.len,
           (unsigned long long)r->cuts + r->flips + r->numbers + r->havoc + r->memory_failed,
           (unsigned long long)r->cuts, (unsigned long long)r->flips, (unsigned long long)r->numbers,
           (unsigned long long)r->havoc, (unsigned long long)r->memory_failed, (unsigned long long)r->inner,
           (unsigned long long)r->thorough, (unsigned long long)r->read, (unsigned long long)r->exact,
           (unsigned long long)(r->peak / 1024), r->slowest_ms, r->seconds, r->failures);
    fflush(stdout);
}

bool lvl_hostile_stands(const lvl_hostile *hostile, unsigned exact)
{
    lvl_hostile h = *hostile;
    lvl_hostile_report r;

    if (!h.format) {
        fprintf(stderr, "hostile: %s is of no format\n", h.name);
        return false;
    }
    h.full = lvl_hostile_wants_full();
    bool good = lvl_hostile_run(&h, &r);
    lvl_hostile_print(&h, &r);
    if (!r.read || r.exact * 1000 < r.read * exact) {
        fprintf(stderr, "hostile: %s: too few could be read, or were written back bit for bit\n", h.name);
        good = false;
    }
    if (r.memory_failed <= 5 && lvl_starve_works()) {
        fprintf(stderr, "hostile: %s never ran out of memory\n", h.name);
        good = false;
    }
    return good;
}

void lvl_hostile_leave(const char *name, lvl_bytes seed)
{
    const char *dir = getenv("LVL_SEEDS_OUT");
    char path[600];

    if (!dir || !*dir)
        return;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "wb");
    if (f) {
        fwrite(seed.ptr, 1, seed.len, f);
        fclose(f);
    }
}
