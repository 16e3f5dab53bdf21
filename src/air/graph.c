/* Building and asking: the graph's basic operations. */
#include <helia_aot/air.h>

#include <string.h>

#include <helia_aot/op.h>

typedef struct TypeRow {
    const char *text, *ctype, *doc;
    uint32_t bits;
    int32_t litert;
} TypeRow;

static const TypeRow types[AIR_NUM_TYPES] = {
#define T(id, text, bits, ctype, litert, doc) {text, ctype, doc, bits, litert},
#include <helia_aot/air_types.inc>
#undef T
};

const char *air_type_text(AirType type)
{
    return types[type].text;
}

const char *air_type_ctype(AirType type)
{
    return types[type].ctype;
}

const char *air_type_doc(AirType type)
{
    return types[type].doc;
}

uint32_t air_type_bits(AirType type)
{
    return types[type].bits;
}

int32_t air_type_litert(AirType type)
{
    return types[type].litert;
}

bool air_type_from_litert(int32_t litert, AirType *type)
{
    for (int i = 0; i < AIR_NUM_TYPES; i++)
        if (types[i].litert == litert) {
            *type = (AirType)i;
            return true;
        }
    return false;
}

bool air_type_from_text(const char *text, AirType *type)
{
    for (int i = 0; i < AIR_NUM_TYPES; i++)
        if (strcmp(types[i].text, text) == 0) {
            *type = (AirType)i;
            return true;
        }
    return false;
}

AirTensor *air_tensor_new(AirGraph *graph, const char *name, AirType type, int32_t rank, const int32_t *dim)
{
    HeliaArena *arena = graph->model->arena;
    AirTensor *t = HELIA_NEW(arena, AirTensor);
    t->id = graph->tensors.len;
    t->litert_index = -1;
    t->name = helia_strdup(arena, name);
    t->type = type;
    t->rank = rank;
    if (rank > 0)
        memcpy(t->dim, dim, (size_t)rank * sizeof(*dim));
    HELIA_PUSH(arena, &graph->tensors, t);
    return t;
}

AirTensor *air_constant_new(AirGraph *graph, const char *name, AirType type, int32_t rank, const int32_t *dim,
                            const void *data)
{
    AirTensor *t = air_tensor_new(graph, name, type, rank, dim);
    t->data_size = air_bytes(t);
    t->data = helia_memdup(graph->model->arena, data, t->data_size);
    return t;
}

AirTensor *air_table_new(AirGraph *graph, const AirNode *node, const char *what, AirType type, int32_t entries,
                         const void *data)
{
    const char *name = helia_format(graph->model->arena, "%s_%s", node->cname, what);
    AirTensor *t = air_constant_new(graph, name, type, 1, &entries, data);
    t->is_table = true;
    return t;
}

AirNode *air_node_new(AirGraph *graph, const char *op_type, uint32_t n_in, uint32_t n_out)
{
    HeliaArena *arena = graph->model->arena;
    AirNode *n = HELIA_NEW(arena, AirNode);
    n->id = graph->next_node_id++;
    n->litert_index = -1;
    n->op_type = helia_strdup(arena, op_type);
    n->n_in = n_in;
    n->n_out = n_out;
    n->in = HELIA_NEW_N(arena, AirTensor *, n_in);
    n->out = HELIA_NEW_N(arena, AirTensor *, n_out);
    return n;
}

void air_arg(AirNode *node, AirGraph *graph, AirTensor *tensor, bool written)
{
    AirArg arg = {tensor, written};
    HELIA_PUSH(graph->model->arena, &node->args, arg);
}

void air_replace_uses(AirGraph *graph, AirTensor *from, AirTensor *to)
{
    for (uint32_t i = 0; i < graph->nodes.len; i++)
        for (uint32_t k = 0; k < graph->nodes.at[i]->n_in; k++)
            if (graph->nodes.at[i]->in[k] == from)
                graph->nodes.at[i]->in[k] = to;
    for (uint32_t i = 0; i < graph->outputs.len; i++)
        if (graph->outputs.at[i] == from)
            graph->outputs.at[i] = to;
}

