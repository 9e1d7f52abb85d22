/*
 * support/expect.c
 */
#include "base/format.h"
#include "expect.h"

#include "corpus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

void lvl_expect_text(const void *text, const char *part, bool wanted, const char *file, int line)
{
    if ((strstr(text, part) != NULL) == wanted)
        return;
    print_error("%s in:\n%s|\n%s: %s|\n", wanted ? "not" : "found", (const char *)text,
                wanted ? "expected" : "not expected", part);
    _fail(file, line);
}

size_t lvl_count_id(const lvl_findings *findings, const char *id)
{
    size_t n = 0;

    for (size_t i = 0; i < lvl_findings_count(findings); i++)
        n += strcmp(lvl_findings_at(findings, i)->def->id, id) == 0;
    return n;
}

void lvl_expect_written(const lvl_doc *doc, lvl_bytes want)
{
    lvl_buffer out = {0};

    assert_int_equal(lvl_doc_write(doc, &out), LVL_OK);
    if (want.len && !memchr(want.ptr, 0, want.len) &&
        (out.len != want.len || memcmp(out.data, want.ptr, want.len) != 0))
        print_message("wrote:\n%.*s|\nexpected:\n%.*s|\n", (int)out.len, (const char *)out.data,
                      (int)want.len, (const char *)want.ptr);
    assert_int_equal(out.len, want.len);
    if (want.len)
        assert_memory_equal(out.data, want.ptr, want.len);
    lvl_buffer_free(&out);
}

void lvl_expect_probed(const lvl_format *format, const lvl_probe_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const lvl_bytes bytes = lvl_bytes_of(cases[i].text);
        const lvl_format *f = lvl_probe(bytes, bytes, bytes.len, cases[i].name, NULL);
        if ((f == format) != cases[i].ours)
            print_message("%s: %s", cases[i].name ? cases[i].name : "", cases[i].text);
        assert_true((f == format) == cases[i].ours);
    }
}

lvl_measure lvl_expect_corpus_exact(const char *folder, const char *extension)
{
    const char *dir = lvl_corpus_dir();
    char path[1024];
    lvl_measure m = {0};

    if (!dir)
        skip();
    snprintf(path, sizeof path, "%s/%s", dir, folder);
    assert_true(lvl_measure_folder(&m, NULL, path, extension));
    print_message("%zu %s: %zu exact, %llu bytes kept, %llu bits residue, %llu overlap, %zu with errors\n",
                  m.files, extension, m.exact, (unsigned long long)m.kept, (unsigned long long)m.residue_bits,
                  (unsigned long long)m.overlap_bits, m.errors);
    assert_int_equal(m.exact, m.files);
    assert_int_equal(m.residue_bits, 0);
    assert_int_equal(m.overlap_bits, 0);
    return m;
}
