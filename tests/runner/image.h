/* One generated module on its way into a test image. */
#ifndef IMAGE_H
#define IMAGE_H

#include "runner.h"

typedef struct Module {
    Runner *r;
    uint32_t kase, way;
    const Case *c;
    const Target *target;
    const char *base;                           /* of everything for this target */
    const char *folder, *objects, *case_source; /* the module; what is compiled of it; its case for the driver */
    bool compiled;
} Module;

/* Both return NULL or why not. */
const char *module_write_case(Module *m); /* the driver's C file and input file; sets case_source */
const char *module_check_output(const Module *m);
/* Reads what nm printed of the module's objects: every symbol defined has the prefix, every symbol needed is its own or
 * one of the few that a bare machine has. */
const char *module_check_symbols(const Module *m, const char *listing);

#endif
