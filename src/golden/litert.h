/* The LiteRT runtime as the yardstick: a shared library that is opened while converting; nothing of it is needed to build. */
#ifndef GOLDEN_LITERT_H
#define GOLDEN_LITERT_H

#include <helia_aot/litert.h>
#include <helia_aot/air.h>

typedef struct LitertRuntime LitertRuntime;

/* Opens library and model with the reference kernels. NULL after reporting at `at`. Closed with the arena. */
LitertRuntime *litert_runtime_open(HeliaArena *arena, HeliaDiag *diag, HeliaLoc at, const char *library,
                                   const char *model_path, const LitertModel *model, const AirGraph *graph);
/* One inference: air_bytes() bytes of each input and output, in the graph's order. State is kept between calls. False
 * after reporting. */
bool litert_runtime_run(LitertRuntime *r, const void *const *inputs, void *const *outputs);

/* By how much LiteRT's integer results may differ from ours, over all operators of the graph, with *why as "2 x
 * FULLY_CONNECTED (1 each)"; 0: not at all. False after reporting operators of which LiteRT's results are no yardstick. */
bool litert_difference(HeliaArena *arena, HeliaDiag *diag, const AirGraph *graph, uint32_t *allowed, const char **why);

#endif
