/*
 * graal/gani_read_movie.c: reads what stands between MOVIE and MOVIEEND: actors, each with keyframes.
 */
#include "graal/gani_reader.h"

struct actor {
    lvl_gani_actor *a; /* NULL before the first one */
    bool open;         /* more keyframes may follow */
    const char *end;   /* where it ends: behind MOVIE, or its last line so far */
    const char *after; /* behind its last keyframe, or its own line */
};

static lvl_where actor_where(const gani_reader *r)
{
    return gani_where(&lvl_gani_table, offsetof(lvl_gani, actors), r->g->actor_count - 1);
}

static void end_actor(gani_reader *r, struct actor *now)
{
    const char *usual = r->line_end == LVL_GANI_CRLF ? "  ACTOREND\r\n" : "  ACTOREND\n";
    const size_t len = strlen(usual);

    if (!now->a)
        return;
    if (now->end == now->after) {
        const lvl_where where = actor_where(r);
        r->whole = true;
        gani_report(r, LVL_GANI_F_NOT_ENDED, &where, now->end, now->end, "ACTOR without ACTOREND");
        return;
    }
    if ((size_t)(now->end - now->after) != len || memcmp(now->after, usual, len) != 0)
        now->a->after = gani_text(now->after, now->end);
}

static void read_actor(gani_reader *r, struct actor *now, const gani_line *l)
{
    static const uint32_t members[] = {offsetof(lvl_gani_actor, kind), offsetof(lvl_gani_actor, name)};

    end_actor(r, now);
    lvl_gani_actor *a = &r->g->actors[r->g->actor_count++];
    memset(a, 0, sizeof *a);
    const unsigned fit = gani_actor_read(l->at, l->end, a);
    a->before = gani_text(now->end, l->at); /* settled when all gaps are known */
    a->keyframes = r->keyframe;
    if (!(fit & r->style) || !l->own)
        a->line = gani_keep(r, l);
    now->a = a;
    now->open = true;
    now->end = now->after = l->next;
    if (!r->sink && fit & GANI_WELL)
        return;
    const lvl_where where = actor_where(r);
    gani_emit_words(r, &where, &lvl_gani_actor_table, "ACTOR", members, 2, l);
    if (!(fit & GANI_WELL))
        gani_report_odd(r, &where, l);
}

static void emit_keyframe(const gani_reader *r, const lvl_where *where, const lvl_gani_keyframe *k,
                          const char *tick_end, const gani_line *l)
{
    const lvl_field *list = lvl_table_at(&lvl_gani_keyframe_table, offsetof(lvl_gani_keyframe, values));
    const char *from = tick_end;

    gani_emit_kept(r, where, &lvl_gani_keyframe_table, offsetof(lvl_gani_keyframe, before),
                   l->at - k->before.len, l->at);
    gani_emit(r, LVL_SPAN_FIELD, where,
              lvl_table_at(&lvl_gani_keyframe_table, offsetof(lvl_gani_keyframe, tick)), l->at, tick_end,
              NULL);
    for (uint32_t i = 0; i < k->value_count; i++) {
        const lvl_gani_value *v = &k->values[i];
        const lvl_where at = lvl_where_to(*where, list, i);
        const char *to = i + 1 < k->value_count ? v->value.ptr + v->value.len : l->next;
        gani_emit(r, LVL_SPAN_FIELD, &at, NULL, from, to, NULL);
        from = to;
    }
    gani_emit(r, LVL_SPAN_SPELLING, where, NULL, from, l->next, "end of line");
}

static void read_keyframe(gani_reader *r, struct actor *now, const gani_line *l)
{
    lvl_gani_keyframe *k = r->keyframe++;
    gani_cursor c = gani_cursor_of(l->at, l->end);

    memset(k, 0, sizeof *k);
    k->tick = gani_tick_read(&c);
    const char *tick_end = c.p;
    k->values = r->value;
    while (gani_value_read(&c, r->value))
        r->value++;
    k->value_count = (uint32_t)(r->value - k->values);
    k->before = gani_text(now->end, l->at);
    if (!(c.fit & r->style) || !l->own)
        k->line = gani_keep(r, l);
    now->a->keyframe_count++;
    now->end = now->after = l->next;
    if (!r->sink && c.fit & GANI_WELL)
        return;
    const lvl_where where =
        lvl_where_to(actor_where(r), lvl_table_at(&lvl_gani_actor_table, offsetof(lvl_gani_actor, keyframes)),
                     now->a->keyframe_count - 1);
    emit_keyframe(r, &where, k, tick_end, l);
    if (!(c.fit & GANI_WELL))
        gani_report_odd(r, &where, l);
}

static void place_gaps(gani_reader *r, const char *from, const char *to)
{
    const char *eol = r->line_end == LVL_GANI_CRLF ? "\r\n" : "\n";
    const size_t len = strlen(eol);
    lvl_gani *g = r->g;
    bool nowhere = false;

    for (uint32_t i = 1; i < g->actor_count && !nowhere; i++)
        nowhere = g->actors[i].before.len == 0;
    if (nowhere)
        g->gaps = LVL_GANI_NOWHERE;
    else if (g->actor_count && (size_t)(to - from) > len && memcmp(from, eol, len) == 0)
        g->gaps = LVL_GANI_AFTER;
    for (uint32_t i = 0; i < g->actor_count; i++) {
        lvl_gani_actor *a = &g->actors[i];
        const bool usual = i && !nowhere && a->before.len == len && memcmp(a->before.ptr, eol, len) == 0;
        if (r->sink) {
            const lvl_where where = gani_where(&lvl_gani_table, offsetof(lvl_gani, actors), i);
            const char *end = a->before.ptr + a->before.len;
            if (usual)
                gani_emit(r, LVL_SPAN_SPELLING, NULL, NULL, a->before.ptr, end, "blank line");
            else
                gani_emit_kept(r, &where, &lvl_gani_actor_table, offsetof(lvl_gani_actor, before),
                               a->before.ptr, end);
        }
        if (usual)
            a->before = gani_text(NULL, NULL);
    }
}

void gani_read_movie(gani_reader *r)
{
    struct actor now = {.end = r->at, .after = r->at};
    bool ended = false;

    while (r->at < r->limit && !ended) {
        const gani_line l = gani_next(r);
        const gani_movie_line kind = gani_movie_line_kind(l.at, l.end);
        r->at = l.next;
        switch (kind) {
        case GANI_M_ACTOR: read_actor(r, &now, &l); break;
        case GANI_M_FRAME:
            if (now.open)
                read_keyframe(r, &now, &l);
            else
                gani_report_odd(r, NULL, &l);
            break;
        case GANI_M_ACTOREND:
            if (now.open) {
                const lvl_where where = actor_where(r);
                gani_emit(r, LVL_SPAN_FIELD, &where, NULL, now.end, l.next, "ACTOREND");
                now.end = l.next;
            }
            now.open = false;
            break;
        case GANI_M_END: ended = true; break;
        case GANI_M_STRAY: gani_report_odd(r, NULL, &l); break;
        case GANI_M_BLANK: break;
        }
    }
    end_actor(r, &now);
    place_gaps(r, now.end, r->at);
    if (ended) {
        gani_read_after(r, now.end, "MOVIEEND");
        return;
    }
    gani_runs_add(&r->runs, GANI_K_OPEN);
    r->g->after = gani_text(now.end, r->limit);
    gani_emit_kept(r, NULL, &lvl_gani_table, offsetof(lvl_gani, after), now.end, r->limit);
    gani_report(r, LVL_GANI_F_NOT_ENDED, NULL, r->limit, r->limit, "MOVIE without MOVIEEND");
}
