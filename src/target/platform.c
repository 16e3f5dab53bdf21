/* The platform table and look-ups in it. */
#include "target/target.h"

#include <string.h>

#include "support/nearest.h"

#define M4_ISA (HELIA_ISA_DSP | HELIA_ISA_FPU)
#define M55_ISA (HELIA_ISA_DSP | HELIA_ISA_MVE | HELIA_ISA_MVE_FP | HELIA_ISA_FPU | HELIA_ISA_FP16)
#define M4_FLAGS "-mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard"
#define M55_FLAGS "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard"
#define TIGHT_FIRST {MEMORY_DTCM, MEMORY_SRAM, MEMORY_MRAM}, 3
#define SRAM_FIRST {MEMORY_SRAM, MEMORY_MRAM}, 2
/* On x86-64 a vector of 64 bytes in two cache lines is read twice. */
#define ALIGNMENT_OF(isa) ((isa)&HELIA_ISA_X86 ? 64 : 16)

static const Platform platforms[] = {
#define PLATFORM(name, cpu, generic, itcm, dtcm, sram, psram, mram, isa, order, flags, aliases)                        \
    {name, cpu, generic, {itcm, dtcm, sram, psram, mram}, isa, order, ALIGNMENT_OF(isa), flags},
#include "target/platforms.inc"
#undef PLATFORM
};
enum { NUM_PLATFORMS = sizeof(platforms) / sizeof(platforms[0]) };

static const char *const *const aliases_of[NUM_PLATFORMS] = {
#define ALIASES(...)                                                                                                   \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }
#define PLATFORM(name, cpu, generic, itcm, dtcm, sram, psram, mram, isa, order, flags, aliases) aliases,
#include "target/platforms.inc"
#undef PLATFORM
#undef ALIASES
};

static const char *const memory_names[NUM_MEMORIES] = {"ITCM", "DTCM", "SRAM", "PSRAM", "MRAM"};

const char *memory_name(MemoryType memory)
{
    return memory_names[memory];
}

bool memory_from_name(const char *name, MemoryType *memory)
{
    for (int i = 0; i < NUM_MEMORIES; i++)
        if (strcmp(name, memory_names[i]) == 0) {
            *memory = (MemoryType)i;
            return true;
        }
    return false;
}

uint32_t platform_count(void)
{
    return NUM_PLATFORMS;
}

const Platform *platform_at(uint32_t index)
{
    return index < NUM_PLATFORMS ? &platforms[index] : NULL;
}

const char *const *platform_aliases(const Platform *platform)
{
    return aliases_of[platform - platforms];
}

const Platform *platform_find(const char *name)
{
    for (uint32_t i = 0; i < NUM_PLATFORMS; i++) {
        if (strcmp(platforms[i].name, name) == 0)
            return &platforms[i];
        for (const char *const *alias = aliases_of[i]; *alias; alias++)
            if (strcmp(*alias, name) == 0)
                return &platforms[i];
    }
    return NULL;
}

const char *platform_nearest(const char *name)
{
    Nearest nearest = nearest_to(name);
    for (uint32_t i = 0; i < NUM_PLATFORMS; i++) {
        nearest_offer(&nearest, platforms[i].name);
        for (const char *const *alias = aliases_of[i]; *alias; alias++)
            nearest_offer(&nearest, *alias);
    }
    return nearest.best;
}
