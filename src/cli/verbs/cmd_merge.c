/*
 * cli/verbs/cmd_merge.c: `lvl merge`: applies the changes of one side since a common version to the other
 * side.
 */
#include "base/work.h"
#include "cli/compare/conflicts.h"
#include "cli/compare/git.h"

#include "base/text.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* The inputs besides OURS, which is the job's. Of folders, the jobs are the files of OURS, followed by those
 * that only THEIRS has. */
typedef struct sides {
    cli_inputs base, theirs;
    const cli_input **base_of, **theirs_of; /* of folders, for each job: its file there; NULL: none */
    size_t only_theirs; /* index of the first job that OURS has no file for */
    cli_choices choices;
} sides;

/* Whether no merged file is written, but the page of the conflicts, or their list. */
static bool shows_only(const cli *c)
{
    return c->opt->html ? c->opt->list || (!c->opt->output && !c->opt->in_place)
                        : c->opt->list && !c->opt->choices;
}

static void deliver(cli_job *job, lvl_bytes bytes)
{
    const cli_options *opt = job->c->opt;

    job->idle = !job->code && cli_same_bytes(bytes, job->bytes);
    if (job->idle && !job->c->inputs.batch && !opt->quiet && !opt->json)
        lvl_buffer_printf(&job->err, "%s: unchanged: it already has all changes of THEIRS\n",
                          job->input->shown);
    const bool stays = job->idle && cli_changes_inputs(job->c) && !job->damaged;
    if (job->target && !stays)
        cli_deliver(job, bytes, &cli_edit_output);
}

static void report(cli_job *job, const char *kept, uint64_t conflicts, const lvl_buffer *items)
{
    const cli_options *opt = job->c->opt;

    if (opt->json) {
        cli_conflicts_json(job, conflicts, items, &job->out);
        lvl_buffer_u8(&job->out, '\n');
    } else {
        cli_job_findings(job, job->findings, LVL_WARNING);
        if (conflicts)
            lvl_buffer_printf(&job->err, "%s: %llu conflict%s; the result has %s there", job->input->shown,
                              (unsigned long long)conflicts, conflicts == 1 ? "" : "s", kept);
        if (conflicts && opt->list) {
            /* with its name: without one, git finds only files with conflict markers if rerere is on */
            lvl_buffer_str(&job->err, "; `git add' ends it; to choose for each: git mergetool -t lvl");
            (void)cli_quote(&job->err, job->input->shown);
        }
        lvl_buffer_str(&job->err, conflicts ? "\n" : "");
    }
    if (conflicts)
        job->code = cli_max_exit_code(job->code, EXIT_NEGATIVE);
}

/* ---- choices ----------------------------------------------------------------------------------------- */

/* Asks which side wins; false: the user ended it. The job runs alone, on the main thread. */
static bool ask(cli_job *job, const lvl_buffer *question, bool has_base, lvl_merge_side *side)
{
    static const lvl_merge_side by_number[] = {LVL_MERGE_OURS, LVL_MERGE_THEIRS, LVL_MERGE_BASE};
    char line[64];

    cli_err(job->c, question->data, question->len);
    for (;;) {
        const char *const prompt =
            has_base ? "  1 ours, 2 theirs, 3 base, q stop: " : "  1 ours, 2 theirs, q stop: ";
        cli_err(job->c, prompt, strlen(prompt));
        if (!fgets(line, sizeof line, stdin) || *line == 'q')
            return false;
        const int number = *line - '1';
        if (number >= 0 && number < 2 + has_base && (line[1] == '\n' || line[1] == '\r' || !line[1])) {
            *side = by_number[number];
            return true;
        }
    }
}

static lvl_status read_again(cli_job *job)
{
    lvl_doc_free(job->doc);
    job->doc = NULL;
    lvl_findings_clear(job->findings);
    return lvl_read(&job->doc, &job->ctx, job->format, job->bytes, lvl_file_name(job->input->name),
                    LVL_READ_BORROW, NULL);
}

/* Merges again with the user's choice for each conflict; a choice may cause new ones. False: the user ended
 * it, or *status is an error. */
