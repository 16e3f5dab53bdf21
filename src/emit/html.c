/* The report handler: <p>_report.html, the facts of README.md as one page that needs nothing else, with a picture of each
 * arena over time. */
#include "emit/facts.h"

#include <string.h>

/* For elements and attributes. */
static const char *escaped(HeliaArena *arena, const char *text)
{
    HeliaOut *o = helia_out_new(arena);
    for (; *text; text++) {
        const char *entity = *text == '&'    ? "&amp;"
                             : *text == '<'  ? "&lt;"
                             : *text == '>'  ? "&gt;"
                             : *text == '"'  ? "&quot;"
                             : *text == '\'' ? "&#39;"
                                             : NULL;
        helia_out_text(o, entity ? entity : text, entity ? strlen(entity) : 1);
    }
    return helia_out_string(o, NULL);
}

/* Text with `code` in it. */
static const char *with_code(HeliaArena *arena, const char *text)
{
    HeliaOut *o = helia_out_new(arena);
    for (bool code = false;; code = !code) {
        const size_t n = strcspn(text, "`");
        const char *part = escaped(arena, helia_strndup(arena, text, n));
        helia_out_text(o, part, strlen(part));
        if (!text[n])
            return helia_out_string(o, NULL);
        helia_out_text(o, code ? "</code>" : "<code>", code ? 7 : 6);
        text += n + 1;
    }
}

static const char *code(HeliaArena *arena, const char *text)
{
    return helia_format(arena, "<code>%s</code>", escaped(arena, helia_printable(arena, text)));
}

static bool is_number(const char *text)
{
    return *text && !text[strspn(text, "0123456789")];
}

static const char *table(const FactTable *t)
{
    HeliaOut *o = helia_out_new(t->arena);
    bool headed = false;
    for (uint32_t i = 0; i < t->columns; i++)
        headed = headed || *t->heads[i];
    helia_out_line(o, "<table>");
    if (headed) {
        helia_out_line(o, "<tr>");
        for (uint32_t i = 0; i < t->columns; i++)
            helia_out_line(o, "<th>%s</th>", escaped(t->arena, t->heads[i]));
        helia_out_line(o, "</tr>");
    }
    for (uint32_t i = 0; i < t->cells.len; i++) {
        const FactCell *cell = &t->cells.at[i];
        if (i % t->columns == 0)
            helia_out_line(o, "<tr>");
        helia_out_line(o, "<td%s>%s</td>", !cell->code && is_number(cell->text) ? " class=\"number\"" : "",
                       cell->code ? code(t->arena, cell->text) : with_code(t->arena, cell->text));
        if (i % t->columns == t->columns - 1)
            helia_out_line(o, "</tr>");
    }
    helia_out_line(o, "</table>");
    return helia_out_string(o, NULL);
}

/* ---- memory ----------------------------------------------------------------------------------- */
/* By the letter of the text's picture, so that neighbours differ; working memory is grey. */
static const char *colour(HeliaArena *arena, const PlanRow *row)
{
    if (plan_row_is_working(row))
        return "#999999";
    const unsigned i = (unsigned char)row->letter;
    return helia_format(arena, "hsl(%u,60%%,%u%%)", i * 137u % 360u, 62u + i % 3u * 8u);
}

static const char *when(HeliaEmitter *e, uint32_t position)
{
    return position < e->graph->nodes.len
               ? helia_format(e->arena, "%u %s", position, e->graph->nodes.at[position]->cname)
               : "";
}

