/* The memory picture as text: one table a region, and each scratch arena over time. */
#include <stdlib.h>
#include <string.h>

#include <helia_aot/emit.h>
#include "plan/plan.h"

typedef struct Line {
    const char *name;
    const MemorySlot *slot;
} Line;
typedef struct Lines {
    HELIA_VEC(Line) list;
} Lines;

static int by_offset(const void *x, const void *y)
{
    const Line *a = x, *b = y;
    if (a->slot->offset != b->slot->offset)
        return (a->slot->offset > b->slot->offset) - (a->slot->offset < b->slot->offset);
    if (a->slot->first != b->slot->first)
        return (a->slot->first > b->slot->first) - (a->slot->first < b->slot->first);
    return strcmp(a->name, b->name);
}

static void collect(HeliaArena *arena, const AirGraph *g, const MemoryPlan *plan, int32_t region, Lines *lines)
{
    for (uint32_t i = 0; i < g->tensors.len; i++)
        if (plan->tensors[i].region == region) {
            Line line = {helia_printable(arena, g->tensors.at[i]->name), &plan->tensors[i]};
            HELIA_PUSH(arena, &lines->list, line);
        }
    for (uint32_t i = 0; i < g->nodes.len; i++)
        if (plan->scratch[i].region == region) {
            Line line = {helia_format(arena, "(scratch of %s)", g->nodes.at[i]->cname), &plan->scratch[i]};
            HELIA_PUSH(arena, &lines->list, line);
        }
    if (lines->list.len)
        qsort(lines->list.at, lines->list.len, sizeof(Line), by_offset);
}

/* Rows are operators, columns the arena from 0 to its size; a letter a buffer, '.' free. */
static void picture(HeliaOut *o, const AirGraph *g, const Lines *lines, size_t size)
{
    enum { WIDTH = 64 };
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    helia_out_line(o, "%-24s 0%*zu", "operator", WIDTH - 1, size);
    for (uint32_t op = 0; op < g->nodes.len; op++) {
        char bar[WIDTH + 1];
        memset(bar, '.', WIDTH);
        bar[WIDTH] = 0;
        for (uint32_t i = 0; i < lines->list.len; i++) {
            const MemorySlot *s = lines->list.at[i].slot;
            if (op < s->first || op > s->last || s->size == 0)
                continue;
            size_t begin = s->offset * WIDTH / size, end = ((s->offset + s->size) * WIDTH + size - 1) / size;
            for (size_t k = begin; k < end && k < WIDTH; k++)
                bar[k] = letters[i % (sizeof(letters) - 1)];
        }
        helia_out_line(o, "%3u %-20.20s %s", op, g->nodes.at[op]->cname, bar);
    }
    helia_out_line(o, "%s", "");
}

const char *plan_report_text(HeliaArena *arena, const AirGraph *graph, const MemoryPlan *plan)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    HeliaOut *o = helia_out_new(arena);
    for (uint32_t r = 0; r < plan->regions.len; r++) {
        const MemoryRegion *region = &plan->regions.at[r];
        Lines lines = {{0}};
        collect(arena, graph, plan, (int32_t)r, &lines);
        helia_out_line(o, "%s %s: %zu bytes, alignment %zu", memory_role_name(region->role),
                       memory_name(region->memory), region->size, region->align);
        if (region->role == ROLE_SCRATCH)
            helia_out_line(o, "lower bound for this order %zu bytes: %s", region->lower_bound,
                           region->proven ? "the plan is the minimum" : "the minimum is not proven");
        helia_out_line(o, "    %8s %8s %5s %5s  tensor", "offset", "size", "first", "last");
        for (uint32_t i = 0; i < lines.list.len; i++) {
            const MemorySlot *s = lines.list.at[i].slot;
            char mark = region->role == ROLE_SCRATCH ? letters[i % (sizeof(letters) - 1)] : ' ';
            helia_out_line(o, "  %c %8zu %8zu %5u %5u  %s", mark, s->offset, s->size, s->first, s->last,
                           lines.list.at[i].name);
        }
        helia_out_line(o, "%s", "");
        if (region->role == ROLE_SCRATCH && region->size)
            picture(o, graph, &lines, region->size);
    }
    return helia_out_string(o, NULL);
}