static bool choose(cli_job *job, cli_job *base, cli_job *theirs, lvl_merge_options options,
                   uint64_t *conflicts, lvl_status *status)
{
    lvl_merge_side *choices = NULL;
    size_t chosen = 0;
    bool going = true;

    while (*status == LVL_OK && going && chosen < *conflicts) {
        lvl_merge_side *more = realloc(choices, (size_t)*conflicts * sizeof *choices);
        if (!more) {
            *status = LVL_ERR_MEMORY;
            break;
        }
        choices = more;
        for (; chosen < *conflicts && going; chosen += going) {
            lvl_buffer question = {0};
            lvl_buffer_printf(&question, "%s: ", job->input->shown);
            cli_conflict_text(job, chosen, *conflicts, &question);
            lvl_buffer_u8(&question, '\n');
            going = ask(job, &question, true, &choices[chosen]);
            lvl_buffer_free(&question);
        }
        options.choices = choices;
        options.choice_count = chosen;
        if (going)
            *status = read_again(job);
        if (going && *status == LVL_OK)
            *status = lvl_merge(job->doc, base->doc, theirs->doc, &options, conflicts, job->findings);
    }
    free(choices);
    if (!going)
        cli_job_fail(job, EXIT_NEGATIVE, "stopped: nothing was written");
    return going && *status == LVL_OK;
}

/* Both sides added the file: one of them is taken as a whole. */
static void choose_file(cli_job *job, const cli_job *theirs)
{
    static const char hint[] = "both sides added this file, so there is no common version to compare with";
    lvl_buffer question = {0};
    lvl_merge_side side;

    if (!job->c->opt->choose) {
        cli_job_fail(job, EXIT_NEGATIVE, "%s; the result is ours", hint);
        deliver(job, job->bytes);
        return;
    }
    lvl_buffer_printf(&question, "%s: %s\n", job->input->shown, hint);
    if (!ask(job, &question, false, &side))
        cli_job_fail(job, EXIT_NEGATIVE, "stopped: nothing was written");
    else
        deliver(job, side == LVL_MERGE_THEIRS ? theirs->bytes : job->bytes);
    lvl_buffer_free(&question);
}

/* ---- the merge --------------------------------------------------------------------------------------- */

/* Whether there is a choice for each conflict; else reports that. On the page, what has none is OURS. */
static bool are_chosen(cli_job *job, const cli_job *base, const cli_job *theirs, uint64_t conflicts,
                       const cli_choices *choices)
{
    char hash[9];

    cli_conflicts_hash(job, base, theirs, hash);
    if (choices->hash && strcmp(choices->hash, hash) != 0) {
        cli_job_fail(
            job, EXIT_NEGATIVE,
            "not merged: the choices are for other versions of the three files; make the page again");
    } else if (choices->count > conflicts) {
        cli_job_fail(job, EXIT_NEGATIVE, "not merged: got %zu choices, but there %s %llu conflict%s",
                     choices->count, conflicts == 1 ? "is" : "are", (unsigned long long)conflicts,
                     conflicts == 1 ? "" : "s");
    } else if (choices->count < conflicts && !job->c->opt->html) {
        lvl_buffer text = {0};
        cli_conflict_text(job, choices->count, conflicts, &text);
        lvl_buffer_u8(&text, 0);
        cli_job_fail(job, EXIT_NEGATIVE, "not merged: no choice for %s",
                     text.status == LVL_OK ? (const char *)text.data : "a conflict");
        lvl_buffer_free(&text);
    } else {
        return true;
    }
    return false;
}

