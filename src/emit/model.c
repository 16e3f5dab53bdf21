/* The model handler: <p>_model.h and <p>_model.c. The fixed part is in the templates; what depends on the model is made
 * here and in model_blocks.c. */
#include "emit/facts.h"

#include <ctype.h>
#include <string.h>

/* ---- placement -------------------------------------------------------------------------------- */
static const MemorySlot *slot_of(const HeliaEmitter *e, const AirTensor *t)
{
    return &e->plan->tensors[t->id];
}

static const char *offsets_block(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    size_t largest = 0;
    for (uint32_t i = 0; i < e->tensors.len; i++) {
        const MemorySlot *slot = slot_of(e, e->tensors.at[i]);
        largest = slot->region >= 0 && slot->offset > largest ? slot->offset : largest;
    }
    if (!e->tensors.len)
        return "";
    helia_out_line(o, "/* Of each tensor in its region. */");
    helia_out_open(o, "static const %s offsets[%s_NUM_TENSORS] =", largest > UINT16_MAX ? "uint32_t" : "uint16_t",
                   e->PREFIX);
    for (uint32_t i = 0; i < e->tensors.len; i++) {
        const AirTensor *t = e->tensors.at[i];
        const MemorySlot *slot = slot_of(e, t);
        helia_out_line(o, "%zuu%s /* %s */", slot->region < 0 ? 0 : slot->offset, i + 1 < e->tensors.len ? "," : "",
                       e->tensor_names[t->id]);
    }
    helia_out_close(o, ";");
    helia_out_line(o, "%s", "");
    helia_out_line(o, "/* Tensors first to end - 1 are in that region. */");
    helia_out_line(o, "static void place(%s_model_context_t *ctx, uint32_t region, uint32_t first, uint32_t end)",
                   e->prefix);
    helia_out_line(o, "{");
    helia_out_line(o, "    uint8_t *base = (uint8_t *)ctx->arena_buffers[region];");
    helia_out_line(o, "    uint32_t i;");
    helia_out_line(o, "    for (i = first; i < end; i++)");
    helia_out_line(o, "        ctx->tensor_ptrs[i] = base + offsets[i];");
    helia_out_line(o, "}");
    helia_out_line(o, "%s", "");
    return helia_out_string(o, NULL);
}

static const char *resolve_block(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    bool checks = false;
    for (uint32_t r = 0; r < e->plan->regions.len; r++)
        checks = checks || e->plan->regions.at[r].sidecar;
    if (checks)
        helia_out_line(o, "    int32_t status;");
    for (uint32_t r = 0; r < e->plan->regions.len; r++) {
        const char *name = region_name(e, r);
        if (e->plan->regions.at[r].sidecar) {
            helia_out_line(o, "    status = blob_status(%s, header%u);", name, r);
            helia_out_line(o, "    if (status != %s_STATUS_OK)", e->PREFIX);
            helia_out_line(o, "        return status;");
        }
        if (region_is_cold(e, r) && e->plan->regions.at[r].sidecar) {
            helia_out_line(o, "    ctx->arena_buffers[%s] = (void *)((uintptr_t)blobs[%s] + %zuu);", name, name,
                           blob_payload(e, r));
        } else if (region_is_owned(e, r)) {
            bool is_const = !memory_is_writable(e->plan->regions.at[r].memory);
            helia_out_line(o, "    ctx->arena_buffers[%s] = %s%s;", name, is_const ? "(void *)(uintptr_t)" : "",
                           region_symbol(e, r));
        } else {
            helia_out_line(o, "    if (bound[%s] == NULL)", name);
            helia_out_line(o, "        return %s_STATUS_ARENA_NOT_BOUND;", e->PREFIX);
            helia_out_line(o, "    ctx->arena_buffers[%s] = bound[%s];", name, name);
        }
    }
    for (uint32_t i = 0, end; i < e->tensors.len; i = end) {
        int32_t region = slot_of(e, e->tensors.at[i])->region;
        for (end = i + 1; end < e->tensors.len && slot_of(e, e->tensors.at[end])->region == region;)
            end++;
        if (region >= 0) {
            helia_out_line(o, "    place(ctx, %s, %uu, %uu);", region_name(e, (uint32_t)region), i, end);
            continue;
        }
        for (uint32_t k = i; k < end; k++)
            helia_out_line(o, "    ctx->tensor_ptrs[%s] = NULL;", e->tensor_names[e->tensors.at[k]->id]);
    }
    if (!e->plan->regions.len && !e->tensors.len)
        helia_out_line(o, "    (void)ctx;");
    return helia_out_string(o, NULL);
}

