/* LiteRT's shared library as a peer on the same machine: opened at run time, one model, one thread. */
#ifndef BENCH_LITERT_H
#define BENCH_LITERT_H

#include <stdbool.h>
#include <stddef.h>

enum { LITERT_MOST_TENSORS = 8 };

typedef struct LiteRt LiteRt;

/* NULL after saying why on stderr. XNNPACK runs what it can, LiteRT's own kernels the rest. */
LiteRt *litert_open(const char *library, const char *model, size_t n_inputs, size_t n_outputs);
/* Copies `bytes` bytes to an input, or from an output. */
bool litert_write(LiteRt *peer, size_t input, const void *from, size_t bytes);
bool litert_read(LiteRt *peer, size_t output, void *to, size_t bytes);
bool litert_run(LiteRt *peer);

#endif
