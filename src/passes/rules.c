/* The configuration's rules for transforms against the transforms there are. */
#include "passes/rules.h"

#include "support/nearest.h"

static bool check_rule(HeliaArena *arena, HeliaDiag *diag, const ConfigTransform *rule, const HeliaRegistry *transforms)
{
    const char *name = helia_printable(arena, rule->name);
    if (helia_registry_get(transforms, rule->name)) {
        if (rule->options.len)
            helia_warn(diag, rule->options.at[0].at, "transforms: options of \"%s\" have no effect: it takes none",
                       name);
        return true;
    }
    Nearest nearest = nearest_to(rule->name);
    for (uint32_t i = 0; i < helia_registry_count(transforms); i++)
        nearest_offer(&nearest, helia_registry_key(transforms, i));
    return helia_error(diag, rule->at, "transforms: unknown transform \"%s\"; the nearest known one is \"%s\"", name,
                       nearest.best ? nearest.best : "none");
}

bool transform_rules_check(HeliaArena *arena, HeliaDiag *diag, const Config *config, const HeliaRegistry *transforms)
{
    bool ok = true;
    for (uint32_t i = 0; i < config->transforms.len; i++)
        ok = check_rule(arena, diag, &config->transforms.at[i], transforms) && ok;
    return ok;
}
