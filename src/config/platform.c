/* What describes the board: the fields of the platform, budgets of its memories, the storage of constants. */
#include <string.h>

#include "config/keys.h"

/* clang-format off */
static const char *const memory_words[] = {"ITCM", "DTCM", "SRAM", "PSRAM", "MRAM", NULL};
static const char *const capability_words[] = {"dsp", "mve", "mve_fp", "fpu", "fp16", "x86", NULL};
static const uint32_t capability_bits[] = {HELIA_ISA_DSP, HELIA_ISA_MVE, HELIA_ISA_MVE_FP, HELIA_ISA_FPU,
                                           HELIA_ISA_FP16, HELIA_ISA_X86};
static const char *const storage_words[] = {"embedded", "sidecar", NULL};

#define SIZE_ROW(memory)                                                                                               \
    {#memory, KEY_INT, OFFSET_INT(ConfigMemories, size[MEMORY_##memory]), NULL, RANGE(0, INT32_MAX),                   \
     .doc = "Bytes that an application can use; 0: none."}
#define STORAGE_ROW(memory)                                                                                            \
    {#memory, KEY_ENUM, OFFSET_ENUM(ConfigConstants, in[MEMORY_##memory]), "embedded", .words = storage_words,         \
     .doc = "Of constants whose image is in this memory."}
static const ConfigKey memory_fields[] = {SIZE_ROW(ITCM), SIZE_ROW(DTCM), SIZE_ROW(SRAM), SIZE_ROW(PSRAM),
                                          SIZE_ROW(MRAM)};
static const ConfigKey storage_fields[] = {STORAGE_ROW(ITCM), STORAGE_ROW(DTCM), STORAGE_ROW(SRAM), STORAGE_ROW(PSRAM),
                                           STORAGE_ROW(MRAM)};
static const ConfigKey budget_fields[] = {
    {"memory", KEY_ENUM, OFFSET_ENUM(ConfigBudget, memory), NULL, .words = memory_words, .required = true,
     .doc = "The memory."},
    {"max_size", KEY_INT, OFFSET_INT(ConfigBudget, max_size), NULL, RANGE(0, INT32_MAX),
     .doc = "Bytes that the module may take; the platform's size where not given."},
};
/* clang-format on */
enum { N_BUDGET_FIELDS = sizeof(budget_fields) / sizeof(budget_fields[0]) };

static bool read_memories(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field)
{
    ConfigMemories *memories = field;
    memories->given = true;
    for (int m = 0; m < NUM_MEMORIES; m++)
        memories->size[m] = -1;
    return key_read_fields(r, key, memory_fields, NUM_MEMORIES, node, field);
}

static bool read_capabilities(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field)
{
    ConfigCapabilities *capabilities = field;
    bool ok = true;
    capabilities->given = true;
    for (uint32_t i = 0; i < node->entries.len; i++) {
        uint32_t word = key_read_choice(r, key->path, capability_words, node->entries.at[i].value);
        ok = word != UINT32_MAX && ok;
        capabilities->isa |= word != UINT32_MAX ? capability_bits[word] : 0;
    }
    return ok;
}

static bool read_memory_order(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field)
{
    ConfigMemoryOrder *order = field;
    bool ok = true, seen[NUM_MEMORIES] = {false};
    for (uint32_t i = 0; i < node->entries.len; i++) {
        const YamlNode *item = node->entries.at[i].value;
        uint32_t word = key_read_choice(r, key->path, memory_words, item);
        if (word == UINT32_MAX) {
            ok = false;
            continue;
        }
        if (seen[word])
            ok = helia_error(r->diag, item->at, "%s: %s is given twice", key->path, memory_words[word]);
        seen[word] = true;
        HELIA_PUSH(r->arena, order, (MemoryType)word);
    }
    return ok;
}

static bool read_constraints(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field)
{
    ConfigBudgets *budgets = field;
    bool ok = true;
    for (uint32_t i = 0; i < node->entries.len; i++) {
        const YamlNode *item = node->entries.at[i].value;
        ConfigBudget b = {.at = item->at, .max_size = -1};
        bool good = key_read_fields(r, key, budget_fields, N_BUDGET_FIELDS, item, &b);
        for (uint32_t k = 0; good && k < budgets->len; k++)
            if (budgets->at[k].memory == b.memory)
                good = helia_error(r->diag, item->at, "%s: %s is given twice", key->path, memory_name(b.memory));
        HELIA_PUSH(r->arena, budgets, b);
        ok = good && ok;
    }
    return ok;
}

/* One word for all memories, or a word a memory. */
static bool read_constants(ConfigReader *r, const ConfigKey *key, const YamlNode *node, void *field)
{
    ConfigConstants *constants = field;
    if (node->kind == YAML_MAP)
        return key_read_fields(r, key, storage_fields, NUM_MEMORIES, node, field);
    uint32_t word = 0;
    while (storage_words[word] && strcmp(storage_words[word], node->text) != 0)
        word++;
    if (!storage_words[word])
        return key_expect(r, key->path, key_expected(r->arena, key), node);
    for (int m = 0; m < NUM_MEMORIES; m++)
        constants->in[m] = (ConstantStorage)word;
    return true;
}

const KeyStructure structure_memories = {
    .fields = memory_fields, .n_fields = NUM_MEMORIES, .size = sizeof(ConfigMemories), .read = read_memories};
const KeyStructure structure_capabilities = {
    .list = true, .size = sizeof(ConfigCapabilities), .read = read_capabilities, .words = capability_words};
const KeyStructure structure_memory_order = {
    .list = true, .size = sizeof(ConfigMemoryOrder), .read = read_memory_order, .words = memory_words};
const KeyStructure structure_constraints = {.list = true,
                                            .fields = budget_fields,
                                            .n_fields = N_BUDGET_FIELDS,
                                            .size = sizeof(ConfigBudgets),
                                            .read = read_constraints};
const KeyStructure structure_constants = {.fields = storage_fields,
                                          .n_fields = NUM_MEMORIES,
                                          .size = sizeof(ConfigConstants),
                                          .read = read_constants,
                                          .words = storage_words,
                                          .or_text = true};

/* ---- the effective platform ------------------------------------------------------------------- */
/* Another core: the capabilities and flags of the platform of that name, else portable code. */
static void set_cpu(Platform *p, const char *cpu)
{
    if (strcmp(cpu, p->cpu) == 0)
        return;
    const Platform *known = platform_find(cpu);
    p->cpu = cpu;
    p->isa = known ? known->isa : HELIA_ISA_C;
    p->gcc_flags = known ? known->gcc_flags : "";
}

const Platform *config_platform(HeliaArena *arena, const Config *config)
{
    Platform *p = helia_memdup(arena, platform_find(config->platform.name), sizeof(*p));
    if (config->platform.cpu)
        set_cpu(p, config->platform.cpu);
    if (config->platform.capabilities.given)
        p->isa = config->platform.capabilities.isa;
    for (int m = 0; config->platform.memories.given && m < NUM_MEMORIES; m++)
        if (config->platform.memories.size[m] >= 0)
            p->size[m] = (uint64_t)config->platform.memories.size[m];
    const ConfigMemoryOrder *order = &config->platform.preferred_memory_order;
    for (uint32_t i = 0; i < order->len; i++)
        p->preferred[i] = order->at[i];
    p->n_preferred = order->len ? order->len : p->n_preferred;
    if (config->platform.min_alignment)
        p->min_alignment = (uint32_t)config->platform.min_alignment;
    return p;
}
