/* Fields of a kernel's parameter struct as lines of a C initialiser. */
#include "op/print.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

void print_int(HeliaOut *o, const char *field, int32_t value)
{
    if (value == INT32_MIN)
        helia_out_line(o, ".%s = INT32_MIN,", field); /* its digits alone would be of a wider type */
    else
        helia_out_line(o, ".%s = %ld,", field, (long)value);
}

void print_ints(HeliaOut *o, const char *field, const int32_t *values, uint32_t n)
{
    char text[AIR_MAX_RANK * 13 + 1] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < n && used < sizeof(text); i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%ld", i ? ", " : "", (long)values[i]);
    helia_out_line(o, ".%s = {%s},", field, text);
}

/* The value reads back to the same bits: as many significant digits as that needs, nine at most. */
void print_float(HeliaOut *o, const char *field, float value)
{
    char text[32];
    for (int digits = 6; digits <= FLT_DECIMAL_DIG; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, (double)value);
        float back;
        if (sscanf(text, "%f", &back) == 1 && back == value)
            break;
    }
    helia_out_line(o, ".%s = %s%sf,", field, text, strpbrk(text, ".e") ? "" : ".0");
}

void print_broadcast(HeliaOut *o, const char *field, const helia_broadcast *shape)
{
    uint32_t n = (uint32_t)shape->rank;
    helia_out_open(o, ".%s =", field);
    print_int(o, "rank", shape->rank);
    print_ints(o, "dim", shape->dim, n);
    print_ints(o, "stride_a", shape->stride_a, n);
    print_ints(o, "stride_b", shape->stride_b, n);
    helia_out_close(o, ",");
}
