/* plan: runs a planner on a table of buffers, rows id,first,last,size. Planner and options are those of the configuration,
 * so its reader checks them. */
#include <string.h>

#include "cmd.h"

/* A flag of the configuration that messages call as it was typed. */
static void add_flag(Invocation *v, ConfigFlags *flags, const char *key, const char *value, const char *typed)
{
    if (config_flag(v->arena, v->diag, flags, helia_format(v->arena, "--%s=%s", key, value), NULL) == FLAG_TAKEN)
        flags->at[flags->len - 1].name = typed;
}

/* As the configuration names it. */
static const char *field_name(Invocation *v, const char *option)
{
    char *name = helia_strdup(v->arena, option);
    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : *c;
    return name;
}

/* "name: value" of YAML; "" where the option is not given. */
static const char *option_text(Invocation *v, const char *option)
{
    const char *value = cmd_option(v, option);
    if (!value)
        return "";
    const char *name = field_name(v, option);
    const bool is_number = *value && strspn(value, "0123456789") == strlen(value);
    return helia_format(v->arena, is_number ? "%s: %s" : "%s: \"%s\"", name, helia_printable(v->arena, value));
}

static const char *const option_names[] = {"iterations", "max-stall-iterations", "seed", "step-limit"};
enum { N_OPTIONS = sizeof(option_names) / sizeof(option_names[0]) };

/* The planner's options are one key of the configuration. Each is read alone first, so that a message names it. */
static const Config *read_config(Invocation *v)
{
    ConfigFlags flags = {0};
    const char *planner = cmd_option(v, "planner"), *all = "";
    bool ok = true;
    if (planner)
        add_flag(v, &flags, "memory.planner", planner, "--planner");
    for (size_t i = 0; i < N_OPTIONS; i++) {
        const char *text = option_text(v, option_names[i]);
        ConfigFlags alone = {0};
        if (!*text)
            continue;
        add_flag(v, &alone, "memory.planner_options", helia_format(v->arena, "{%s}", text),
                 helia_format(v->arena, "--%s", option_names[i]));
        ok = config_load(v->arena, v->diag, NULL, &alone) && ok;
        all = helia_format(v->arena, "%s%s%s", all, *all ? ", " : "", text);
    }
    if (ok)
        config_flag(v->arena, v->diag, &flags, helia_format(v->arena, "--memory.planner_options={%s}", all), NULL);
    const Config *config = config_load(v->arena, v->diag, NULL, &flags);
    return ok ? config : NULL;
}

static void check_options(Invocation *v, const Planner *planner)
{
    for (size_t i = 0; i < N_OPTIONS; i++) {
        HeliaLoc at = helia_at_file(helia_format(v->arena, "--%s", option_names[i]));
        if (cmd_option(v, option_names[i]))
            planner_check_option(v->arena, v->diag, at, planner, field_name(v, option_names[i]));
    }
}

void cmd_plan(Invocation *v)
{
    const Config *config = read_config(v);
    PlanTable table = {0};
    if (!plan_table_read(v->arena, v->diag, v->arguments[0], &table) || !config)
        return;
    const Planner *planner = planner_find(config->memory.planner);
    check_options(v, planner);
    const PlanOptions options = plan_options(&config->memory.planner_options);
    const char *text = plan_table_text(v->arena, v->diag, &table, planner, &options);
    if (text)
        fputs(text, stdout);
}
