/* The memory picture as text: one table a region, and each scratch arena over time. */
#include <stdlib.h>
#include <string.h>

#include <helia_aot/emit.h>
#include "plan/plan.h"

enum { CELLS = 56 };
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
static const char working_memory = '~', many = '#', nothing = '.';

static int by_offset(const void *x, const void *y)
{
    const PlanRow *a = x, *b = y;
    if (a->storage != b->storage)
        return (a->storage > b->storage) - (a->storage < b->storage);
    if (a->owner != b->owner)
        return (int)b->owner - (int)a->owner;
    if (a->slot->offset != b->slot->offset)
        return (a->slot->offset > b->slot->offset) - (a->slot->offset < b->slot->offset);
    return (a->order > b->order) - (a->order < b->order);
}

static int by_time(const void *x, const void *y)
{
    const PlanRow *a = x, *b = y;
    if (a->slot->first != b->slot->first)
        return (a->slot->first > b->slot->first) - (a->slot->first < b->slot->first);
    return by_offset(x, y);
}

/* The next letter, in turn, that no storage of the same or a neighbouring operator has. */
static void give_letters(PlanRows *t)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < t->len; i++) {
        PlanRow *row = &t->at[i];
        if (row->letter)
            continue;
        if (!row->owner && i > 0) {
            row->letter = t->at[i - 1].letter;
            continue;
        }
        bool taken[UINT8_MAX + 1] = {false};
        for (uint32_t k = 0; k < i; k++)
            if (t->at[k].slot->last + 1 >= row->slot->first)
                taken[(uint8_t)t->at[k].letter] = true;
        row->letter = many;
        for (uint32_t k = 0; k < sizeof(letters) - 1 && row->letter == many; k++, next++)
            if (!taken[(uint8_t)letters[next % (sizeof(letters) - 1)]])
                row->letter = letters[next % (sizeof(letters) - 1)];
    }
}

PlanRows plan_region_rows(HeliaArena *arena, const AirGraph *g, const MemoryPlan *plan, uint32_t region)
{
    PlanRows t = {0};
    for (uint32_t i = 0; i < g->tensors.len; i++) {
        const MemorySlot *slot = &plan->tensors[i];
        if (slot->region == (int32_t)region)
            HELIA_PUSH(arena, &t,
                       ((PlanRow){.name = helia_printable(arena, g->tensors.at[i]->name),
                                  .slot = slot,
                                  .storage = plan->tensors[slot->root].offset,
                                  .order = t.len,
                                  .owner = slot->root == i}));
    }
    for (uint32_t i = 0; i < g->nodes.len; i++)
        if (plan->scratch[i].region == (int32_t)region)
            HELIA_PUSH(arena, &t,
                       ((PlanRow){.name = helia_format(arena, "(working memory of %s)", g->nodes.at[i]->cname),
                                  .slot = &plan->scratch[i],
                                  .storage = plan->scratch[i].offset,
                                  .order = t.len,
                                  .owner = true,
                                  .letter = working_memory}));
    const bool over_time = plan->regions.at[region].role == ROLE_SCRATCH;
    if (t.len)
        qsort(t.at, t.len, sizeof(PlanRow), over_time ? by_time : by_offset);
    if (over_time)
        give_letters(&t);
    return t;
}

bool plan_row_is_working(const PlanRow *row)
{
    return row->letter == working_memory;
}

static size_t common(size_t a_begin, size_t a_end, size_t b_begin, size_t b_end)
{
    size_t begin = a_begin > b_begin ? a_begin : b_begin, end = a_end < b_end ? a_end : b_end;
    return end > begin ? end - begin : 0;
}

/* One operator: each cell shows the buffer that has most of it. The bytes in use. */
static size_t draw(const PlanRows *t, uint32_t op, size_t size, char *cells)
{
    size_t covered[CELLS] = {0}, used = 0;
    memset(cells, nothing, CELLS);
    cells[CELLS] = '\0';
    for (uint32_t i = 0; i < t->len; i++) {
        const MemorySlot *s = t->at[i].slot;
        if (!t->at[i].owner || op < s->first || op > s->last)
            continue;
        used += s->size;
        for (size_t k = s->offset * CELLS / size; k < CELLS && k * size / CELLS < s->offset + s->size; k++) {
            size_t n = common(s->offset, s->offset + s->size, k * size / CELLS, ((k + 1) * size + CELLS - 1) / CELLS);
            if (n <= covered[k])
                continue;
            covered[k] = n;
            cells[k] = t->at[i].letter;
        }
    }
    return used;
}

/* Time runs down, the arena from left to right. */
static void picture(HeliaOut *o, const AirGraph *g, const PlanRows *t, size_t size)
{
    char cells[CELLS + 1];
    size_t most = 0;
    for (uint32_t op = 0; op < g->nodes.len; op++) {
        size_t used = draw(t, op, size, cells);
        most = used > most ? used : most;
    }
    helia_out_line(o, "  %-26s %10s    0%*zu", "operator", "in use", CELLS - 1, size);
    for (uint32_t op = 0; op < g->nodes.len; op++) {
        size_t used = draw(t, op, size, cells);
        helia_out_line(o, "%4u %-23.23s %10zu %c |%s|", op, g->nodes.at[op]->cname, used, used == most ? '*' : ' ',
                       cells);
    }
    helia_out_line(o, "%s", "");
}

static void table(HeliaOut *o, const PlanRows *t, bool over_time)
{
    helia_out_line(o, "  %-2s %10s %10s %5s %5s  tensor", "", "offset", "size", "first", "last");
    for (uint32_t i = 0; i < t->len; i++) {
        const PlanRow *row = &t->at[i];
        helia_out_line(o, "  %c%c %10zu %10zu %5u %5u  %s", over_time ? row->letter : ' ', row->owner ? ' ' : '=',
                       row->slot->offset, row->slot->size, row->slot->first, row->slot->last, row->name);
    }
    helia_out_line(o, "%s", "");
}

const char *plan_region_title(HeliaArena *arena, const MemoryRegion *region)
{
    const char *staged = region->staged ? helia_format(arena, ", copied by init from %s", memory_name(region->source))
                                        : "";
    return helia_format(arena, "%s %s: %zu bytes, alignment %zu%s%s", memory_role_name(region->role),
                        memory_name(region->memory), region->size, region->align, staged,
                        region->sidecar ? ", in a blob beside the code" : "");
}

const char *plan_region_bound(HeliaArena *arena, const MemoryRegion *region)
{
    return region->proven
               ? "the minimum for this order of operators"
               : helia_format(arena, "no plan for this order of operators is below %zu bytes", region->lower_bound);
}

const char *plan_report_text(HeliaArena *arena, const AirGraph *graph, const MemoryPlan *plan)
{
    HeliaOut *o = helia_out_new(arena);
    for (uint32_t r = 0; r < plan->regions.len; r++) {
        const MemoryRegion *region = &plan->regions.at[r];
        const bool over_time = region->role == ROLE_SCRATCH;
        const PlanRows t = plan_region_rows(arena, graph, plan, r);
        helia_out_line(o, "%s", plan_region_title(arena, region));
        if (over_time)
            helia_out_line(o, "%s", plan_region_bound(arena, region));
        table(o, &t, over_time);
        if (over_time && region->size)
            picture(o, graph, &t, region->size);
    }
    return helia_out_string(o, NULL);
}
