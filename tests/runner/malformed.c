/* Broken files: index.csv says of each whether it is to be rejected (status 1 and nothing written) or accepted;
 * "either" leaves it open, but never a crash. */
#include "runner.h"
#include "support/file.h"

#include <stdlib.h>
#include <string.h>

typedef struct BrokenFile {
    Runner *r;
    const char *name, *expected, *folder;
} BrokenFile;

static const char *check(const BrokenFile *b, const Job *job)
{
    HeliaArena *arena = b->r->arena;
    bool written = path_exists(b->folder);
    if (job->status != 0 && job->status != 1)
        return helia_format(arena, "`convert` %s\n%s", job_status_text(arena, job->status), log_tail(b->r, job->log));
    if (job->status == 1 && written)
        return "was rejected, but something was written";
    if (job->status == 0 && !written)
        return "was accepted, but nothing was written";
    if (strcmp(b->expected, "reject") == 0 && job->status == 0)
        return "is to be rejected, but was accepted";
    if (strcmp(b->expected, "accept") == 0 && job->status == 1)
        return helia_format(arena, "is to be accepted, but was rejected\n%s", log_tail(b->r, job->log));
    FileBytes log;
    if (job->status == 1 && (!file_read(arena, b->r->diag, job->log, &log) || !strstr((const char *)log.at, "error: ")))
        return "was rejected without an error message";
    return NULL;
}

static void converted(void *user, Job *job)
{
    BrokenFile *b = user;
    runner_check(b->r, b->name, check(b, job));
}

bool malformed_run(Runner *r, const char *index, const char *pattern)
{
    Csv csv = {{{0}}, {0}};
    if (!csv_read(r->arena, r->diag, index, &csv))
        return false;
    const char *folder = helia_format(r->arena, "%s/modules", r->work);
    remove_tree(folder);
    make_folder(folder);
    for (uint32_t row = 0; row < csv.rows.len; row++) {
        const char *name = csv_cell(&csv, row, "file");
        if (pattern && !strstr(name, pattern))
            continue;
        BrokenFile *b = HELIA_NEW(r->arena, BrokenFile);
        *b = (BrokenFile){r, name, csv_cell(&csv, row, "expected"), helia_format(r->arena, "%s/%s", folder, name)};
        Job *job = job_new(r->arena, NULL, helia_format(r->arena, "%s/%s.log", folder, name), converted, b);
        job_arg(r->arena, job, r->compiler);
        job_words(r->arena, job, "convert --model.path");
        job_arg(r->arena, job, file_path_beside(r->arena, index, helia_format(r->arena, "%s.tflite", name)));
        job_arg(r->arena, job, "--module.path");
        job_arg(r->arena, job, folder);
        job_arg(r->arena, job, helia_format(r->arena, "--module.name=%s", name));
        job_words(r->arena, job, "--module.prefix=broken --platform.name=host");
        jobs_add(&r->jobs, job);
    }
    jobs_drain(&r->jobs);
    return true;
}
