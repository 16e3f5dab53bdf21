/* The model's results from the compiler's own evaluation: `helia-aot run`. */
#include "runner.h"
#include "support/file.h"

#include <string.h>

typedef struct EvalJob {
    Runner *r;
    uint32_t kase, way;
    const char *output;
} EvalJob;

static const char *check_refused(Runner *r, const Job *job, const char *output)
{
    if (job->status != 1)
        return helia_format(r->arena, "is to be refused with status 1, but `run` %s",
                            job_status_text(r->arena, job->status));
    return path_exists(output) ? "was refused, but left a file behind" : NULL;
}

static const char *check_outputs(Runner *r, const Case *c, const char *path)
{
    Npz got = {0};
    const char *why = npz_read(r->arena, r->diag, path, &got) ? NULL : "gave an archive that cannot be read";
    const NpzArray *expected[2];
    uint32_t outputs = 0;
    for (; !why && case_expected(r, c, outputs, 0, expected) > 0; outputs++) {
        for (uint32_t s = 0; !why && s < c->steps; s++) {
            const char *name = helia_format(r->arena, "out%u_%u", outputs, s);
            const NpzArray *array = npz_find(&got, name);
            why = array ? case_check_output(r, c, outputs, s, array) : helia_format(r->arena, "%s is missing", name);
        }
    }
    if (!why && outputs == 0)
        why = "the case has no answers";
    if (!why && got.len != outputs * c->steps)
        why = helia_format(r->arena, "%u arrays instead of %u", got.len, outputs * c->steps);
    return why;
}

static void evaluated(void *user, Job *job)
{
    EvalJob *e = user;
    Runner *r = e->r;
    const Case *c = r->cases.at[e->kase];
    const char *why;
    if (case_is_refused(r, c, e->way))
        why = check_refused(r, job, e->output);
    else if (job->status)
        why = helia_format(r->arena, "`run` %s\n%s", job_status_text(r->arena, job->status), log_tail(r, job->log));
    else
        why = check_outputs(r, c, e->output);
    outcome_set(r, e->kase, e->way, why);
}

void eval_add(Runner *r, uint32_t way)
{
    const char *folder = helia_format(r->arena, "%s/eval", r->work);
    remove_tree(folder);
    make_folder(folder);
    for (uint32_t i = 0; i < r->cases.len; i++) {
        const Case *c = r->cases.at[i];
        if (c->broken) {
            outcome_set(r, i, way, c->broken);
            continue;
        }
        EvalJob *e = HELIA_NEW(r->arena, EvalJob);
        *e = (EvalJob){r, i, way, helia_format(r->arena, "%s/%s.npz", folder, c->id)};
        Job *job = job_new(r->arena, NULL, helia_format(r->arena, "%s/%s.log", folder, c->id), evaluated, e);
        job_arg(r->arena, job, r->compiler);
        job_arg(r->arena, job, "run");
        job_arg(r->arena, job, c->model);
        job_arg(r->arena, job, "--input");
        job_arg(r->arena, job, c->golden_path);
        job_arg(r->arena, job, "--output");
        job_arg(r->arena, job, e->output);
        case_flags(r, job);
        jobs_add(&r->jobs, job);
    }
}
