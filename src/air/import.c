/* LiteRT to AIR: tensors, quantisation, operators through their parsers, and the order of definitions. */
#include "air/import.h"

#include <string.h>

#include "air/variables.h"
#include "support/blame.h"
#include "support/file.h"

typedef struct Import {
    HeliaArena *arena;
    HeliaDiag *diag;
    const HeliaRegistryContext *registry;
    const LitertModel *litert;
    const LitertSubgraph *subgraph;
    AirGraph *graph;
    bool *defined; /* by tensor: readable at this point of the order */
    bool *broken;  /* by tensor: reported already, so that nobody may look at it */
    AirVariables *variables;
} Import;

static const AirQuant *import_quant(HeliaArena *arena, const LitertQuant *q)
{
    if (!q || q->n_scale == 0)
        return NULL;
    AirQuant *quant = HELIA_NEW(arena, AirQuant);
    int32_t *zero = HELIA_NEW_N(arena, int32_t, q->n_scale);
    for (uint32_t i = 0; i < q->n_scale && i < q->n_zero_point; i++)
        zero[i] = (int32_t)q->zero_point[i];
    *quant = (AirQuant){q->n_scale, helia_memdup(arena, q->scale, q->n_scale * sizeof(float)), zero,
                        q->quantized_dimension};
    return quant;
}

static bool signature_is_dynamic(const LitertTensor *t)
{
    for (uint32_t i = 0; i < t->shape_signature.len; i++)
        if (t->shape_signature.at[i] < 0)
            return true;
    return false;
}

static bool import_tensor(HeliaArena *arena, HeliaDiag *diag, const LitertModel *litert, const LitertTensor *src,
                          HeliaLoc at, AirTensor *t)
{
    if (!air_type_from_litert(src->type, &t->type))
        return helia_error(diag, at, "data type %s is not supported",
                           litert_type_name(src->type) ? litert_type_name(src->type) : "unknown");
    if (src->shape.len > AIR_MAX_RANK)
        return helia_error(diag, at, "rank %u; at most %d is supported", src->shape.len, AIR_MAX_RANK);
    t->rank = (int32_t)src->shape.len;
    int64_t count = 1;
    for (uint32_t i = 0; i < src->shape.len; i++) {
        t->dim[i] = src->shape.at[i];
        count *= t->dim[i];
        if (t->dim[i] < 0 || count > INT32_MAX / 16)
            return helia_error(diag, at,
                               "shape %s: dimensions must not be negative, and at most %d elements are supported",
                               air_shape_text(arena, t), INT32_MAX / 16);
    }
    t->shape_is_open = signature_is_dynamic(src) || (t->rank == 0 && !src->has_rank);
    t->is_variable = src->is_variable;
    t->quant = import_quant(arena, src->quantization);
    LitertBytes bytes = litert->buffers.at[src->buffer];
    if (bytes.len == 0)
        return true;
    if (src->sparsity)
        return helia_error(diag, at,
                           "sparse tensors are not supported; expected a constant with all its elements: "
                           "convert the model without sparsity");
    /* Constants are read through typed pointers on the host, and buffers outside the flatbuffer may lie anywhere. */
    bool aligned = ((uintptr_t)bytes.at & 15u) == 0;
    t->data = aligned ? bytes.at : helia_memdup(arena, bytes.at, bytes.len);
    t->data_size = air_bytes(t);
    if (bytes.len < t->data_size)
        return helia_error(diag, at, "the buffer has %zu bytes; shape %s of %s needs %zu", bytes.len,
                           air_shape_text(arena, t), air_type_doc(t->type), t->data_size);
    return true;
}

AirTensor *air_import_tensor(const LitertModel *litert, const LitertSubgraph *subgraph, uint32_t index, AirGraph *graph)
{
    const LitertTensor *src = &subgraph->tensors.at[index];
    HeliaArena *arena = graph->model->arena;
    AirTensor *t = air_tensor_new(graph, src->name ? src->name : "", AIR_F32, 0, NULL);
    t->litert_index = (int32_t)index;
    return import_tensor(arena, graph->model->diag, litert, src, air_tensor_loc(graph, t), t) ? t : NULL;
}

