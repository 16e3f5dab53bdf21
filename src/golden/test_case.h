/* What the generated test feeds and expects: made at compile time from an archive, the reference kernels or the LiteRT
 * runtime. */
#ifndef GOLDEN_TEST_CASE_H
#define GOLDEN_TEST_CASE_H

#include <helia_aot/registry.h>

#include "config/config.h"

/* After an iteration the output is copied to the input. */
typedef struct TestFeedback {
    uint32_t output, input;
} TestFeedback;

typedef struct TestCase {
    uint32_t iterations;
    HELIA_VEC(TestFeedback) feedback;
    bool *fed_back;        /* by input: from an output, but for the first iteration */
    const void **inputs;   /* [iteration * inputs + i]: air_bytes() bytes; NULL: fed back */
    const void **outputs;  /* [iteration * outputs + i]; NULL: not compared */
    double *float_allowed; /* [iteration * outputs + i]: absolute */
    uint64_t allowed;      /* difference of integers */
    const char *source;    /* where the expected outputs come from, a noun phrase; NULL: nothing is compared */
    const char *allowance; /* why more than the configured tolerance is allowed; NULL: it is not */
} TestCase;

/* `graph` is the module's; `reference` is the same resolved for the portable kernels, NULL where no reference evaluation
 * is needed (test_case_needs_reference). NULL after reporting. */
TestCase *test_case_make(HeliaArena *arena, HeliaDiag *diag, const Config *config, const AirGraph *graph,
                         AirGraph *reference, const HeliaRegistryContext *registry, const LitertModel *litert);
bool test_case_needs_reference(const Config *config);

#endif
