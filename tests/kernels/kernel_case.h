/* One call of a kernel with what it must give: the same on the host, where the cases are made, and in an image. */
#ifndef KERNEL_CASE_H
#define KERNEL_CASE_H

#include <stddef.h>
#include <stdint.h>

enum { KERNEL_MAX_ARGS = 8 };

typedef struct KernelArg {
    const void *constant; /* its bytes; NULL: an input, made by kernel_fill, or the output */
    uint32_t size;        /* 0: the argument is NULL */
    int32_t written;
    uint32_t element; /* bytes of an element: data lie at multiples of it */
} KernelArg;

typedef struct KernelCase {
    const char *layer, *symbol; /* the layer in words, and the kernel */
    const void *params;
    uint32_t n_args;
    KernelArg args[KERNEL_MAX_ARGS];
    uint32_t scratch, seed;
    int32_t over;            /* the input whose storage the output may have; negative: none */
    const uint8_t *expected; /* of the argument that is written */
} KernelCase;

typedef struct KernelEntry {
    const char *symbol;
    size_t params_size;
    void (*call)(const void *params, void *const *args, void *scratch);
} KernelEntry;
const KernelEntry *kernel_at(uint32_t i); /* NULL behind the last */
/* The table's row; as many as there are where it lacks the kernel. */
uint32_t kernel_index(const char *symbol);

/* Input number i of a case: random bytes, the two extremes mixed, or one of them throughout. */
void kernel_fill(uint8_t *bytes, uint32_t n, uint32_t seed, uint32_t i);
/* NULL, or what went wrong. Runs with every alignment of inputs and output, over different poison in output and
 * scratch, with guards around all that is not constant. */
const char *kernel_case_run(const KernelCase *c);

#endif
