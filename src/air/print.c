/* AIR as text. The grammar, one item a line; strings are C-like with \xNN:
 *   model "kws.tflite" version 3
 *   graph 0 "main" inputs (%0 "audio") outputs (%9 "scores")
 *   tensor %0 s8[1x49x10x1] "input" q 0.58:83
 *   tensor %1 s8[64x10x4x1] "w" q axis 0 0.1:0 0.2:0 ... const 2560
 *   op 0 CONV_2D (%0 %1 %2) -> (%5) {padding=SAME stride_h=2}
 *   data %1 0a1b...                              the constants' bytes, 64 a line, at the end
 * Flags of a tensor: `open` (shape not fixed), `variable`, `initial` (a variable's data lines follow), `litert N` (index in
 * the file). An absent operand is `-`.
 * Everything in the order of the graph, so the same graph gives the same text. */
#include "air/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <helia_aot/emit.h>
#include <helia_aot/registry.h>

static void put(HeliaOut *o, const char *text)
{
    helia_out_text(o, text, strlen(text));
}

static void put_string(HeliaOut *o, HeliaArena *arena, const char *text)
{
    put(o, "\"");
    for (const char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\')
            put(o, helia_format(arena, "\\x%02x", c));
        else
            helia_out_text(o, p, 1);
    }
    put(o, "\"");
}

static void put_interface(HeliaOut *o, HeliaArena *arena, AirTensor *const *tensors, const char *const *names,
                          uint32_t n)
{
    put(o, " (");
    for (uint32_t i = 0; i < n; i++) {
        put(o, helia_format(arena, "%s%%%u ", i ? " " : "", tensors[i]->id));
        put_string(o, arena, names[i]);
    }
    put(o, ")");
}

static void put_tensor(HeliaOut *o, HeliaArena *arena, const AirTensor *t)
{
    put(o, helia_format(arena, "tensor %%%u %s%s ", t->id, air_type_text(t->type), air_shape_text(arena, t)));
    put_string(o, arena, t->name);
    if (t->litert_index >= 0)
        put(o, helia_format(arena, " litert %d", t->litert_index));
    if (t->shape_is_open)
        put(o, " open");
    if (t->is_variable)
        put(o, t->initial ? " variable initial" : " variable");
    if (t->quant) {
        put(o, " q");
        if (t->quant->n > 1)
            put(o, helia_format(arena, " axis %d", t->quant->axis));
        for (uint32_t i = 0; i < t->quant->n; i++)
            put(o, helia_format(arena, " %.9g:%d", (double)t->quant->scale[i], t->quant->zero[i]));
    }
    if (t->data)
        put(o, helia_format(arena, " const %zu", t->data_size));
}

static void put_operands(HeliaOut *o, HeliaArena *arena, AirTensor *const *tensors, uint32_t n)
{
    put(o, "(");
    for (uint32_t i = 0; i < n; i++)
        put(o, tensors[i] ? helia_format(arena, "%s%%%u", i ? " " : "", tensors[i]->id) : i ? " -" : "-");
    put(o, ")");
}

static void put_field(HeliaOut *o, HeliaArena *arena, const HeliaField *f, const void *options)
{
    const char *base = options;
    put(o, f->name);
    put(o, "=");
    if (f->kind == HELIA_FIELD_INT) {
        int32_t v;
        memcpy(&v, base + f->offset, sizeof(v));
        int32_t words = 0;
        while (f->names && f->names[words])
            words++;
        put(o, f->names && v >= 0 && v < words ? f->names[v] : helia_format(arena, "%d", v));
    } else if (f->kind == HELIA_FIELD_BOOL) {
        bool v;
        memcpy(&v, base + f->offset, sizeof(v));
        put(o, v ? "true" : "false");
    } else if (f->kind == HELIA_FIELD_FLOAT) {
        float v;
        memcpy(&v, base + f->offset, sizeof(v));
        put(o, helia_format(arena, "%.9g", (double)v));
    } else {
        uint32_t n;
        int32_t v[AIR_MAX_RANK];
        memcpy(&n, base + f->count_offset, sizeof(n));
        memcpy(v, base + f->offset, sizeof(v));
        put(o, "[");
        for (uint32_t i = 0; i < n && i < AIR_MAX_RANK; i++)
            put(o, helia_format(arena, "%s%d", i ? "," : "", v[i]));
        put(o, "]");
    }
}

