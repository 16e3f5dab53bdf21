/* The invariants of AIR, checked after every transform. */
#include <helia_aot/air.h>

static bool broken(const AirGraph *g, HeliaLoc at, const char *what)
{
    return helia_error(g->model->diag, at, "internal: %s", what);
}

static bool verify_tensor(const AirGraph *g, const AirTensor *t, uint32_t i)
{
    if (t->id != i)
        return broken(g, air_tensor_loc(g, t), "a tensor's id is not its index");
    if (!t->name || t->rank < 0 || t->rank > AIR_MAX_RANK || t->type >= AIR_NUM_TYPES)
        return broken(g, air_tensor_loc(g, t), "a tensor without name, or of impossible rank or type");
    if (t->data && t->data_size != air_bytes(t))
        return broken(g, air_tensor_loc(g, t), "a constant's size is not that of its shape");
    if (t->initial && !t->is_variable)
        return broken(g, air_tensor_loc(g, t), "an initial value of a tensor that is no variable");
    if (t->quant && (t->quant->n == 0 || (t->quant->n > 1 &&
                                          (t->quant->axis < 0 || t->quant->axis >= t->rank ||
                                           (uint32_t)t->dim[t->quant->axis] != t->quant->n) &&
                                          t->rank > 1)))
        return broken(g, air_tensor_loc(g, t), "quantisation does not fit the shape");
    return true;
}

static bool verify_graph(const AirGraph *g)
{
    bool ok = true;
    HeliaArena *scratch = helia_arena_child(g->model->arena);
    bool *defined = HELIA_NEW_N(scratch, bool, g->tensors.len);
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        ok = verify_tensor(g, g->tensors.at[i], i) && ok;
        defined[i] = g->tensors.at[i]->data || g->tensors.at[i]->is_variable;
    }
    for (uint32_t i = 0; i < g->inputs.len; i++)
        defined[g->inputs.at[i]->id] = true;
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const AirNode *n = g->nodes.at[i];
        for (uint32_t k = 0; k < n->n_in; k++)
            if (n->in[k] && !defined[n->in[k]->id])
                ok = broken(g, air_node_loc(g, n), "an operator reads a tensor that has no value yet");
        for (uint32_t k = 0; k < n->n_out; k++) {
            if (!n->out[k] || n->out[k]->def != n || defined[n->out[k]->id])
                ok = broken(g, air_node_loc(g, n),
                            "a result is absent, defined twice, or not marked as this operator's");
            else
                defined[n->out[k]->id] = true;
        }
    }
    for (uint32_t i = 0; i < g->outputs.len; i++)
        if (!defined[g->outputs.at[i]->id])
            ok = broken(g, air_tensor_loc(g, g->outputs.at[i]), "a graph output has no value");
    helia_arena_free(scratch);
    return ok;
}

bool air_verify(const AirModel *model)
{
    bool ok = true;
    for (uint32_t i = 0; i < model->graphs.len; i++)
        ok = verify_graph(model->graphs.at[i]) && ok;
    return ok;
}
