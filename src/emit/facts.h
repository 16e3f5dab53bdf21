/* The facts of a module as tables, for whatever shows them. */
#ifndef EMIT_FACTS_H
#define EMIT_FACTS_H

#include "emit/emit_int.h"

/* Text is of the compiler's own making and may have `code` in it; code is shown as it is, whatever it holds. */
typedef struct FactCell {
    const char *text;
    bool code;
} FactCell;
typedef struct FactTable {
    HeliaArena *arena;
    const char *const *heads; /* NULL-terminated */
    uint32_t columns;
    HELIA_VEC(FactCell) cells; /* row by row */
} FactTable;

FactTable facts_module(HeliaEmitter *e);
FactTable facts_ports(HeliaEmitter *e);
FactTable facts_sizes(HeliaEmitter *e);
FactTable facts_operators(HeliaEmitter *e);
FactTable facts_blobs(HeliaEmitter *e); /* without rows: no constants beside the code */
/* The yardstick of results, and how operators round: text with `code` in it. */
const char *facts_numerics(HeliaEmitter *e);
const char *model_description(HeliaEmitter *e); /* printable; "": none */
const char *model_version(HeliaEmitter *e);

const char *facts_markdown(const FactTable *table); /* lines */

#endif
