/* Fields of a kernel's parameter struct as lines of a C initialiser. */
#ifndef OP_PRINT_H
#define OP_PRINT_H

#include <helia_aot/emit.h>

#include "helia_broadcast.h"

void print_int(HeliaOut *o, const char *field, int32_t value);                      /* ".stride_h = 2," */
void print_ints(HeliaOut *o, const char *field, const int32_t *values, uint32_t n); /* ".dim = {2, 3}," */
void print_float(HeliaOut *o, const char *field, float value);                      /* ".max = 6.0f," */
void print_broadcast(HeliaOut *o, const char *field, const helia_broadcast *shape);

/* The common case: the field's name is the struct member's. */
#define PRINT_INT(o, p, member) print_int(o, #member, (p)->member)
#define PRINT_FLOAT(o, p, member) print_float(o, #member, (p)->member)

#endif
