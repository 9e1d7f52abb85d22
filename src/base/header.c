/*
 * base/header.c: compares the first bytes of files with signatures, and corrects them.
 */
#include "base/header.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { RIGHT = 6 /* bytes: with fewer, many files differ in one or two */ };

static uint32_t count_bits(unsigned byte)
{
    uint32_t n = 0;

    for (; byte; byte &= byte - 1)
        n++;
    return n;
}

/* False: too many bytes differ, or too few are equal. */
static bool compare(const lvl_signature *s, lvl_bytes bytes, lvl_header_match *out)
{
    uint32_t all = 0;

    memset(out, 0, sizeof *out);
    out->signature = s;
    for (size_t i = 0; i < LVL_SIGNATURE_PARTS && s->parts[i].len; i++) {
        const lvl_signature_part *part = &s->parts[i];
        if (part->at > bytes.len || part->len > bytes.len - part->at)
            return false;
        all += part->len;
        for (uint32_t k = 0; k < part->len; k++) {
            const uint8_t expected = (uint8_t)part->bytes[k], found = bytes.ptr[part->at + k];
            if (found == expected)
                continue;
            if (out->header.count == LVL_HEADER_WRONG)
                return false;
            out->header.wrong[out->header.count++] = (lvl_header_byte){part->at + k, expected, found};
            out->bits += count_bits((unsigned)(expected ^ found));
        }
    }
    return all - out->header.count >= RIGHT;
}

size_t lvl_header_near(const lvl_format *format, lvl_bytes bytes, lvl_header_match *out, size_t cap)
{
    unsigned least = LVL_HEADER_WRONG;
    size_t count = 0;

    for (const lvl_signature *s = format->signatures; s && s->parts[0].len; s++) {
        lvl_header_match match;
        if (s->line || !compare(s, bytes, &match) || match.header.count > least)
            continue;
        if (!match.header.count)
            return 0;
        if (match.header.count < least)
            count = 0;
        least = match.header.count;
        if (count < cap)
            out[count++] = match;
    }
    return count;
}

/* Whether the bytes are the signature of an unsupported version: a prefix from `later`, then a number,
 * perhaps with dots, up to the length of the signature. */
static bool is_later(const lvl_format *format, lvl_bytes bytes)
{
    const char *all = format->later ? format->later : "";
    const size_t end = format->signatures->parts[0].len;
    lvl_text prefix;

    while (lvl_text_next_item(&all, ' ', &prefix)) {
        size_t at = prefix.len;
        if (bytes.len < end || prefix.len >= end || memcmp(bytes.ptr, prefix.ptr, prefix.len) != 0)
            continue;
        while (at < end && (lvl_is_digit((char)bytes.ptr[at]) ||
                            (bytes.ptr[at] == '.' && at > prefix.len && at + 1 < end)))
            at++;
        if (at == end)
            return true;
    }
    return false;
}

bool lvl_header_probe(const lvl_format *format, const lvl_probe_input *in)
{
    enum { MATCHES = 16 };
    lvl_header_match match[MATCHES];
    uint8_t head[LVL_HEADER_SIZE];

    lvl_probe_input corrected = *in;
    if (corrected.head.len > sizeof head)
        corrected.head.len = sizeof head;
    const size_t count = lvl_header_near(format, corrected.head, match, MATCHES);
    if (!count || is_later(format, in->head))
        return false;
    memcpy(head, in->head.ptr, corrected.head.len);
    corrected.head.ptr = head;
    for (size_t i = 0; i < count; i++) {
        lvl_header_correct(&match[i].header, head);
        if (format->calls->probe(&corrected))
            return true;
        lvl_header_restore(&match[i].header, head, corrected.head.len);
    }
    return false;
}

void lvl_header_correct(const lvl_header *header, uint8_t *bytes)
{
    for (unsigned i = 0; i < header->count; i++)
        bytes[header->wrong[i].at] = header->wrong[i].expected;
}

void lvl_header_restore(const lvl_header *header, uint8_t *bytes, size_t len)
{
    for (unsigned i = 0; i < header->count; i++) {
        const lvl_header_byte *wrong = &header->wrong[i];
        if (wrong->at < len && bytes[wrong->at] == wrong->expected)
            bytes[wrong->at] = wrong->found;
    }
}

/* The part that has all wrong bytes, if it is readable text; else NULL. */
static const lvl_signature_part *find_text(const lvl_header_match *match)
{
    const lvl_header *header = &match->header;
    const uint32_t first = header->wrong[0].at, last = header->wrong[header->count - 1].at;

    for (const lvl_signature_part *p = match->signature->parts;
         p < match->signature->parts + LVL_SIGNATURE_PARTS && p->len; p++) {
        uint32_t printable = 0;
        for (uint32_t i = 0; i < p->len; i++)
            printable += p->bytes[i] > ' ' && p->bytes[i] < 0x7F;
        if (first >= p->at && last < p->at + p->len)
            return printable == p->len && p->len >= RIGHT ? p : NULL;
    }
    return NULL;
}

const char *lvl_header_text(const lvl_header_match *match, char *buf, size_t size)
{
    enum { SHOWN = 40 };
    const lvl_header *header = &match->header;
    const lvl_signature_part *part = find_text(match);
    char found[SHOWN], shown[4 * SHOWN];
    size_t len = 0;

    *buf = 0;
    if (part && part->len <= SHOWN) {
        memcpy(found, part->bytes, part->len);
        for (unsigned i = 0; i < header->count; i++)
            found[header->wrong[i].at - part->at] = (char)header->wrong[i].found;
        lvl_text_show(shown, sizeof shown, LVL_CP_1252, (lvl_text){found, part->len});
        snprintf(buf, size, "expected %.*s, found %s", (int)part->len, part->bytes, shown);
        return buf;
    }
    for (unsigned i = 0; i < header->count && len < size; i++) {
        const lvl_header_byte *wrong = &header->wrong[i];
        const int n = snprintf(buf + len, size - len, "%sexpected 0x%02x at byte %lu, found 0x%02x",
                               i ? ", " : "", wrong->expected, (unsigned long)wrong->at, wrong->found);
        len += n > 0 ? (size_t)n : 0;
    }
    return buf;
}
