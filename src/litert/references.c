/* Whether everything that a model refers to by index exists: operator codes, tensors, buffers, subgraphs. */
#include "litert/litert_int.h"

#include <inttypes.h>

/* "0 to 4", or "none". */
static const char *range_text(ModelCheck *c, uint32_t n)
{
    return n ? helia_format(c->scratch, "0 to %" PRIu32, n - 1u) : "none";
}

static void check_indices(ModelCheck *c, HeliaLoc at, const char *what, LitertInts list, int32_t lowest, uint32_t n)
{
    for (uint32_t i = 0; i < list.len; i++)
        if (list.at[i] < lowest || (list.at[i] >= 0 && (uint32_t)list.at[i] >= n))
            check_problem(c, at, "%s[%" PRIu32 "] is %d; the subgraph's tensors are %s%s", what, i, list.at[i],
                          range_text(c, n), lowest < 0 ? ", and -1 stands for none" : "");
}

/* A field of an operator's options that names a subgraph. */
typedef struct Callee {
    const char *field;
    int64_t subgraph;
} Callee;
typedef HELIA_VEC(Callee) Callees;

static void add_callees(HeliaArena *arena, const LitertOptions *options, UnionId id, Callees *out)
{
    const SchemaTable *table = schema_member(id, options->type);
    for (unsigned i = 0; table && i < table->n_fields; i++) {
        const SchemaField *field = &table->fields[i];
        const LitertField *value = &options->fields[i];
        if (field->kind == KIND_SUBGRAPH)
            HELIA_PUSH(arena, out, ((Callee){field->name, value->i}));
        for (uint32_t k = 0; field->kind == KIND_SUBGRAPHS && k < value->ints.len; k++)
            HELIA_PUSH(arena, out, ((Callee){field->name, value->ints.at[k]}));
    }
}

static void find_callees(HeliaArena *arena, const LitertOp *op, Callees *out)
{
    out->len = 0;
    add_callees(arena, &op->options, UNION_BuiltinOptions, out);
    add_callees(arena, &op->options_2, UNION_BuiltinOptions2, out);
}

static HeliaLoc op_loc(const ModelCheck *c, uint32_t subgraph, uint32_t index)
{
    const LitertOp *op = &c->model->subgraphs.at[subgraph].operators.at[index];
    HeliaLoc at = check_loc(c);
    at.subgraph = (int32_t)subgraph;
    at.op = (int32_t)index;
    if (op->opcode_index < c->model->operator_codes.len)
        at.op_type = litert_op_name(c->model->operator_codes.at[op->opcode_index].builtin_code);
    return at;
}

static void check_op(ModelCheck *c, uint32_t subgraph, uint32_t index, Callees *callees)
{
    const LitertSubgraph *s = &c->model->subgraphs.at[subgraph];
    const LitertOp *op = &s->operators.at[index];
    HeliaLoc at = op_loc(c, subgraph, index);
    if (op->opcode_index >= c->model->operator_codes.len)
        check_problem(c, at, "opcode_index is %" PRIu32 "; the model's operator_codes are %s", op->opcode_index,
                      range_text(c, c->model->operator_codes.len));
    check_indices(c, at, "inputs", op->inputs, -1, s->tensors.len);
    check_indices(c, at, "outputs", op->outputs, 0, s->tensors.len);
    check_indices(c, at, "intermediates", op->intermediates, -1, s->tensors.len);
    find_callees(c->scratch, op, callees);
    for (uint32_t i = 0; i < callees->len; i++)
        if (callees->at[i].subgraph < 0 || callees->at[i].subgraph >= c->model->subgraphs.len)
            check_problem(c, at, "%s is %" PRId64 "; the model's subgraphs are %s", callees->at[i].field,
                          callees->at[i].subgraph, range_text(c, c->model->subgraphs.len));
}

/* Adds `step` to the number of callers of every subgraph that subgraph s calls; those left without any are pushed. */
typedef HELIA_VEC(uint32_t) Indices;
static void count_calls(ModelCheck *c, uint32_t s, int step, uint32_t *callers, Callees *callees, Indices *uncalled)
{
    const LitertSubgraph *subgraph = &c->model->subgraphs.at[s];
    for (uint32_t i = 0; i < subgraph->operators.len; i++) {
        find_callees(c->scratch, &subgraph->operators.at[i], callees);
        for (uint32_t k = 0; k < callees->len; k++) {
            uint32_t *n = &callers[callees->at[k].subgraph];
            *n += (uint32_t)step;
            if (step < 0 && *n == 0)
                HELIA_PUSH(c->scratch, uncalled, (uint32_t)callees->at[k].subgraph);
        }
    }
}

