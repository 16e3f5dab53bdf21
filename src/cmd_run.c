/* run: evaluates a model on this machine with the reference kernels. The names of arrays: golden/feed.h. */
#include "cmd.h"
#include "golden/feed.h"
#include "op/eval.h"

static bool keep(const Feed *f, const Evaluation *e, uint32_t i, uint32_t step, Npz *out)
{
    NpzArray array;
    if (!feed_describe(f->diag, f->graph, f->graph->outputs.at[i], feed_output_name(f, i, step), &array))
        return false;
    array.data = helia_memdup(f->arena, evaluation_output(e, i), array.size);
    HELIA_PUSH(f->arena, out, array);
    return true;
}

static bool evaluate(const Feed *f, AirGraph *graph, Npz *out)
{
    Evaluation *e = evaluation_new(f->arena, graph);
    bool ok = e != NULL;
    for (uint32_t step = 0; ok && step < f->steps; step++) {
        for (uint32_t i = 0; i < graph->inputs.len; i++)
            feed_input(f, i, step, evaluation_input(e, i));
        ok = evaluation_run(e);
        for (uint32_t i = 0; ok && i < graph->outputs.len; i++)
            ok = keep(f, e, i, step, out);
    }
    return ok;
}

void cmd_run(Invocation *v)
{
    const char *input_path = cmd_option(v, "input"), *output_path = cmd_option(v, "output");
    if (!input_path)
        helia_error(v->diag, HELIA_NOWHERE, "--input is missing; expected an .npz archive with the inputs");
    if (!output_path)
        helia_error(v->diag, HELIA_NOWHERE, "--output is missing; expected the .npz archive to write");
    Compile c;
    if (!input_path || !output_path || !cmd_compile(v, &c, STAGE_RESOLVE, true) ||
        !cmd_may_write(v, c.config, "--output", output_path))
        return;
    Feed feed;
    Npz out = {0};
    AirGraph *graph = c.air->main;
    if (!feed_read(&feed, v->arena, v->diag, graph, input_path))
        return;
    const bool named = feed_check_names(&feed); /* beside what is missing: it may be the one under another name */
    if (feed_check_inputs(&feed, feed.steps, NULL) && named && evaluate(&feed, graph, &out) &&
        npz_write(v->arena, v->diag, output_path, &out))
        helia_info(v->diag, 1, "run: %u inference%s, %s", feed.steps, feed.steps == 1 ? "" : "s", output_path);
}
