/* Rows that call CMSIS-NN or ns-cmsis-nn, which the application links: kernels.library. The sources are in
 * runtime/cmsis_nn. */
#ifndef PACK_CMSIS_NN_H
#define PACK_CMSIS_NN_H

#include "pack/pack.h"

/* A row for each core class that the library is built for: they differ in working memory. */
#define CMSIS_NN_ROW(library, symbol, isa, fits, prepare, scratch)                                                     \
    {                                                                                                                  \
        symbol, "cmsis_nn/" symbol ".c", (library) | (isa), "int8", fits, prepare, scratch                             \
    }
#define CMSIS_NN_ROWS(library, symbol, fits, prepare, scratch)                                                         \
    CMSIS_NN_ROW(library, symbol, HELIA_ISA_MVE, fits, prepare, scratch##_mve_scratch),                                \
        CMSIS_NN_ROW(library, symbol, HELIA_ISA_DSP, fits, prepare, scratch##_dsp_scratch),                            \
        CMSIS_NN_ROW(library, symbol, HELIA_ISA_C, fits, prepare, scratch##_plain_scratch)

/* Adds the argument `sums` before the last one: a constant with, for each of `channels`, bias - zero_in * the sum of its
 * weights (`taps` of them, `step` apart, those of the next channel `next` behind), which MVE builds read; else NULL. */
void cmsis_nn_add_sums(const HeliaOpContext *c, AirNode *n, int32_t channels, int32_t next, int32_t taps, int32_t step);

#endif