/* Subgraphs are removed once nothing calls them; those that remain call each other in a circle, without end. */
static void check_calls(ModelCheck *c, Callees *callees)
{
    uint32_t n = c->model->subgraphs.len;
    uint32_t *callers = HELIA_NEW_N(c->scratch, uint32_t, n);
    Indices uncalled = {0};
    for (uint32_t s = 0; s < n; s++)
        count_calls(c, s, 1, callers, callees, &uncalled);
    for (uint32_t s = 0; s < n; s++)
        if (callers[s] == 0)
            HELIA_PUSH(c->scratch, &uncalled, s);
    for (uint32_t done = 0; done < uncalled.len; done++)
        count_calls(c, uncalled.at[done], -1, callers, callees, &uncalled);
    HeliaLoc at = check_loc(c);
    for (uint32_t s = 0; s < n; s++)
        if (callers[s]) {
            at.subgraph = (int32_t)s;
            check_problem(c, at, "subgraph %" PRIu32 " is part of a circle of calls, or called from one", s);
        }
}

static void check_subgraph(ModelCheck *c, uint32_t index, Callees *callees)
{
    const LitertSubgraph *s = &c->model->subgraphs.at[index];
    HeliaLoc at = check_loc(c);
    at.subgraph = (int32_t)index;
    check_indices(c, at, "inputs", s->inputs, 0, s->tensors.len);
    check_indices(c, at, "outputs", s->outputs, 0, s->tensors.len);
    for (uint32_t i = 0; i < s->operators.len; i++)
        check_op(c, index, i, callees);
}

static void check_opcodes(ModelCheck *c)
{
    for (uint32_t i = 0; i < c->model->operator_codes.len; i++) {
        const LitertOpcode *code = &c->model->operator_codes.at[i];
        if (code->builtin_code < 0)
            check_problem(c, check_loc(c), "operator_codes[%" PRIu32 "].builtin_code is %d; it must not be negative", i,
                          code->builtin_code);
        if (code->builtin_code == LITERT_OP_CUSTOM && (!code->custom_code || !*code->custom_code))
            check_problem(c, check_loc(c), "operator_codes[%" PRIu32 "] is CUSTOM and has no custom_code to name it",
                          i);
    }
}

static void check_map(ModelCheck *c, uint32_t signature, const char *list, const LitertTensorMap *map, uint32_t n,
                      uint32_t n_tensors)
{
    for (uint32_t i = 0; i < n; i++)
        if (map[i].tensor_index >= n_tensors)
            check_problem(c, check_loc(c),
                          "signature_defs[%" PRIu32 "].%s[%" PRIu32 "].tensor_index is %" PRIu32
                          "; the subgraph's tensors are %s",
                          signature, list, i, map[i].tensor_index, range_text(c, n_tensors));
}

static void check_signatures(ModelCheck *c)
{
    for (uint32_t i = 0; i < c->model->signature_defs.len; i++) {
        const LitertSignature *s = &c->model->signature_defs.at[i];
        if (s->subgraph_index >= c->model->subgraphs.len) {
            check_problem(c, check_loc(c),
                          "signature_defs[%" PRIu32 "].subgraph_index is %" PRIu32 "; the model's subgraphs are %s", i,
                          s->subgraph_index, range_text(c, c->model->subgraphs.len));
            continue;
        }
        uint32_t n_tensors = c->model->subgraphs.at[s->subgraph_index].tensors.len;
        check_map(c, i, "inputs", s->inputs, s->n_inputs, n_tensors);
        check_map(c, i, "outputs", s->outputs, s->n_outputs, n_tensors);
    }
}

void check_references(ModelCheck *c)
{
    HeliaLoc at = check_loc(c);
    const LitertModel *m = c->model;
    if (m->version != LITERT_VERSION)
        check_problem(c, at, "version is %" PRIu32 "; only schema version %d is supported", m->version, LITERT_VERSION);
    if (m->subgraphs.len == 0)
        check_problem(c, at, "the model has no subgraphs; at least one is needed");
    if (m->buffers.len == 0)
        check_problem(c, at, "the model has no buffers; at least the empty buffer 0 is needed");
    check_opcodes(c);
    Callees callees = {0};
    uint32_t before = c->problems;
    for (uint32_t i = 0; i < m->subgraphs.len; i++)
        check_subgraph(c, i, &callees);
    if (c->problems == before)
        check_calls(c, &callees);
    check_signatures(c);
    for (uint32_t i = 0; i < m->metadata.len; i++)
        if (m->metadata.at[i].buffer >= m->buffers.len)
            check_problem(c, at, "metadata[%" PRIu32 "].buffer is %" PRIu32 "; the model's buffers are %s", i,
                          m->metadata.at[i].buffer, range_text(c, m->buffers.len));
}