static void merge_documents(cli_job *job, cli_job *base, cli_job *theirs)
{
    const cli_options *opt = job->c->opt;
    const cli_choices *choices = &((const sides *)job->c->user)->choices;
    lvl_buffer items = {0};
    const lvl_merge_options options = {.choices = choices->sides,
                                       .report = opt->json || opt->html ? cli_conflict_note : NULL,
                                       .user = &items,
                                       .choice_count = choices->count,
                                       .prefer = opt->theirs ? LVL_MERGE_THEIRS
                                                 : opt->base ? LVL_MERGE_BASE
                                                             : LVL_MERGE_OURS,
                                       .markers = opt->markers};
    static const char *const names[] = {
        [LVL_MERGE_OURS] = "ours", [LVL_MERGE_THEIRS] = "theirs", [LVL_MERGE_BASE] = "the base"};
    const bool ours_cut = lvl_doc_cuts(job->doc) > lvl_doc_cuts(base->doc);
    const bool theirs_cut = lvl_doc_cuts(theirs->doc) > lvl_doc_cuts(base->doc);
    const char *kept = theirs_cut ? "ours" : ours_cut ? "theirs" : names[options.prefer];
    lvl_buffer bytes = {0};
    uint64_t conflicts = 0;

    lvl_findings_clear(job->findings);
    lvl_status status = lvl_merge(job->doc, base->doc, theirs->doc, &options, &conflicts, job->findings);
    if (status == LVL_OK && choices->sides && !are_chosen(job, base, theirs, conflicts, choices))
        goto out;
    const bool by_page = choices->sides && !opt->html;
    const bool asked = status == LVL_OK && conflicts && (opt->choose || by_page);
    if (asked && !by_page && !choose(job, base, theirs, options, &conflicts, &status) && status == LVL_OK)
        goto out;
    if (asked) /* they were printed as questions */
        lvl_findings_clear(job->findings);
    if (status == LVL_OK)
        status = lvl_write(job->doc, &bytes, job->findings);
    if (status == LVL_ERR_ARG) {
        cli_job_fail(job, EXIT_NEGATIVE, "the three files are of different formats: %s, %s, %s",
                     base->format->title, job->format->title, theirs->format->title);
    } else if (status != LVL_OK) {
        cli_job_status(job, status, job->findings, NULL);
    } else {
        if (asked) /* what was chosen is not a conflict any more */
            items.len = 0;
        report(job, kept, asked ? 0 : conflicts, &items);
        if (conflicts && opt->image && !asked)
            cli_conflicts_image(job, base, theirs);
        if (conflicts && opt->html)
            cli_conflicts_page(job, base, theirs, conflicts, choices, &items);
        /* if the picture cannot be written, the merged file is not written either */
        if (job->code != EXIT_ENVIRONMENT)
            deliver(job, lvl_buffer_bytes(&bytes));
    }
out:
    lvl_buffer_free(&bytes);
    lvl_buffer_free(&items);
}

/* Merges files that all three sides have. */
static void merge_files(cli_job *job, const cli_input *base_input, const cli_input *theirs_input)
{
    cli_job base = {0}, theirs = {0};

    cli_job_begin_beside(&base, job, base_input);
    cli_job_begin_beside(&theirs, job, theirs_input);
    bool good = cli_job_read(job, LVL_CAN_WRITE);
    const bool added = good && cli_job_bytes(&base) && !base.bytes.len; /* git gives an empty BASE */
    good = (added || cli_job_read(&base, 0)) && good;
    good = cli_job_read(&theirs, 0) && good;
    if (added) {
        if (good && cli_same_bytes(job->bytes, theirs.bytes))
            deliver(job, job->bytes);
        else if (good)
            choose_file(job, &theirs);
        cli_job_join(job, &base);
        cli_job_join(job, &theirs);
        return;
    }
    const bool alike = good && base.format->table == job->format->table &&
                       theirs.format->table == job->format->table && /* else merge reports it */
                       lvl_doc_cuts(theirs.doc) <= lvl_doc_cuts(base.doc) &&
                       lvl_doc_cuts(job->doc) <= lvl_doc_cuts(base.doc);
    /* if only one side changed, the result is that side, byte for byte */
    if (alike && (cli_same_bytes(base.bytes, theirs.bytes) || cli_same_bytes(job->bytes, theirs.bytes)))
        deliver(job, job->bytes);
    else if (alike && cli_same_bytes(base.bytes, job->bytes))
        deliver(job, theirs.bytes);
    else if (good)
        merge_documents(job, &base, &theirs);
    cli_job_join(job, &base);
    cli_job_join(job, &theirs);
}

/* ---- folders ----------------------------------------------------------------------------------------- */

/* Whether it is a file that can be merged by its contents. The bytes are loaded. What fails is the job's. */
static bool is_level(cli_job *job)
{
    const lvl_bytes all = job->bytes;
    const size_t end = all.len < LVL_FILE_END ? all.len : LVL_FILE_END;
    const lvl_bytes head = {all.ptr, end}, tail = {all.ptr ? all.ptr + all.len - end : NULL, end};
    const lvl_format *format = lvl_probe(head, tail, all.len, lvl_file_name(job->input->name), NULL);

    if (!format)
        cli_job_status(job, cli_format_of_place(job->input, head, &format), NULL, NULL);
    return format && lvl_format_can(format) & LVL_CAN_WRITE;
}

/* Merges a file of a folder. `base`, `theirs` NULL, `ours` false: that side has no such file; OURS or THEIRS
 * has. A file of another format is merged as a whole. */
