/* plan: runs a planner on a table of buffers, rows id,first,last,size. */
#include "cmd.h"

static const Planner *find_planner(Invocation *v)
{
    const char *name = cmd_option(v, "planner");
    const Planner *planner = planner_find(name ? name : "greedy");
    if (planner)
        return planner;
    const char *known = planner_at(0)->name;
    for (uint32_t i = 1; planner_at(i); i++)
        known = helia_format(v->arena, "%s, %s", known, planner_at(i)->name);
    helia_error(v->diag, HELIA_NOWHERE, "unknown planner \"%s\"; known are %s", helia_printable(v->arena, name), known);
    return NULL;
}

void cmd_plan(Invocation *v)
{
    const Planner *planner = find_planner(v);
    PlanTable table = {0};
    if (!plan_table_read(v->arena, v->diag, v->arguments[0], &table) || !planner)
        return;
    const PlanOptions defaults = {0};
    const char *text = plan_table_text(v->arena, v->diag, &table, planner, &defaults);
    if (text)
        fputs(text, stdout);
}