static AirTensor *operand(const Import *m, int32_t index)
{
    return index < 0 ? NULL : m->graph->tensors.at[index];
}

static bool check_reads(Import *m, const AirNode *n)
{
    bool ok = true;
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && !m->defined[n->in[i]->id] && !m->broken[n->in[i]->id])
            ok = helia_error(
                m->diag, air_node_loc(m->graph, n),
                "input %u (tensor %u \"%s\") has no value yet: no earlier operator, input or constant gives it", i,
                n->in[i]->id, helia_printable(m->arena, n->in[i]->name));
    return ok;
}

static bool touches_broken(const Import *m, const AirNode *n)
{
    bool any = false;
    for (uint32_t i = 0; i < n->n_in; i++)
        any = any || (n->in[i] && m->broken[n->in[i]->id]);
    for (uint32_t i = 0; i < n->n_out; i++)
        any = any || (n->out[i] && m->broken[n->out[i]->id]);
    return any;
}

static bool check_writes(Import *m, const AirNode *n)
{
    bool ok = true;
    for (uint32_t i = 0; i < n->n_out; i++) {
        AirTensor *t = n->out[i];
        if (!t) {
            ok = helia_error(m->diag, air_node_loc(m->graph, n), "output %u is absent; every output needs a tensor", i);
        } else if (m->defined[t->id]) {
            const char *by = air_is_constant(t) ? "a constant"
                             : t->is_variable   ? "a variable"
                                                : "an input or another result";
            ok = helia_error(m->diag, air_node_loc(m->graph, n), "output %u (tensor %u \"%s\") is already %s", i, t->id,
                             helia_printable(m->arena, t->name), by);
        } else {
            m->defined[t->id] = true;
        }
    }
    return ok;
}

static bool is_custom(const Import *m, const LitertOp *op)
{
    return m->litert->operator_codes.at[op->opcode_index].builtin_code == LITERT_OP_CUSTOM;
}

static const char *operator_key(Import *m, const LitertOp *op, HeliaLoc *at)
{
    const LitertOpcode *code = &m->litert->operator_codes.at[op->opcode_index];
    if (is_custom(m, op)) {
        at->op_type = "CUSTOM";
        return helia_custom_code_to_op_key(m->arena, m->diag, *at, code->custom_code);
    }
    const char *name = litert_op_name(code->builtin_code);
    if (!name)
        helia_error(m->diag, *at, "operator code %d is unknown", code->builtin_code);
    return name;
}

/* Counts of the operators that no parser serves. */
typedef struct Unsupported {
    uint32_t builtin, custom;
} Unsupported;

static bool import_op(Import *m, uint32_t index, Unsupported *unsupported)
{
    const LitertOp *op = &m->subgraph->operators.at[index];
    HeliaLoc at = helia_at_file(m->litert->file);
    at.subgraph = (int32_t)m->graph->index;
    at.op = (int32_t)index;
    const char *key = operator_key(m, op, &at);
    AirNode *n = air_node_new(m->graph, key ? key : "UNKNOWN", op->inputs.len, op->outputs.len);
    n->litert_index = (int32_t)index;
    for (uint32_t i = 0; i < op->inputs.len; i++)
        n->in[i] = operand(m, op->inputs.at[i]);
    for (uint32_t i = 0; i < op->outputs.len; i++)
        n->out[i] = operand(m, op->outputs.at[i]);
    at = air_node_loc(m->graph, n);
    bool ok = check_reads(m, n);
    ok = check_writes(m, n) && ok; /* also where it failed, so that later operators find their inputs */
    if (!key)
        return false;
    const HeliaLitertParser *parser = helia_registry_get(m->registry->litert_parsers, key);
    if (!parser) {
        ++*(is_custom(m, op) ? &unsupported->custom : &unsupported->builtin);
        return helia_error(m->diag, at, "the operator is not supported");
    }
    const HeliaOptionsClass *options = helia_registry_get(m->registry->air_options, key);
    if (options)
        n->options = helia_alloc(m->arena, 1, options->size);
    HeliaParse p = {.litert = m->litert,
                    .subgraph = m->subgraph,
                    .op = op,
                    .graph = m->graph,
                    .arena = m->arena,
                    .diag = m->diag,
                    .at = at,
                    .variables = m->variables};
    uint32_t errors = helia_diag_errors(m->diag);
    if (!ok || touches_broken(m, n) ||
        !blame(m->diag, parser->parse(parser, &p, n), errors, at, "the operator's parser"))
        return false;
    if (!p.spent)
        HELIA_PUSH(m->arena, &m->graph->nodes, n);
    return true;
}

