/*
 * cli/jobs/arts.c: search paths for art, shared by jobs.
 */
#include "cli/cli.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Each search path is used by one thread at a time; jobs take one and give it back, so there are at most as
 * many as threads. */
enum { ARTS = 520 }; /* a job takes at most two, and there are at most 256 threads */

struct cli_arts {
    struct art_slot {
        atomic_flag busy;
        lvl_art *art;
        char *archive; /* the archive of its levels, which is searched as well; or NULL */
    } slots[ARTS];
};

static lvl_status art_make(const cli *c, const char *archive, lvl_art **out, const char **which)
{
    lvl_status status = LVL_OK;

    *which = NULL;
    *out = lvl_art_new(&c->ctx);
    if (!*out)
        return LVL_ERR_MEMORY;
    for (size_t i = 0; i < c->opt->art.count && status == LVL_OK; i++) {
        *which = c->opt->art.items[i];
        status = lvl_art_add(*out, *which);
    }
    /* nested archives cannot be searched; missing items of a list are ignored */
    if (status == LVL_OK && archive && lvl_art_add_home(*out, archive) == LVL_ERR_MEMORY)
        status = LVL_ERR_MEMORY;
    if (status == LVL_OK && getenv("LVL_ART") && lvl_art_add_list(*out, getenv("LVL_ART")) == LVL_ERR_MEMORY)
        status = LVL_ERR_MEMORY;
    if (status != LVL_OK) {
        lvl_art_free(*out);
        *out = NULL;
    }
    return status;
}

bool cli_art_given(const cli *c)
{
    const char *list = getenv("LVL_ART");

    return c->opt->art.count || (list && *list);
}

int cli_art_try(cli *c)
{
    const char *which;
    lvl_art *art;

    if (!c->arts)
        c->arts = calloc(1, sizeof *c->arts);
    lvl_status status = c->arts ? art_make(c, NULL, &art, &which) : LVL_ERR_MEMORY;
    if (status == LVL_OK) {
        c->arts->slots[0].art = art;
        return EXIT_FINE;
    }
    if (c->arts && which)
        cli_report(c, "--art %s: %s", which, lvl_status_text(status));
    else
        cli_report(c, "%s", lvl_status_text(status));
    return EXIT_ENVIRONMENT;
}

lvl_art *cli_art_take(cli_job *job)
{
    const char *archive = job->input->archive ? job->input->path : NULL, *which;
    struct art_slot *slot = job->c->arts->slots;

    while (atomic_flag_test_and_set(&slot->busy)) {
        if (++slot == job->c->arts->slots + ARTS)
            slot = job->c->arts->slots; /* a slot is always free, see ARTS */
    }
    bool fits = slot->art && lvl_art_status(slot->art) == LVL_OK &&
                (archive ? slot->archive && strcmp(slot->archive, archive) == 0 : !slot->archive);
    if (!fits) {
        lvl_art_free(slot->art);
        free(slot->archive);
        slot->archive = archive ? cli_copy(archive) : NULL;
        (void)art_make(job->c, archive, &slot->art, &which);
    }
    if (slot->art && lvl_art_level(slot->art, job->input->path) == LVL_ERR_MEMORY) {
        lvl_art_free(slot->art);
        slot->art = NULL;
    }
    if (!slot->art) {
        atomic_flag_clear(&slot->busy);
        cli_job_status(job, LVL_ERR_MEMORY, NULL, NULL);
        return NULL;
    }
    return slot->art;
}

bool cli_art_take_if(cli_job *job, bool wanted, lvl_art **art)
{
    wanted = wanted && lvl_format_can(job->format) & LVL_CAN_RENDER;
    *art = wanted ? cli_art_take(job) : NULL;
    return !wanted || *art;
}

void cli_art_give(cli_job *job, lvl_art *art)
{
    for (size_t i = 0; art && i < ARTS; i++) {
        if (job->c->arts->slots[i].art == art) {
            atomic_flag_clear(&job->c->arts->slots[i].busy);
            return;
        }
    }
}

void cli_arts_free(cli *c)
{
    for (size_t i = 0; c->arts && i < ARTS; i++) {
        lvl_art_free(c->arts->slots[i].art);
        free(c->arts->slots[i].archive);
    }
    free(c->arts);
    c->arts = NULL;
}
