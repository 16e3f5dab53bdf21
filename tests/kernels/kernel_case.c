/* Runs one case: see kernel_case.h. No more of the library than memcpy and memset: this is also part of images. */
#include "kernel_case.h"

#include <string.h>

enum { ARENA = 1 << 17, GUARD = 32, GUARD_BYTE = 0xc3, ALIGNMENT = 16 };

static union {
    uint64_t align[2];
    uint8_t bytes[ARENA];
} arena;
static uint32_t used;

/* n bytes at `offset` behind an aligned address, guards on both sides; NULL: there is no room. */
static uint8_t *place(uint32_t n, uint32_t offset, int poison)
{
    uint32_t begin = (used + GUARD + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + offset;
    if (begin + n + GUARD > ARENA)
        return NULL;
    memset(arena.bytes + begin - GUARD, GUARD_BYTE, n + 2 * GUARD);
    memset(arena.bytes + begin, poison, n);
    used = begin + n + GUARD;
    return arena.bytes + begin;
}

static int guards_hold(const uint8_t *at, uint32_t n)
{
    for (uint32_t i = 0; i < GUARD; i++)
        if (at[-1 - (int32_t)i] != GUARD_BYTE || at[n + i] != GUARD_BYTE)
            return 0;
    return 1;
}

void kernel_fill(uint8_t *bytes, uint32_t n, uint32_t seed, uint32_t i)
{
    uint32_t x = seed + 77u * i;
    const uint32_t style = seed % 8;
    for (uint32_t k = 0; k < n; k++) {
        x = x * 1664525u + 1013904223u;
        bytes[k] = (uint8_t)(style < 5 ? x >> 24 : style == 5 ? (x >> 31 ? 127 : 128) : style == 6 ? 127 : 128);
    }
}

static const char *run_once(const KernelCase *c, const KernelEntry *entry, uint32_t offset, int poison, int32_t over)
{
    void *args[KERNEL_MAX_ARGS] = {NULL};
    uint8_t *scratch;
    used = 0;
    for (uint32_t i = 0; i < c->n_args; i++) {
        const KernelArg *a = &c->args[i];
        if (a->written && over >= 0) {
            args[i] = args[over];
            continue;
        }
        const uint32_t elements = a->constant ? 0 : a->written ? 3 - offset : offset;
        uint8_t *at = a->size ? place(a->size, elements * a->element, poison) : NULL;
        if (a->size && !at)
            return "the case is too large";
        if (a->constant && a->size)
            memcpy(at, a->constant, a->size);
        else if (a->size && !a->written)
            kernel_fill(at, a->size, c->seed, i);
        args[i] = at;
    }
    scratch = place(c->scratch, 0, poison);
    if (!scratch)
        return "the scratch is too large";
    entry->call(c->params, args, scratch);
    if (!guards_hold(scratch, c->scratch))
        return "wrote outside its scratch";
    for (uint32_t i = 0; i < c->n_args; i++) {
        const KernelArg *a = &c->args[i];
        const uint8_t *at = args[i];
        if (!a->size)
            continue;
        if (!guards_hold(at, a->size))
            return a->written ? "wrote outside the output" : "wrote beside an input";
        if (a->written && memcmp(at, c->expected, a->size) != 0)
            return "differs from the portable kernel";
        if (!a->written && (int32_t)i != over) {
            uint8_t *same = place(a->size, 0, 0);
            if (!same)
                return "the case is too large";
            if (a->constant)
                memcpy(same, a->constant, a->size);
            else
                kernel_fill(same, a->size, c->seed, i);
            if (memcmp(at, same, a->size) != 0)
                return "changed an input";
        }
    }
    return NULL;
}

const char *kernel_case_run(const KernelCase *c)
{
    const KernelEntry *entry = kernel_at(kernel_index(c->symbol));
    const char *why = entry ? NULL : "tests/kernels/kernel_table.c lacks the kernel";
    for (uint32_t offset = 0; !why && offset < 4; offset++)
        why = run_once(c, entry, offset, offset % 2 ? 0xa5 : 0x5a, -1);
    return why || c->over < 0 ? why : run_once(c, entry, 1, 0, c->over);
}