/* The operators that have a parser: those of the schema, or the custom ones. */
static const char *parser_keys(const Import *m, bool custom)
{
    const char *list = "";
    for (uint32_t i = 0; i < helia_registry_count(m->registry->litert_parsers); i++) {
        const char *key = helia_registry_key(m->registry->litert_parsers, i);
        if (custom == (litert_op_code(key) < 0))
            list = helia_format(m->arena, "%s%s%s", list, *list ? ", " : "", key);
    }
    return list;
}

static void note_supported(const Import *m, const Unsupported *unsupported)
{
    if (unsupported->builtin)
        helia_note(m->diag, HELIA_NOWHERE, "supported operators: %s", parser_keys(m, false));
    if (!unsupported->custom)
        return;
    const char *custom = parser_keys(m, true);
    helia_note(m->diag, HELIA_NOWHERE,
               "custom operators come from plug-ins, of --plugin FILE.so or of `plugins` in the configuration; %s%s",
               *custom ? "loaded are: " : "none is loaded", custom);
    helia_note(m->diag, HELIA_NOWHERE,
               "helia_audio_frontend.so, which is installed with helia-aot, has those of TensorFlow Lite Micro's audio "
               "front end (docs/audio-frontend.md); docs/extending.md shows how to write others");
}

/* The names of the graph's inputs or outputs: from the first signature of this subgraph, else the tensors'. */
static const char **interface_names(const Import *m, bool inputs)
{
    const LitertInts *list = inputs ? &m->subgraph->inputs : &m->subgraph->outputs;
    const char **names = HELIA_NEW_N(m->arena, const char *, list->len);
    for (uint32_t i = 0; i < list->len; i++) {
        names[i] = m->graph->tensors.at[list->at[i]]->name;
        for (uint32_t s = 0; s < m->litert->signature_defs.len; s++) {
            const LitertSignature *sig = &m->litert->signature_defs.at[s];
            if (sig->subgraph_index != m->graph->index)
                continue;
            const LitertTensorMap *map = inputs ? sig->inputs : sig->outputs;
            uint32_t n = inputs ? sig->n_inputs : sig->n_outputs;
            for (uint32_t k = 0; k < n; k++)
                if (map[k].tensor_index == (uint32_t)list->at[i] && map[k].name) {
                    names[i] = helia_strdup(m->arena, map[k].name);
                    break;
                }
            break;
        }
    }
    return names;
}

static bool import_interface(Import *m)
{
    bool ok = true;
    HeliaLoc at = helia_at_file(m->litert->file);
    at.subgraph = (int32_t)m->graph->index;
    for (uint32_t i = 0; i < m->subgraph->inputs.len; i++) {
        AirTensor *t = m->graph->tensors.at[m->subgraph->inputs.at[i]];
        if (air_is_constant(t) || t->is_variable)
            ok = helia_error(m->diag, air_tensor_loc(m->graph, t), "graph input %u is a %s", i,
                             air_is_constant(t) ? "constant" : "variable");
        HELIA_PUSH(m->arena, &m->graph->inputs, t);
        m->defined[t->id] = true;
    }
    if (m->subgraph->outputs.len == 0)
        ok = helia_error(m->diag, at, "the subgraph has no outputs; at least one is needed");
    for (uint32_t i = 0; i < m->subgraph->outputs.len; i++)
        HELIA_PUSH(m->arena, &m->graph->outputs, m->graph->tensors.at[m->subgraph->outputs.at[i]]);
    m->graph->input_names = interface_names(m, true);
    m->graph->output_names = interface_names(m, false);
    return ok;
}