void air_rebuild_uses(AirGraph *graph)
{
    HeliaArena *arena = graph->model->arena;
    for (uint32_t i = 0; i < graph->tensors.len; i++) {
        graph->tensors.at[i]->def = NULL;
        graph->tensors.at[i]->uses.len = 0;
    }
    for (uint32_t i = 0; i < graph->nodes.len; i++) {
        AirNode *n = graph->nodes.at[i];
        for (uint32_t k = 0; k < n->n_in; k++)
            if (n->in[k])
                HELIA_PUSH(arena, &n->in[k]->uses, n);
        for (uint32_t k = 0; k < n->n_out; k++)
            if (n->out[k])
                n->out[k]->def = n;
    }
}

void air_remove_dead(AirGraph *graph)
{
    bool *live = HELIA_NEW_N(graph->model->arena, bool, graph->tensors.len);
    for (uint32_t i = 0; i < graph->outputs.len; i++)
        live[graph->outputs.at[i]->id] = true;
    bool *kept = HELIA_NEW_N(graph->model->arena, bool, graph->nodes.len);
    for (uint32_t i = graph->nodes.len; i-- > 0;) {
        AirNode *n = graph->nodes.at[i];
        kept[i] = n->n_out == 0 || (n->op && (n->op->traits & HELIA_OP_STATEFUL));
        for (uint32_t k = 0; k < n->n_in; k++)
            kept[i] = kept[i] || (n->in[k] && n->in[k]->is_variable);
        for (uint32_t k = 0; k < n->n_out; k++)
            kept[i] = kept[i] || (n->out[k] && live[n->out[k]->id]);
        for (uint32_t k = 0; kept[i] && k < n->n_in; k++)
            if (n->in[k])
                live[n->in[k]->id] = true;
    }
    uint32_t len = 0;
    for (uint32_t i = 0; i < graph->nodes.len; i++)
        if (kept[i])
            graph->nodes.at[len++] = graph->nodes.at[i];
    graph->nodes.len = len;
    air_rebuild_uses(graph);
}

int64_t air_count(const AirTensor *tensor)
{
    int64_t n = 1;
    for (int32_t i = 0; i < tensor->rank; i++)
        n *= tensor->dim[i];
    return n;
}

size_t air_bytes(const AirTensor *tensor)
{
    return ((size_t)air_count(tensor) * air_type_bits(tensor->type) + 7) / 8;
}

bool air_same_shape(const AirTensor *a, const AirTensor *b)
{
    return a->rank == b->rank && memcmp(a->dim, b->dim, (size_t)a->rank * sizeof(a->dim[0])) == 0;
}

bool air_same_quant(const AirTensor *a, const AirTensor *b)
{
    const AirQuant *p = a->quant, *q = b->quant;
    if (!p || !q)
        return !p && !q;
    if (p->n != q->n || (p->n > 1 && p->axis != q->axis))
        return false;
    for (uint32_t i = 0; i < p->n; i++)
        if (p->scale[i] != q->scale[i] || p->zero[i] != q->zero[i])
            return false;
    return true;
}

bool air_is_constant(const AirTensor *tensor)
{
    return tensor->data != NULL;
}

const char *air_shape_text(HeliaArena *arena, const AirTensor *tensor)
{
    const char *text = "[";
    for (int32_t i = 0; i < tensor->rank; i++)
        text = helia_format(arena, "%s%s%d", text, i ? "x" : "", tensor->dim[i]);
    return helia_format(arena, "%s]", text);
}

HeliaLoc air_node_loc(const AirGraph *graph, const AirNode *node)
{
    HeliaLoc at = helia_at_file(graph->model->file);
    at.subgraph = (int32_t)graph->index;
    at.op = node->litert_index;
    at.op_type = node->op_type;
    if (node->n_out && node->out[0])
        at.name = node->out[0]->name;
    return at;
}

HeliaLoc air_tensor_loc(const AirGraph *graph, const AirTensor *tensor)
{
    HeliaLoc at = helia_at_file(graph->model->file);
    at.subgraph = (int32_t)graph->index;
    at.tensor = tensor->litert_index;
    at.name = tensor->name;
    return at;
}
