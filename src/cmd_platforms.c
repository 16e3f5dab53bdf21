/* platforms list, platforms show: the platform table. */
#include <jansson.h>
#include <string.h>

#include "cmd.h"

static const struct {
    uint32_t bit;
    const char *name;
} capabilities[] = {{HELIA_ISA_DSP, "dsp"}, {HELIA_ISA_MVE, "mve"},   {HELIA_ISA_MVE_FP, "mve_fp"},
                    {HELIA_ISA_FPU, "fpu"}, {HELIA_ISA_FP16, "fp16"}, {HELIA_ISA_X86, "x86"}};
enum { NUM_CAPABILITIES = sizeof(capabilities) / sizeof(capabilities[0]) };

static const char *join(HeliaArena *arena, const char *list, const char *word)
{
    return *list ? helia_format(arena, "%s, %s", list, word) : word;
}

static const char *capabilities_text(HeliaArena *arena, const Platform *p)
{
    const char *text = "";
    for (int i = 0; i < NUM_CAPABILITIES; i++)
        if (p->isa & capabilities[i].bit)
            text = join(arena, text, capabilities[i].name);
    return *text ? text : "none";
}

static const char *aliases_text(HeliaArena *arena, const Platform *p)
{
    const char *text = "";
    for (const char *const *alias = platform_aliases(p); *alias; alias++)
        text = join(arena, text, *alias);
    return text;
}

static json_t *platform_json(const Platform *p)
{
    json_t *memories = json_object(), *isa = json_array(), *order = json_array(), *boards = json_array();
    for (int i = 0; i < NUM_MEMORIES; i++)
        if (p->size[i])
            json_object_set_new(memories, memory_name((MemoryType)i), json_integer((json_int_t)p->size[i]));
    for (int i = 0; i < NUM_CAPABILITIES; i++)
        if (p->isa & capabilities[i].bit)
            json_array_append_new(isa, json_string(capabilities[i].name));
    for (uint32_t i = 0; i < p->n_preferred; i++)
        json_array_append_new(order, json_string(memory_name(p->preferred[i])));
    for (const char *const *alias = platform_aliases(p); *alias; alias++)
        json_array_append_new(boards, json_string(*alias));
    return json_pack("{s:s,s:s,s:b,s:o,s:o,s:o,s:o,s:i,s:s}", "name", p->name, "cpu", p->cpu, "generic",
                     (int)p->generic, "boards", boards, "memories", memories, "capabilities", isa,
                     "preferred_memory_order", order, "min_alignment", (int)p->min_alignment, "gcc_flags",
                     p->gcc_flags);
}

void cmd_platforms_list(Invocation *v)
{
    if (cmd_option(v, "json")) {
        json_t *list = json_array();
        for (uint32_t i = 0; i < platform_count(); i++)
            json_array_append_new(list, platform_json(platform_at(i)));
        cmd_print_json(v, list);
        return;
    }
    printf("%-14s %-14s %-28s %s\n", "name", "cpu", "capabilities", "boards");
    for (uint32_t i = 0; i < platform_count(); i++) {
        const Platform *p = platform_at(i);
        const char *boards = aliases_text(v->arena, p);
        printf("%-14s %-14s %-28s %s\n", p->name, p->cpu, capabilities_text(v->arena, p),
               p->generic ? "generic, sizes to be overridden" : boards);
    }
}

static void print_platform(HeliaArena *arena, const Platform *p)
{
    const char *order = "";
    for (uint32_t i = 0; i < p->n_preferred; i++)
        order = join(arena, order, memory_name(p->preferred[i]));
    printf("name                    %s\n", p->name);
    if (*aliases_text(arena, p))
        printf("boards                  %s\n", aliases_text(arena, p));
    printf("cpu                     %s\n", p->cpu);
    printf("capabilities            %s\n", capabilities_text(arena, p));
    for (int i = 0; i < NUM_MEMORIES; i++)
        if (p->size[i])
            printf("%-23s %llu bytes\n", memory_name((MemoryType)i), (unsigned long long)p->size[i]);
    printf("preferred_memory_order  %s\n", order);
    printf("min_alignment           %u\n", p->min_alignment);
    if (*p->gcc_flags)
        printf("gcc flags               %s\n", p->gcc_flags);
    if (p->generic)
        printf("A generic platform: the sizes are round numbers, meant to be overridden by those of your chip.\n");
}

void cmd_platforms_show(Invocation *v)
{
    const Platform *p = platform_find(v->arguments[0]);
    if (!p)
        helia_error(v->diag, HELIA_NOWHERE, "unknown platform \"%s\"; the nearest known one is \"%s\"",
                    helia_printable(v->arena, v->arguments[0]), platform_nearest(v->arguments[0]));
    else if (cmd_option(v, "json"))
        cmd_print_json(v, platform_json(p));
    else
        print_platform(v->arena, p);
}