static void merge_in_folder(cli_job *job, bool ours, const cli_input *base_input,
                            const cli_input *theirs_input)
{
    const cli_options *opt = job->c->opt;
    cli_job base = {0}, theirs = {0};
    const char *clash = NULL;

    cli_job_begin_beside(&base, job, base_input ? base_input : job->input);
    cli_job_begin_beside(&theirs, job, theirs_input ? theirs_input : job->input);
    bool good = cli_job_bytes(job);
    good = cli_job_bytes(&base) && good;
    good = cli_job_bytes(&theirs) && good;
    const bool levels[] = {good && is_level(job), good && is_level(&base), good && is_level(&theirs)};
    const bool ours_changed = !cli_same_bytes(base.bytes, job->bytes);
    const bool theirs_changed = !cli_same_bytes(base.bytes, theirs.bytes);
    const bool same = cli_same_bytes(job->bytes, theirs.bytes);
    lvl_bytes result = job->bytes;
    bool keep = true, contents = false;

    if (!good) {
        keep = false;
    } else if (!base_input) { /* if one side added it, `theirs` is `job` */
        clash = same ? NULL : "both sides added it, and there is no common version";
        result = clash && opt->theirs ? theirs.bytes : job->bytes;
    } else if (!ours) { /* `job` is THEIRS */
        keep = ours_changed;
        clash = keep ? "ours removed it, theirs changed it" : NULL;
    } else if (!theirs_input) {
        keep = ours_changed;
        clash = keep ? "ours changed it, theirs removed it" : NULL;
    } else if (levels[0] && levels[1] && levels[2]) {
        contents = true;
    } else if (levels[0] != levels[1] || levels[1] != levels[2]) {
        clash = same ? NULL : "one side is damaged or of another format";
        result = clash && !levels[0] && levels[2] ? theirs.bytes : job->bytes;
    } else if (theirs_changed && ours_changed && !same) {
        clash = "both sides changed it, and it is not a level";
        result = opt->theirs ? theirs.bytes : opt->base ? base.bytes : job->bytes;
    } else if (theirs_changed) {
        result = theirs.bytes;
    }
    if (clash)
        cli_job_fail(job, EXIT_NEGATIVE, "conflict: %s; the result is %s", clash,
                     !ours || result.ptr == theirs.bytes.ptr ? "theirs"
                     : result.ptr == base.bytes.ptr          ? "the base"
                                                             : "ours");
    if (good && !keep && job->c->opt->verbose)
        lvl_buffer_printf(&job->err, "%s: removed\n", job->input->rel);
    if (keep && !contents)
        deliver(job, result);
    cli_job_join(job, &base);
    cli_job_join(job, &theirs);
    if (contents)
        merge_files(job, base_input, theirs_input);
}

static void merge_job(cli_job *job)
{
    const sides *s = job->c->user;
    const size_t index = (size_t)(job->input - job->c->inputs.items);

    if (job->c->inputs.batch)
        merge_in_folder(job, index < s->only_theirs, s->base_of[index], s->theirs_of[index]);
    else
        merge_files(job, &s->base.items[0], &s->theirs.items[0]);
}

static int by_rel(const void *a, const void *b)
{
    const cli_input *const *x = a, *const *y = b;

    return strcmp((*x)->rel, (*y)->rel);
}

static const cli_input *file_called(cli_input *const *sorted, size_t count, const cli_input *like)
{
    cli_input *const *found = count ? bsearch(&like, sorted, count, sizeof *sorted, by_rel) : NULL;

    return found ? *found : NULL;
}

/* An error of any file or folder that could not be read: what is missing would look as if it was removed. */
static int check_readable(cli *c, const cli_inputs *inputs)
{
    int code = EXIT_FINE;

    for (size_t i = 0; i < inputs->count; i++) {
        const cli_input *in = &inputs->items[i];
        if (!in->error_text)
            continue;
        cli_report(c, "%s: %s", in->shown, in->error_text);
        code = cli_max_exit_code(code, in->code);
    }
    return code;
}

