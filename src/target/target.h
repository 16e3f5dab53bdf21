/* Platforms: cpu, memories, capabilities. Boards are aliases. */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include <helia_aot/op.h>

typedef enum MemoryType { MEMORY_ITCM, MEMORY_DTCM, MEMORY_SRAM, MEMORY_PSRAM, MEMORY_MRAM, NUM_MEMORIES } MemoryType;
const char *memory_name(MemoryType memory); /* "DTCM" */
bool memory_from_name(const char *name, MemoryType *memory);
static inline bool memory_is_writable(MemoryType memory)
{
    return memory != MEMORY_MRAM;
}

typedef struct Platform {
    const char *name, *cpu;
    bool generic;                /* round numbers, meant to be overridden */
    uint64_t size[NUM_MEMORIES]; /* bytes; 0: the platform has none */
    uint32_t isa;                /* mask of HELIA_ISA_ */
    MemoryType preferred[NUM_MEMORIES];
    uint32_t n_preferred;
    uint32_t min_alignment;
    const char *gcc_flags; /* for arm-none-eabi-gcc and the like; empty for the host */
} Platform;

uint32_t platform_count(void);
const Platform *platform_at(uint32_t index);
/* By name or board alias; NULL: unknown. */
const Platform *platform_find(const char *name);
/* Aliases of a platform: NULL-terminated. */
const char *const *platform_aliases(const Platform *platform);
/* The nearest known name or alias, for messages. */
const char *platform_nearest(const char *name);

#endif
