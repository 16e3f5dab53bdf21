/* `explain`: one line an operator with its kernel and the reasons against better ones, then the memory picture. */
#include "compile.h"

#include <string.h>

#include "op/resolve.h"

static const char *place(const Compile *c, const AirTensor *t)
{
    const MemorySlot *slot = &c->plan->tensors[t->id];
    if (slot->region < 0)
        return "";
    return helia_format(c->arena, " %s+%zu", memory_name(c->plan->regions.at[slot->region].memory), slot->offset);
}

static const char *operands(const Compile *c, AirTensor *const *tensors, uint32_t n)
{
    const char *text = "";
    for (uint32_t i = 0; i < n; i++)
        text = tensors[i] ? helia_format(c->arena, "%s%s%s%s%s", text, i ? ", " : "", air_type_text(tensors[i]->type),
                                         air_shape_text(c->arena, tensors[i]), place(c, tensors[i]))
                          : helia_format(c->arena, "%s%s-", text, i ? ", " : "");
    return text;
}

static const char *kernel_text(const Compile *c, const AirNode *n)
{
    if (plan_is_free(c->plan, n))
        return n->op->traits & HELIA_OP_VIEW ? "view, no code" : "in place, no code";
    if (n->op->traits & HELIA_OP_VIEW)
        return "view that is copied";
    if (!n->kernel)
        return "own code";
    return n->kernel->body
               ? helia_format(c->arena, "%s (%s)", n->kernel->symbol, n->specialized ? "specialized" : "generic")
               : n->kernel->symbol;
}

/* Why not a better one, a line each. Libraries that were not asked for need no reason. */
static const char *misfits(const Compile *c, const HeliaOpContext *oc, const AirNode *n)
{
    const char *text = "", *last = "";
    for (const HeliaKernel *k = n->op->kernels; n->kernel && !plan_is_free(c->plan, n) && k != n->kernel; k++) {
        const char *misfit = kernel_misfit(oc, n, k);
        if (!misfit || k->isa & ~c->target.isa & HELIA_LIBRARIES || strcmp(k->symbol, last) == 0)
            continue;
        text = helia_format(c->arena, "%s        not %s: %s\n", text, k->symbol, misfit);
        last = k->symbol;
    }
    return text;
}

const char *compile_explain(const Compile *c)
{
    AirGraph *g = c->air->main;
    HeliaOpContext oc = {g, c->arena, c->diag, &c->target};
    const char *text = helia_format(c->arena, "%s for %s (%s)\n", c->air->file_name, c->platform->name,
                                    c->platform->cpu);
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const AirNode *n = g->nodes.at[i];
        const MemorySlot *s = &c->plan->scratch[i];
        const char *scratch = s->region < 0
                                  ? ""
                                  : helia_format(c->arena, ", scratch %zu %s+%zu", n->scratch,
                                                 memory_name(c->plan->regions.at[s->region].memory), s->offset);
        text = helia_format(c->arena, "%s%3u %s \"%s\": (%s) -> (%s)\n      %s%s\n%s", text, i, n->cname,
                            helia_printable(c->arena, n->n_out && n->out[0] ? n->out[0]->name : ""),
                            operands(c, n->in, n->n_in), operands(c, n->out, n->n_out), kernel_text(c, n), scratch,
                            misfits(c, &oc, n));
    }
    return helia_format(c->arena, "%s\n%s", text, plan_report_text(c->arena, g, c->plan));
}