static bool holds(const LitertInts *list, uint32_t index)
{
    for (uint32_t i = 0; i < list->len; i++)
        if (list->at[i] == (int32_t)index)
            return true;
    return false;
}

/* A constant without elements has no bytes in the file; what tells it from a result is that nobody produces it. */
static void import_empty_constants(const Import *m)
{
    for (uint32_t i = 0; i < m->graph->tensors.len; i++) {
        AirTensor *t = m->graph->tensors.at[i];
        bool produced = holds(&m->subgraph->inputs, i) || t->is_variable || t->type == AIR_RESOURCE;
        for (uint32_t k = 0; k < m->subgraph->operators.len && !produced && air_count(t) == 0; k++)
            produced = holds(&m->subgraph->operators.at[k].outputs, i);
        if (!produced && air_count(t) == 0 && !t->data)
            t->data = helia_alloc(m->arena, 1, 1);
    }
}

AirModel *air_import(HeliaArena *arena, HeliaDiag *diag, const HeliaRegistryContext *registry,
                     const LitertModel *litert, int32_t subgraph)
{
    HeliaLoc at = helia_at_file(litert->file);
    if (subgraph < 0 || (uint32_t)subgraph >= litert->subgraphs.len) {
        helia_error(diag, at, "model.subgraph is %d; the file has subgraphs 0 to %u", subgraph,
                    litert->subgraphs.len - 1u);
        return NULL;
    }
    AirModel *model = HELIA_NEW(arena, AirModel);
    AirGraph *graph = HELIA_NEW(arena, AirGraph);
    model->arena = arena;
    model->diag = diag;
    model->file = litert->file;
    model->file_name = file_base_name(litert->file);
    model->description = litert->description ? litert->description : "";
    model->version = litert->version;
    model->main = graph;
    HELIA_PUSH(arena, &model->graphs, graph);
    Import m = {arena, diag, registry, litert, &litert->subgraphs.at[subgraph], graph, NULL, NULL, NULL};
    graph->model = model;
    graph->index = (uint32_t)subgraph;
    graph->name = m.subgraph->name ? m.subgraph->name : "";

    bool ok = true;
    m.broken = HELIA_NEW_N(arena, bool, m.subgraph->tensors.len);
    for (uint32_t i = 0; i < m.subgraph->tensors.len; i++) {
        m.broken[i] = !air_import_tensor(litert, m.subgraph, i, graph);
        ok = ok && !m.broken[i];
    }
    if (ok)
        import_empty_constants(&m);
    m.defined = HELIA_NEW_N(arena, bool, m.subgraph->tensors.len);
    m.variables = air_variables_new(arena, m.subgraph->tensors.len);
    for (uint32_t i = 0; i < graph->tensors.len; i++)
        m.defined[i] = air_is_constant(graph->tensors.at[i]) || graph->tensors.at[i]->is_variable;
    ok = import_interface(&m) && ok;
    Unsupported unsupported = {0, 0};
    for (uint32_t i = 0; i < m.subgraph->operators.len; i++)
        ok = import_op(&m, i, &unsupported) && ok;
    for (uint32_t i = 0; i < graph->outputs.len; i++) {
        if (!m.defined[graph->outputs.at[i]->id])
            ok = helia_error(diag, air_tensor_loc(graph, graph->outputs.at[i]), "graph output %u is never produced", i);
        else if (graph->outputs.at[i]->type == AIR_RESOURCE)
            ok = helia_error(diag, air_tensor_loc(graph, graph->outputs.at[i]),
                             "graph output %u is the handle of a variable; it must be a value", i);
    }
    note_supported(&m, &unsupported);
    if (!ok)
        return NULL;
    air_rebuild_uses(graph);
    return model;
}
