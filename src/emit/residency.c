/* The residency handler: <prefix>_residency.json, where every tensor is and for how long. */
#include "emit/emit_int.h"

#include <string.h>

/* A JSON string; bytes outside printable ASCII as \u00XX. */
static const char *json_text(HeliaEmitter *e, const char *text)
{
    HeliaOut *o = helia_out_new(e->arena);
    helia_out_text(o, "\"", 1);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        const bool quoted = *c == '"' || *c == '\\', plain = *c >= 0x20 && *c < 0x7f;
        const char *escaped = quoted  ? helia_format(e->arena, "\\%c", *c)
                              : plain ? helia_format(e->arena, "%c", *c)
                                      : helia_format(e->arena, "\\u%04x", *c);
        helia_out_text(o, escaped, strlen(escaped));
    }
    helia_out_text(o, "\"", 1);
    return helia_out_string(o, NULL);
}

static void regions(HeliaEmitter *e, HeliaOut *o)
{
    const uint32_t n = e->plan->regions.len;
    helia_out_line(o, "  \"regions\": [");
    for (uint32_t i = 0; i < n; i++) {
        const MemoryRegion *r = &e->plan->regions.at[i];
        const char *bound = r->role != ROLE_SCRATCH ? ""
                                                    : helia_format(e->arena, ", \"lower_bound\": %zu, \"proven\": %s",
                                                                   r->lower_bound, r->proven ? "true" : "false");
        helia_out_line(
            o,
            "    {\"id\": %u, \"name\": \"%s\", \"role\": \"%s\", \"memory\": \"%s\", \"source_memory\": \"%s\", "
            "\"staged\": %s, \"storage\": \"%s\", \"size\": %zu, \"alignment\": %zu%s}%s",
            i, region_name(e, i), memory_role_name(r->role), memory_name(r->memory), memory_name(region_source(r)),
            r->staged ? "true" : "false",
            r->sidecar              ? "sidecar"
            : region_is_bound(e, i) ? "application"
                                    : "module",
            r->size, r->align, bound, i + 1 < n ? "," : "");
    }
    helia_out_line(o, "  ],");
}

static void memories(HeliaEmitter *e, HeliaOut *o)
{
    const char *row = NULL;
    helia_out_line(o, "  \"memories\": [");
    for (int m = 0; m < NUM_MEMORIES; m++) {
        size_t used = 0;
        for (uint32_t i = 0; i < e->plan->regions.len; i++) {
            const MemoryRegion *r = &e->plan->regions.at[i];
            used += (int)r->memory == m ? r->size : 0;
            used += r->staged && (int)r->source == m ? r->size : 0;
        }
        if (!e->plan->budget[m] && !used)
            continue;
        if (row)
            helia_out_line(o, "%s,", row);
        row = helia_format(e->arena, "    {\"memory\": \"%s\", \"budget\": %llu, \"used\": %zu, \"regions\": %zu}",
                           memory_name((MemoryType)m), (unsigned long long)e->plan->budget[m], used,
                           memory_bytes(e, (MemoryType)m));
    }
    if (row)
        helia_out_line(o, "%s", row);
    helia_out_line(o, "  ],");
}

static const char *place(HeliaEmitter *e, const MemorySlot *s)
{
    return helia_format(e->arena, "\"region\": %d, \"offset\": %zu, \"size\": %zu, \"first\": %u, \"last\": %u",
                        s->region, s->offset, s->size, s->first, s->last);
}

static const char *shape(HeliaEmitter *e, const AirTensor *t)
{
    const char *text = "";
    for (int32_t i = 0; i < t->rank; i++)
        text = helia_format(e->arena, "%s%s%d", text, i ? ", " : "", t->dim[i]);
    return text;
}

static void tensors(HeliaEmitter *e, HeliaOut *o)
{
    const char *row = NULL;
    helia_out_line(o, "  \"tensors\": [");
    for (uint32_t i = 0; i < e->graph->tensors.len; i++) {
        const AirTensor *t = e->graph->tensors.at[i];
        const MemorySlot *s = &e->plan->tensors[i];
        if (s->region < 0)
            continue;
        if (row)
            helia_out_line(o, "%s,", row);
        row = helia_format(
            e->arena,
            "    {\"id\": %u, \"litert_index\": %d, \"name\": %s, \"type\": \"%s\", \"shape\": [%s], %s, "
            "\"storage_of\": %u}",
            i, t->litert_index, json_text(e, t->name), air_type_doc(t->type), shape(e, t), place(e, s), s->root);
    }
    if (row)
        helia_out_line(o, "%s", row);
    helia_out_line(o, "  ],");
}

static void operators(HeliaEmitter *e, HeliaOut *o)
{
    const uint32_t n = e->graph->nodes.len;
    helia_out_line(o, "  \"operators\": [");
    for (uint32_t i = 0; i < n; i++) {
        const AirNode *node = e->graph->nodes.at[i];
        const MemorySlot *s = &e->plan->scratch[i];
        const char *scratch = s->region < 0 ? "null" : helia_format(e->arena, "{%s}", place(e, s));
        helia_out_line(o, "    {\"position\": %u, \"name\": \"%s\", \"type\": %s, \"scratch\": %s}%s", i, node->cname,
                       json_text(e, node->op_type), scratch, i + 1 < n ? "," : "");
    }
    helia_out_line(o, "  ]");
}

bool emit_residency(HeliaEmitter *e)
{
    if (!e->config->memory.dump_residency_report)
        return true;
    HeliaOut *o = helia_emit_file(e, helia_format(e->arena, "%s_residency.json", e->prefix));
    helia_out_line(o, "{");
    helia_out_line(o, "  \"model\": %s,", json_text(e, e->graph->model->file_name));
    helia_out_line(o, "  \"sha256\": \"%s\",", e->graph->model->sha256);
    helia_out_line(o, "  \"platform\": %s,", json_text(e, e->platform->name));
    helia_out_line(o, "  \"planner\": \"%s\",", e->config->memory.planner);
    helia_out_line(o, "  \"plan_hash\": \"0x%08x\",", e->plan->hash);
    helia_out_line(o, "  \"weights_bytes\": %zu,", weights_bytes(e));
    helia_out_line(o, "  \"state_size\": %u,", e->state_size);
    memories(e, o);
    regions(e, o);
    tensors(e, o);
    operators(e, o);
    helia_out_line(o, "}");
    return true;
}