/* Pairs the files of three folders by their paths below them. */
static int pair_folders(cli *c, sides *s)
{
    cli_input **ours = cli_inputs_sorted(&c->inputs), **theirs = cli_inputs_sorted(&s->theirs),
              **base = cli_inputs_sorted(&s->base);
    bool *taken = calloc(s->theirs.count + 1, sizeof *taken);
    const size_t most = c->inputs.count + s->theirs.count + 1;
    s->base_of = calloc(most, sizeof *s->base_of);
    s->theirs_of = calloc(most, sizeof *s->theirs_of);
    bool good = ours && theirs && base && taken && s->base_of && s->theirs_of;
    if (good) {
        qsort(ours, c->inputs.count, sizeof *ours, by_rel);
        qsort(theirs, s->theirs.count, sizeof *theirs, by_rel);
        qsort(base, s->base.count, sizeof *base, by_rel);
    }
    for (size_t i = 0; good && i < c->inputs.count; i++) {
        const cli_input *in = &c->inputs.items[i];
        s->base_of[i] = file_called(base, s->base.count, in);
        s->theirs_of[i] = file_called(theirs, s->theirs.count, in);
        if (s->theirs_of[i])
            taken[s->theirs_of[i] - s->theirs.items] = true;
    }
    s->only_theirs = c->inputs.count;
    for (size_t i = 0; good && i < s->theirs.count; i++) {
        if (taken[i])
            continue;
        s->base_of[c->inputs.count] = file_called(base, s->base.count, &s->theirs.items[i]);
        good = cli_input_move(&c->inputs, &s->theirs.items[i]);
    }
    free(ours);
    free(theirs);
    free(base);
    free(taken);
    return good ? EXIT_FINE : cli_no_memory(c);
}

/* `lvl merge BASE OURS THEIRS -o DIR` for folders. */
static int merge_folders(cli *c, sides *s)
{
    static const cli_output merged = {.edits = true, .must = true, .apart = true};
    const cli_batch batch = {.work = merge_job,
                             .user = s,
                             .output = &merged,
                             .done_word = "merged",
                             .idle_word = "unchanged",
                             .failed_word = "with conflicts or errors"};

    if (!s->base.batch || !s->theirs.batch || !c->inputs.batch)
        return cli_usage(c, "expected three files or three folders");
    if (c->opt->choose || c->opt->image || c->opt->labels.count)
        return cli_usage(c, "--choose, --image and --label are for a single file");
    if (c->opt->in_place)
        return cli_usage(c, "three folders require -o DIR");
    for (size_t i = 0; c->opt->output && i < 3; i++) {
        if (lvl_file_same(c->opt->output, c->args.items[i]))
            return cli_usage(c, "-o %s is one of the three folders; name a new one", c->opt->output);
    }
    int code = check_readable(c, &s->base);
    code = cli_max_exit_code(code, check_readable(c, &c->inputs));
    code = cli_max_exit_code(code, check_readable(c, &s->theirs));
    if (!code)
        code = pair_folders(c, s);
    return code ? code : cli_run(c, &batch);
}

/* ---- the verb ---------------------------------------------------------------------------------------- */

/* Gives an input the name that --label gives the file; messages add which side it is. */
static bool name_input(cli_input *in, const char *label, const char *side)
{
    char *name = cli_copy(label), *all = cli_format("%s%s", label, side),
         *shown = all ? cli_shown(all) : NULL;

    free(all);
    if (!name || !shown) {
        free(name);
        free(shown);
        return false;
    }
    free(in->name);
    free(in->shown);
    in->name = name;
    in->shown = shown;
    return true;
}

/* Adds one side of a file with conflicts. Reports errors; returns the exit code. */
static int add_stage(cli *c, cli_inputs *inputs, const char *path, const char *object, const char *side)
{
    lvl_buffer content = {.max = lvl_memory_share(&c->ctx)};
    const bool there = cli_git_object(object, &content);
    cli_input *in = there ? cli_input_add_content(inputs, path, path, &content) : NULL;

    lvl_buffer_free(&content);
    if (!there)
        cli_report(c, "%s%s: git cannot read object %s", path, side, object);
    else if (!in || !name_input(in, path, side))
        cli_no_memory(c);
    else
        return EXIT_FINE;
    return EXIT_ENVIRONMENT;
}