static void region_rows(HeliaEmitter *e, HeliaOut *o, const PlanRows *rows, bool over_time)
{
    helia_out_line(o, "<table>");
    helia_out_line(o, "<tr><th></th><th>tensor</th><th>offset</th><th>size</th><th>first</th><th>last</th></tr>");
    for (uint32_t i = 0; i < rows->len; i++) {
        const PlanRow *row = &rows->at[i];
        const char *swatch = over_time && row->owner
                                 ? helia_format(e->arena, " style=\"background:%s\"", colour(e->arena, row))
                                 : "";
        helia_out_line(o,
                       "<tr><td class=\"swatch\"%s>%s</td><td>%s</td><td class=\"number\">%zu</td><td "
                       "class=\"number\">%zu</td><td>%s</td><td>%s</td></tr>",
                       swatch, row->owner ? "" : "in it:", escaped(e->arena, row->name), row->slot->offset,
                       row->slot->size, escaped(e->arena, when(e, row->slot->first)),
                       escaped(e->arena, when(e, row->slot->last)));
    }
    helia_out_line(o, "</table>");
}

/* Units of the picture are operators and bytes; it is stretched to its box. Offset 0 is at the bottom. */
static void picture(HeliaEmitter *e, HeliaOut *o, const PlanRows *rows, size_t size)
{
    const uint32_t n = e->graph->nodes.len;
    helia_out_line(o, "<div class=\"picture\"><div class=\"bytes\"><span>%zu</span><span>0</span></div>", size);
    helia_out_line(o, "<svg viewBox=\"0 0 %u %zu\" preserveAspectRatio=\"none\" role=\"img\">", n, size);
    for (uint32_t i = 0; i < rows->len; i++) {
        const PlanRow *row = &rows->at[i];
        const MemorySlot *s = row->slot;
        if (!row->owner)
            continue;
        helia_out_line(o,
                       "<rect x=\"%u\" y=\"%zu\" width=\"%u\" height=\"%zu\" fill=\"%s\"><title>%s: %zu bytes at %zu, "
                       "operators %u to %u</title></rect>",
                       s->first, size - s->offset - s->size, s->last - s->first + 1, s->size, colour(e->arena, row),
                       escaped(e->arena, row->name), s->size, s->offset, s->first, s->last);
    }
    helia_out_line(o, "</svg></div>");
    helia_out_line(o, "<p class=\"time\"><span>operator 0</span><span>%u</span></p>", n - 1);
}

static const char *memory(HeliaEmitter *e)
{
    HeliaOut *o = helia_out_new(e->arena);
    for (uint32_t r = 0; r < e->plan->regions.len; r++) {
        const MemoryRegion *region = &e->plan->regions.at[r];
        const bool over_time = region->role == ROLE_SCRATCH;
        const PlanRows rows = plan_region_rows(e->arena, e->graph, e->plan, r);
        helia_out_line(o, "<h3>%s</h3>", escaped(e->arena, plan_region_title(e->arena, region)));
        if (over_time)
            helia_out_line(o, "<p>%s</p>", escaped(e->arena, plan_region_bound(e->arena, region)));
        if (over_time && region->size && e->graph->nodes.len)
            picture(e, o, &rows, region->size);
        region_rows(e, o, &rows, over_time);
    }
    return helia_out_string(o, NULL);
}

/* ---- the page --------------------------------------------------------------------------------- */
bool emit_html(HeliaEmitter *e)
{
    if (!e->config->documentation.html)
        return true;
    const FactTable module = facts_module(e), ports = facts_ports(e), sizes = facts_sizes(e),
                    operators = facts_operators(e), blobs = facts_blobs(e);
    const char *beside = blobs.cells.len
                             ? helia_format(e->arena, "<h2>Constants beside the code</h2>\n%s", table(&blobs))
                             : "";
    const TemplateKey keys[] = {
        {"TITLE", escaped(e->arena, e->config->module.name)},
        {"MADE", escaped(e->arena, e->origin)},
        {"MODULE", table(&module)},
        {"PORTS", table(&ports)},
        {"SIZES", table(&sizes)},
        {"OPERATORS", table(&operators)},
        {"NUMERICS", with_code(e->arena, facts_numerics(e))},
        {"MEMORY", memory(e)},
        {"BLOBS", beside},
    };
    return emit_template(e, helia_format(e->arena, "%s_report.html", e->prefix), "report.html.in", keys,
                         sizeof(keys) / sizeof(keys[0]));
}
