/* Elements of two tensors, compared as the generated test does it: integers by their distance, floats by a bound that the
 * largest magnitude expected gives. */
#ifndef GOLDEN_DIFFER_H
#define GOLDEN_DIFFER_H

#include <helia_aot/air.h>

typedef struct Tolerance {
    uint64_t integers;
    double floats; /* absolute */
} Tolerance;

typedef struct Difference {
    size_t count, first;        /* elements that differ; index of the first one */
    const char *expected, *got; /* the first one, as text */
} Difference;

/* Of the finite elements; 0 where there are none, and for integers. */
double largest_magnitude(HeliaArena *arena, AirType type, const void *bytes, size_t n);
/* Both hold n elements and need no alignment. NaN equals NaN. */
bool tensors_differ(HeliaArena *arena, AirType type, const void *expected, const void *got, size_t n,
                    const Tolerance *tolerance, Difference *difference);

#endif