static void put_node(HeliaOut *o, HeliaArena *arena, const AirNode *n, const HeliaRegistryContext *registry)
{
    put(o, helia_format(arena, "op %d %s ", n->litert_index, n->op_type));
    put_operands(o, arena, n->in, n->n_in);
    put(o, " -> ");
    put_operands(o, arena, n->out, n->n_out);
    const HeliaOptionsClass *c = registry ? helia_registry_get(registry->air_options, n->op_type) : NULL;
    if (c && n->options) {
        put(o, " {");
        for (uint32_t i = 0; i < c->n_fields; i++) {
            put(o, i ? " " : "");
            put_field(o, arena, &c->fields[i], n->options);
        }
        put(o, "}");
    }
    if (n->kernel)
        put(o, helia_format(arena, "  # %s, scratch %zu", n->kernel->symbol, n->scratch));
}

static void put_data(HeliaOut *o, const AirTensor *t)
{
    enum { A_LINE = 64 };
    static const char digit[] = "0123456789abcdef";
    const uint8_t *p = t->data ? t->data : t->initial;
    const size_t size = air_bytes(t);
    for (size_t i = 0; i < size; i += A_LINE) {
        char line[2 * A_LINE + 1];
        size_t n = size - i < A_LINE ? size - i : A_LINE;
        for (size_t k = 0; k < n; k++) {
            line[2 * k] = digit[p[i + k] >> 4];
            line[2 * k + 1] = digit[p[i + k] & 15];
        }
        line[2 * n] = 0;
        helia_out_line(o, "data %%%u %s", t->id, line);
    }
}

const char *air_print(HeliaArena *arena, const AirModel *model, const HeliaRegistryContext *registry)
{
    HeliaOut *o = helia_out_new(arena);
    HeliaArena *scratch = helia_arena_child(arena);
    put(o, "model ");
    put_string(o, scratch, model->file_name);
    put(o, helia_format(scratch, " version %u\n", model->version));
    for (uint32_t i = 0; i < model->graphs.len; i++) {
        const AirGraph *g = model->graphs.at[i];
        put(o, helia_format(scratch, "graph %u ", g->index));
        put_string(o, scratch, g->name);
        put(o, " inputs");
        put_interface(o, scratch, g->inputs.at, g->input_names, g->inputs.len);
        put(o, " outputs");
        put_interface(o, scratch, g->outputs.at, g->output_names, g->outputs.len);
        put(o, "\n");
        for (uint32_t k = 0; k < g->tensors.len; k++) {
            put_tensor(o, scratch, g->tensors.at[k]);
            put(o, "\n");
        }
        for (uint32_t k = 0; k < g->nodes.len; k++) {
            put_node(o, scratch, g->nodes.at[k], registry);
            put(o, "\n");
        }
        for (uint32_t k = 0; k < g->tensors.len; k++)
            if (g->tensors.at[k]->data || g->tensors.at[k]->initial)
                put_data(o, g->tensors.at[k]);
    }
    helia_arena_free(scratch);
    return helia_out_string(o, NULL);
}

const char *air_print_tensor(HeliaArena *arena, const AirTensor *tensor)
{
    HeliaOut *o = helia_out_new(arena);
    put_tensor(o, arena, tensor);
    return helia_out_string(o, NULL);
}

const char *air_print_node(HeliaArena *arena, const AirNode *node, const HeliaRegistryContext *registry)
{
    HeliaOut *o = helia_out_new(arena);
    put_node(o, arena, node, registry);
    return helia_out_string(o, NULL);
}
