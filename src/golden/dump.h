/* Dumps of a module's tensors, of one or several inferences in a row: what its debug callback printed, or an archive. */
#ifndef GOLDEN_DUMP_H
#define GOLDEN_DUMP_H

#include <stdio.h>

#include "config/config.h"

/* One inference. */
typedef struct DumpRun {
    const void **inputs; /* by graph input */
    const void **values; /* by tensor id: as an operator left it; NULL: not in the dump */
} DumpRun;
typedef HELIA_VEC(DumpRun) Dump;

/* Text is of <prefix>_debug_print(). In an archive (.npz) arrays are named as the tensors; its inputs are named as `run`
 * takes them, or stand in the archive `inputs`. With inputs of several steps the tensors are those of the last step.
 * False after reporting. */
bool dump_read(HeliaArena *arena, HeliaDiag *diag, const AirGraph *graph, const char *path, const char *inputs,
               Dump *dump);
/* The text form. */
bool dump_read_text(HeliaArena *arena, HeliaDiag *diag, const AirGraph *graph, const char *path, const uint8_t *text,
                    size_t size, Dump *dump);
DumpRun *dump_add(HeliaArena *arena, const AirGraph *graph, Dump *dump);

/* Compares with the evaluation of a graph that is resolved for the portable kernels; writes to `out` which operator is the
 * first that differs, and how. False after reporting that one differs, or that the dump has nothing to compare. */
bool dump_compare(HeliaArena *arena, HeliaDiag *diag, const Config *config, AirGraph *graph, const char *path,
                  const Dump *dump, FILE *out);

#endif