/* ---- views ------------------------------------------------------------------------------------ */
static void view_arrays(HeliaEmitter *e, HeliaOut *o, const EmitPort *p, const char *direction, uint32_t i)
{
    const AirTensor *t = p->tensor;
    const char *shape = t->rank ? "" : "0";
    for (int32_t k = 0; k < t->rank; k++)
        shape = helia_format(e->arena, "%s%s%d", shape, k ? ", " : "", t->dim[k]);
    helia_out_line(o, "static const int32_t %sshape%u[] = {%s};", direction, i, shape);
    if (!t->quant || t->quant->n < 2)
        return;
    helia_out_open(o, "static const float %sscales%u[] =", direction, i);
    for (uint32_t k = 0; k < t->quant->n; k++)
        helia_out_line(o, "%s%s", helia_float_text(e->arena, t->quant->scale[k]), k + 1 < t->quant->n ? "," : "");
    helia_out_close(o, ";");
}

const char *dtype_name(HeliaEmitter *e, AirType type)
{
    char *name = helia_format(e->arena, "%s_DTYPE_%s", e->PREFIX, air_type_doc(type));
    for (char *c = name + strlen(e->PREFIX); *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return name;
}

void emit_views(HeliaEmitter *e, HeliaOut *o, const EmitPort *ports, uint32_t n, const char *direction,
                const char *size)
{
    for (uint32_t i = 0; i < n; i++)
        view_arrays(e, o, &ports[i], direction, i);
    if (n)
        helia_out_open(o, "static const %s_tensor_view_t %sviews[%s] =", e->prefix, direction, size);
    for (uint32_t i = 0; i < n; i++) {
        const AirTensor *t = ports[i].tensor;
        bool per_channel = t->quant && t->quant->n > 1;
        const char *scales = per_channel ? helia_format(e->arena, "%sscales%u", direction, i) : "NULL";
        helia_out_line(o, "{%s, NULL, %zuu, %s, %du, %sshape%u, %s, %d, %s, %uu}%s",
                       string_literal(e->arena, ports[i].original), air_bytes(t), dtype_name(e, t->type), t->rank,
                       direction, i, helia_float_text(e->arena, t->quant ? t->quant->scale[0] : 0.0f),
                       t->quant ? t->quant->zero[0] : 0, scales, per_channel ? t->quant->n : 0, i + 1 < n ? "," : "");
    }
    if (n) {
        helia_out_close(o, ";");
        helia_out_line(o, "%s", "");
    }
}

static const char *set_views_block(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    const uint32_t n_in = e->graph->inputs.len, n_out = e->graph->outputs.len;
    if (n_in)
        helia_out_line(o, "    memcpy(ctx->inputs, inputviews, sizeof(inputviews));");
    if (n_out)
        helia_out_line(o, "    memcpy(ctx->outputs, outputviews, sizeof(outputviews));");
    for (uint32_t i = 0; i < n_in; i++)
        helia_out_line(o, "    ctx->inputs[%u].data = ctx->tensor_ptrs[%s];", i,
                       e->tensor_names[e->inputs[i].tensor->id]);
    for (uint32_t i = 0; i < n_out; i++)
        helia_out_line(o, "    ctx->outputs[%u].data = ctx->tensor_ptrs[%s];", i,
                       e->tensor_names[e->outputs[i].tensor->id]);
    if (!n_in && !n_out)
        helia_out_line(o, "    (void)ctx;");
    return helia_out_string(o, NULL);
}

/* ---- schedule --------------------------------------------------------------------------------- */
static const char *inits_block(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    for (uint32_t i = 0; i < e->operators.len; i++) {
        if (!operator_has_init(e->operators.at[i]))
            continue;
        helia_out_line(o, "    status = %s_%s_init(ctx);", e->prefix, e->operators.at[i]->cname);
        helia_out_line(o, "    if (status != %s_STATUS_OK)", e->PREFIX);
        helia_out_line(o, "        return status;");
    }
    return helia_out_string(o, NULL);
}

/* A function step(ctx, op) that runs one operator. */
static const char *schedule_block(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    const bool table = e->config->module.schedule == SCHEDULE_TABLE;
    if (!e->operators.len)
        return "";
    if (table) {
        helia_out_open(o, "static int32_t (*const operators[%s_NUM_OPERATORS])(%s_model_context_t *ctx) =", e->PREFIX,
                       e->prefix);
        for (uint32_t i = 0; i < e->operators.len; i++)
            helia_out_line(o, "%s_%s_run%s", e->prefix, e->operators.at[i]->cname, i + 1 < e->operators.len ? "," : "");
        helia_out_close(o, ";");
        helia_out_line(o, "%s", "");
    }
    helia_out_line(o, "static int32_t step(%s_model_context_t *ctx, uint32_t op)", e->prefix);
    helia_out_line(o, "{");
    if (table) {
        helia_out_line(o, "    int32_t status = %s_STATUS_OK;", e->PREFIX);
        helia_out_line(o, "    if (ctx->callback != NULL)");
        helia_out_line(o, "        status = ctx->callback(ctx, op, 0u, ctx->callback_user);");
        helia_out_line(o, "    if (status == %s_STATUS_OK)", e->PREFIX);
        helia_out_line(o, "        status = operators[op](ctx);");
        helia_out_line(o, "    if (status == %s_STATUS_OK && ctx->callback != NULL)", e->PREFIX);
        helia_out_line(o, "        status = ctx->callback(ctx, op, 1u, ctx->callback_user);");
        helia_out_line(o, "    return status;");
    } else {
        helia_out_line(o, "    switch (op) {");
        for (uint32_t i = 0; i < e->operators.len; i++) {
            helia_out_line(o, "    case %uu:", i);
            helia_out_line(o, "        return %s_%s_run(ctx);", e->prefix, e->operators.at[i]->cname);
        }
        helia_out_line(o, "    default:");
        helia_out_line(o, "        return %s_STATUS_OK;", e->PREFIX);
        helia_out_line(o, "    }");
    }
    helia_out_line(o, "}");
    helia_out_line(o, "%s", "");
    return helia_out_string(o, NULL);
}

static const char *steps_block(HeliaEmitter *e)
{
    if (!e->operators.len)
        return "    (void)n;\n";
    HeliaOut *o = helia_out_new(e->arena);
    helia_out_line(o, "    for (; n > 0u && ctx->next_op < %s_NUM_OPERATORS; n--) {", e->PREFIX);
    if (emits_debug(e)) {
        helia_out_line(o, "        int32_t status = step(ctx, ctx->next_op);");
        helia_out_line(o, "        if (status == %s_STATUS_OK)", e->PREFIX);
        helia_out_line(o, "            status = %s_debug_outputs(ctx, ctx->next_op);", e->prefix);
    } else {
        helia_out_line(o, "        const int32_t status = step(ctx, ctx->next_op);");
    }
    helia_out_line(o, "        if (status != %s_STATUS_OK) {", e->PREFIX);
    helia_out_line(o, "            ctx->next_op = 0u;");
    helia_out_line(o, "            return status;");
    helia_out_line(o, "        }");
    helia_out_line(o, "        ctx->next_op++;");
    helia_out_line(o, "    }");
    helia_out_line(o, "    if (ctx->next_op < %s_NUM_OPERATORS)", e->PREFIX);
    helia_out_line(o, "        return %s_STATUS_OK;", e->PREFIX);
    return helia_out_string(o, NULL);
}

static const char *run_block(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    helia_out_line(o, "%s", "");
    helia_out_line(o, "int32_t %s_model_run(%s_model_context_t *ctx)", e->prefix, e->prefix);
    helia_out_line(o, "{");
    if (e->config->module.schedule == SCHEDULE_TABLE || !e->operators.len || emits_debug(e)) {
        helia_out_line(o, "    if (ctx != NULL)");
        helia_out_line(o, "        ctx->next_op = 0u;");
        helia_out_line(o, "    return %s_model_run_steps(ctx, UINT32_MAX, NULL);", e->prefix);
    } else {
        helia_out_line(o, "    int32_t status;");
        helia_out_line(o, "    if (ctx == NULL)");
        helia_out_line(o, "        return %s_STATUS_NULL_CONTEXT;", e->PREFIX);
        helia_out_line(o, "    if (ctx->initialized == 0u)");
        helia_out_line(o, "        return %s_STATUS_NOT_INITIALIZED;", e->PREFIX);
        helia_out_line(o, "    ctx->next_op = 0u;");
        for (uint32_t i = 0; i < e->operators.len; i++) {
            helia_out_line(o, "    status = %s_%s_run(ctx);", e->prefix, e->operators.at[i]->cname);
            helia_out_line(o, "    if (status != %s_STATUS_OK)", e->PREFIX);
            helia_out_line(o, "        return status;");
        }
        helia_out_line(o, "    return %s_STATUS_OK;", e->PREFIX);
    }
    helia_out_line(o, "}");
    return helia_out_string(o, NULL);
}

/* ---- the handler ------------------------------------------------------------------------------ */
static bool check_ports(HeliaEmitter *e)
{
    bool ok = true;
    for (uint32_t i = 0; i < e->graph->inputs.len + e->graph->outputs.len; i++) {
        const AirTensor *t = i < e->graph->inputs.len ? e->graph->inputs.at[i]
                                                      : e->graph->outputs.at[i - e->graph->inputs.len];
        if (t->type == AIR_S2)
            ok = helia_error(e->diag, air_tensor_loc(e->graph, t), "an input or output of type %s is not supported",
                             air_type_doc(t->type));
    }
    return ok;
}

bool emit_model(HeliaEmitter *e)
{
    if (!check_ports(e))
        return false;
    const char *keep = e->config->memory.keep_inputs
                           ? "Inputs keep their values during a run."
                           : "Inputs may be overwritten during a run (memory.keep_inputs: false).";
    const char *constant_blob = helia_format(
        e->arena,
        "/* What it copies to a staged region: REGION_SIZE bytes. NULL: nothing is staged there, or no blob is "
        "bound. */\nconst void *%s_constant_blob(uint32_t region);\n",
        e->prefix);
    const char *debug_print = helia_format(
        e->arena,
        "/* For ctx->debug_callback: prints inputs and outputs through %s_PRINTF, as `helia-aot compare` reads them. "
        "*/\n"
        "int32_t %s_debug_print(%s_model_context_t *ctx, uint32_t op, const %s_tensor_view_t *output, void *user);\n",
        e->PREFIX, e->prefix, e->prefix, e->prefix);
    const char *description = model_description(e);
    const TemplateKey header[] = {
        {"KEEP_INPUTS", keep},
        {"MODEL_NAME", comment_text(e->arena, e->config->model.name)},
        {"MODEL_VERSION", comment_text(e->arena, model_version(e))},
        {"DESCRIPTION", *description ? helia_format(e->arena, " %s", comment_text(e->arena, description)) : ""},
        {"QUANTIZE", model_quantize_declarations(e)},
        {"CONSTANT_BLOB", has_staged(e) ? constant_blob : ""},
        {"DEBUG", emits_debug(e) ? debug_print : ""}};
    HeliaOut *views = helia_out_new(e->arena);
    emit_views(e, views, e->inputs, e->graph->inputs.len, "input", helia_format(e->arena, "%s_NUM_INPUTS", e->PREFIX));
    emit_views(e, views, e->outputs, e->graph->outputs.len, "output",
               helia_format(e->arena, "%s_NUM_OUTPUTS", e->PREFIX));
    const char *debug_header = helia_format(e->arena, "#include \"%s_debug.h\"\n", e->prefix);
    const TemplateKey source[] = {
        {"DEBUG_HEADER", emits_debug(e) ? debug_header : ""},
        {"BINDINGS", model_binding_block(e)},
        {"BLOBS", model_blob_block(e)},
        {"HYDRATE", model_hydrate_block(e)},
        {"OFFSETS", offsets_block(e)},
        {"RESOLVE", resolve_block(e)},
        {"VIEWS", helia_out_string(views, NULL)},
        {"SET_VIEWS", set_views_block(e)},
        {"STATE", model_state_block(e)},
        {"RESET", e->variables.len ? "    resetall(ctx);\n" : ""},
        {"INITS", inits_block(e)},
        {"SCHEDULE", schedule_block(e)},
        {"STEPS", steps_block(e)},
        {"RUN", run_block(e)},
        {"QUANTIZE", model_quantize_block(e)},
    };
    return emit_template(e, helia_format(e->arena, "includes-api/%s_model.h", e->prefix), "model.h.in", header,
                         sizeof(header) / sizeof(header[0])) &&
           emit_template(e, helia_format(e->arena, "src/%s_model.c", e->prefix), "model.c.in", source, 15);
}
