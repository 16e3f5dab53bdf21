/* The blocks of <p>_model.c that are whole templates in one of two forms: state, bindings, quantisation helpers. */
#include "emit/emit_int.h"

#include "support/file.h"

static const char *expand(HeliaEmitter *e, const char *name, const char *key, const char *value)
{
    const TemplateKey keys[] = {{"p", e->prefix}, {"P", e->PREFIX}, {key, value}};
    const char *text = template_expand(e->arena, e->diag, name, keys, 3);
    return text ? text : "";
}

/* ---- state ------------------------------------------------------------------------------------ */
bool has_initial_array(const AirTensor *t)
{
    const uint8_t *bytes = t->initial;
    for (size_t i = 1; bytes && i < air_bytes(t); i++)
        if (bytes[i] != bytes[0])
            return true;
    return false;
}

/* What every other variable is filled with at a reset. */
static int32_t reset_byte(const AirTensor *t)
{
    const uint8_t *bytes = t->initial;
    if (!bytes || air_bytes(t) == 0)
        return t->type == AIR_S8 && t->quant ? t->quant->zero[0] : 0;
    return bytes[0];
}

const char *model_state_block(HeliaEmitter *e)
{
    if (!e->variables.len)
        return expand(e, "stateless.c.in", "", "");
    HeliaOut *rows = helia_out_new(e->arena), *layout = helia_out_new(e->arena);
    helia_out_line(layout, "%s", e->graph->model->sha256);
    for (uint32_t i = 0; i < e->variables.len; i++) {
        const AirTensor *t = e->variables.at[i];
        const bool varied = has_initial_array(t);
        const char *initial = varied ? initial_symbol(e, i) : "NULL";
        helia_out_line(rows, "    {%s, %zuu, %s, %d}%s", e->tensor_names[t->id], air_bytes(t), initial,
                       varied ? 0 : reset_byte(t), i + 1 < e->variables.len ? "," : "");
        helia_out_line(layout, "%s %zu", t->name, air_bytes(t));
    }
    size_t n;
    const char *text = helia_out_string(layout, &n);
    const TemplateKey keys[] = {
        {"p", e->prefix},
        {"P", e->PREFIX},
        {"N", helia_format(e->arena, "%u", e->variables.len)},
        {"VARIABLES", helia_out_string(rows, NULL)},
        {"IDENTITY", helia_format(e->arena, "0x%08xu", crc32_bytes(text, n))},
    };
    text = template_expand(e->arena, e->diag, "state.c.in", keys, sizeof(keys) / sizeof(keys[0]));
    return text ? text : "";
}

/* ---- bindings --------------------------------------------------------------------------------- */
const char *model_binding_block(HeliaEmitter *e)
{
    HeliaOut *cases = helia_out_new(e->arena);
    bool any = false;
    for (uint32_t r = 0; r < e->plan->regions.len; r++) {
        if (!region_is_bound(e, r))
            continue;
        const char *name = region_name(e, r);
        helia_out_line(cases, "    case %s:", name);
        helia_out_line(cases, "        needed = %s_SIZE;", name);
        helia_out_line(cases, "        align = %s_ALIGN;", name);
        helia_out_line(cases, "        break;");
        any = true;
    }
    return any ? expand(e, "bind.c.in", "CASES", helia_out_string(cases, NULL)) : expand(e, "bindless.c.in", "", "");
}

/* ---- quantisation helpers --------------------------------------------------------------------- */
static bool integer_range(AirType type, int32_t *lo, int32_t *hi)
{
    switch (type) {
    case AIR_S8:
        *lo = INT8_MIN, *hi = INT8_MAX;
        return true;
    case AIR_U8:
        *lo = 0, *hi = UINT8_MAX;
        return true;
    case AIR_S16:
        *lo = INT16_MIN, *hi = INT16_MAX;
        return true;
    case AIR_U16:
        *lo = 0, *hi = UINT16_MAX;
        return true;
    default:
        return false;
    }
}

/* Per-tensor quantised, 8 or 16 bits. */
static bool has_helper(const EmitPort *p, int32_t *lo, int32_t *hi)
{
    return p->tensor->quant && p->tensor->quant->n == 1 && integer_range(p->tensor->type, lo, hi);
}

static const char *signature(HeliaEmitter *e, const EmitPort *p, bool is_input)
{
    const char *type = air_type_ctype(p->tensor->type);
    return is_input ? helia_format(e->arena, "%s %s_quantize_input_%s(float value)", type, e->prefix, p->safe)
                    : helia_format(e->arena, "float %s_dequantize_output_%s(%s value)", e->prefix, p->safe, type);
}

const char *model_quantize_declarations(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    const uint32_t n_in = e->graph->inputs.len, n_out = e->graph->outputs.len;
    int32_t lo, hi;
    for (uint32_t i = 0; i < n_in + n_out; i++) {
        const EmitPort *p = i < n_in ? &e->inputs[i] : &e->outputs[i - n_in];
        if (!has_helper(p, &lo, &hi))
            continue;
        size_t n;
        helia_out_string(o, &n);
        if (n == 0)
            helia_out_line(o, "/* Quantised inputs and outputs: round to nearest, halves away from zero, saturate. */");
        helia_out_line(o, "%s;", signature(e, p, i < n_in));
    }
    size_t n;
    const char *text = helia_out_string(o, &n);
    return n ? helia_format(e->arena, "%s\n", text) : "";
}

const char *model_quantize_block(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    const uint32_t n_in = e->graph->inputs.len, n_out = e->graph->outputs.len;
    bool any_input = false, any = false;
    int32_t lo, hi;
    for (uint32_t i = 0; i < n_in + n_out; i++) {
        const EmitPort *p = i < n_in ? &e->inputs[i] : &e->outputs[i - n_in];
        if (!has_helper(p, &lo, &hi))
            continue;
        const char *name = helia_format(e->arena, "%s_%s_%s", e->PREFIX, i < n_in ? "INPUT" : "OUTPUT", p->safe);
        if (any)
            helia_out_line(o, "%s", "");
        helia_out_line(o, "%s", signature(e, p, i < n_in));
        helia_out_line(o, "{");
        if (i < n_in)
            helia_out_line(o, "    return (%s)quantize(value, %s_SCALE, %s_ZERO_POINT, %d, %d);",
                           air_type_ctype(p->tensor->type), name, name, lo, hi);
        else
            helia_out_line(o, "    return %s_SCALE * (float)(value - %s_ZERO_POINT);", name, name);
        helia_out_line(o, "}");
        any = true;
        any_input = any_input || i < n_in;
    }
    if (!any)
        return "";
    const TemplateKey keys[] = {
        {"ROUND", any_input ? expand(e, "round.c.in", "", "") : ""},
        {"FUNCTIONS", helia_out_string(o, NULL)},
    };
    const char *text = template_expand(e->arena, e->diag, "quantize.c.in", keys, 2);
    return text ? text : "";
}
