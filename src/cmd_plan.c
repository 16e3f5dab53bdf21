/* plan: runs a planner on a table of buffers, rows id,first,last,size. Planner and options are those of the configuration,
 * so its reader checks them. */
#include <string.h>

#include "cmd.h"

/* The options as the mapping memory.planner_options; "{}" without any. */
static const char *options_text(Invocation *v)
{
    static const char *const fields[][2] = {{"iterations", "iterations"},
                                            {"max-stall-iterations", "max_stall_iterations"},
                                            {"seed", "seed"},
                                            {"step-limit", "step_limit"}};
    const char *text = "";
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        const char *value = cmd_option(v, fields[i][0]);
        if (!value)
            continue;
        const bool is_number = *value && strspn(value, "0123456789") == strlen(value);
        text = helia_format(v->arena, is_number ? "%s%s%s: %s" : "%s%s%s: \"%s\"", text, *text ? ", " : "",
                            fields[i][1], helia_printable(v->arena, value));
    }
    return helia_format(v->arena, "{%s}", text);
}

static const Config *read_config(Invocation *v)
{
    ConfigFlags flags = {0};
    const char *planner = cmd_option(v, "planner");
    if (planner)
        config_flag(v->arena, v->diag, &flags, helia_format(v->arena, "--memory.planner=%s", planner), NULL);
    config_flag(v->arena, v->diag, &flags, helia_format(v->arena, "--memory.planner_options=%s", options_text(v)),
                NULL);
    return config_load(v->arena, v->diag, NULL, &flags);
}

void cmd_plan(Invocation *v)
{
    const Config *config = read_config(v);
    PlanTable table = {0};
    if (!plan_table_read(v->arena, v->diag, v->arguments[0], &table) || !config)
        return;
    const PlanOptions options = plan_options(&config->memory.planner_options);
    const char *text = plan_table_text(v->arena, v->diag, &table, planner_find(config->memory.planner), &options);
    if (text)
        fputs(text, stdout);
}
