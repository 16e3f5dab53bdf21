/* --verbose 2 and 3 behind Resolve: the kernel of each operator; each operator with its options and its tensors. */
#include "compile.h"

#include "air/print.h"

static void tell_tensors(const Compile *c, AirTensor *const *tensors, uint32_t n, bool *told)
{
    for (uint32_t i = 0; i < n; i++)
        if (tensors[i] && !told[tensors[i]->id]) {
            told[tensors[i]->id] = true;
            helia_info(c->diag, 3, "resolve: %s", air_print_tensor(c->arena, tensors[i]));
        }
}

void compile_tell_operators(const Compile *c)
{
    const AirGraph *g = c->air->main;
    if (helia_diag_level(c->diag) < 2)
        return;
    bool *told = HELIA_NEW_N(c->arena, bool, g->tensors.len);
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const AirNode *n = g->nodes.at[i];
        tell_tensors(c, n->in, n->n_in, told);
        tell_tensors(c, n->out, n->n_out, told);
        if (helia_diag_level(c->diag) >= 3)
            helia_info(c->diag, 3, "resolve: %s: %s", n->cname, air_print_node(c->arena, n, c->registry));
        else
            helia_info(c->diag, 2, "resolve: %s: %s", n->cname,
                       n->kernel                       ? n->kernel->symbol
                       : n->op->traits & HELIA_OP_VIEW ? "a view"
                                                       : "code of its own");
    }
}