/* `lvl merge --list FILE`: git keeps the three sides of a file with conflicts until it is added. */
static int list_conflicts(cli *c, sides *s)
{
    const cli_batch batch = {.work = merge_job, .user = s, .output = shows_only(c) ? NULL : &cli_edit_output};
    const char *path = c->args.items[0];
    char *objects[3];
    int code = EXIT_FINE;

    const int git = cli_git_stages(path, objects);
    if (git != 0) {
        cli_report(c, "--list: git cannot list the conflicts of %s", path);
        code = EXIT_ENVIRONMENT;
    } else if (!objects[0] && !objects[1] && !objects[2]) {
        if (!c->opt->quiet && !c->opt->json)
            cli_report(c, "%s: git knows of no conflicts", path);
    } else if (!objects[1] || !objects[2]) {
        cli_report(c, "%s: %s; `git add' keeps the file, `git rm' removes it", path,
                   objects[1]   ? "ours changed it, theirs removed it"
                   : objects[2] ? "ours removed it, theirs changed it"
                                : "both sides removed it, or renamed it");
        code = EXIT_NEGATIVE;
    } else if (!objects[0]) {
        cli_report(c, "%s: both sides added it, so there is no common version to compare with", path);
        code = EXIT_NEGATIVE;
    } else {
        code = add_stage(c, &s->base, path, objects[0], " (base)");
        if (!code)
            code = add_stage(c, &c->inputs, path, objects[1], "");
        if (!code)
            code = add_stage(c, &s->theirs, path, objects[2], " (theirs)");
        if (!code && c->opt->html)
            code = cli_art_try(c);
        if (!code)
            code = cli_run(c, &batch);
    }
    for (int i = 0; i < 3; i++)
        free(objects[i]);
    cli_inputs_free(&s->base);
    cli_inputs_free(&s->theirs);
    return code;
}

static int merge_by_arguments(cli *c, sides *s)
{
    const cli_batch batch = {.work = merge_job, .user = s, .output = shows_only(c) ? NULL : &cli_edit_output};
    const char *label = c->opt->labels.count ? c->opt->labels.items[0] : NULL;

    if (c->opt->list)
        return c->args.count == 1 ? list_conflicts(c, s) : cli_usage(c, "expected one file: --list FILE");
    if (c->args.count != 3)
        return cli_usage(c, "expected three files or folders: BASE OURS THEIRS");
    if (c->opt->theirs && c->opt->base)
        return cli_usage(c, "--theirs and --base exclude each other");
    int code = EXIT_FINE;
    bool folders = false;
    for (size_t i = 0; i < 3; i++)
        folders = folders || lvl_file_kind_of(c->args.items[i]) == LVL_FILE_FOLDER;
    if (folders && c->opt->html) {
        code = cli_usage(c, "--html: expected three files, got a folder");
        goto out;
    }
    if (folders) {
        if (!cli_input_add(c, &s->base, c->args.items[0], false) ||
            !cli_input_add(c, &c->inputs, c->args.items[1], false) ||
            !cli_input_add(c, &s->theirs, c->args.items[2], false))
            code = cli_no_memory(c);
        if (!code)
            code = merge_folders(c, s);
        goto out;
    }
    code = cli_input_one(c, &s->base, c->args.items[0], "");
    if (!code)
        code = cli_input_one(c, &s->theirs, c->args.items[2], "");
    if (!code && !cli_input_add(c, &c->inputs, c->args.items[1], false))
        code = cli_no_memory(c);
    if (!code && c->inputs.batch)
        code = cli_usage(c, "expected three files, got a folder");
    if (!code && label &&
        !(name_input(&c->inputs.items[0], label, "") && name_input(&s->base.items[0], label, " (base)") &&
          name_input(&s->theirs.items[0], label, " (theirs)")))
        code = cli_no_memory(c);
    if (!code && c->opt->choose && c->opt->json)
        code = cli_usage(c, "--choose and --json exclude each other");
    if (!code && c->opt->image)
        code = cli_picture_check(c, "--image", c->opt->image);
    if (!code && (c->opt->image || c->opt->html))
        code = cli_art_try(c);
    if (!code)
        code = cli_run(c, &batch);
out:
    free((void *)s->base_of);
    free((void *)s->theirs_of);
    cli_inputs_free(&s->base);
    cli_inputs_free(&s->theirs);
    return code;
}

int cmd_merge(cli *c)
{
    sides s = {0};

    if (c->opt->choices && c->opt->choose)
        return cli_usage(c, "--choices and --choose exclude each other");
    if (c->opt->choices && c->opt->list && !c->opt->output && !c->opt->html)
        return cli_usage(c, "--list with --choices writes the merged file: -o FILE -y");
    if (c->opt->choose) /* the next answers are for the next file of `git mergetool' */
        setvbuf(stdin, NULL, _IONBF, 0);
    int code = c->opt->choices ? cli_choices_parse(c, c->opt->choices, &s.choices) : EXIT_FINE;
    if (!code && c->opt->html && !cli_is_stdout(c->opt->html))
        code = cli_may_create(c, c->opt->html);
    if (!code)
        code = merge_by_arguments(c, &s);
    free(s.choices.sides);
    return code;
}
