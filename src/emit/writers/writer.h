/* Build integrations: each writer is one file of this folder, with a row in the table of writers.c. */
#ifndef EMIT_WRITERS_WRITER_H
#define EMIT_WRITERS_WRITER_H

#include "emit/emit_int.h"

typedef struct Writer {
    const char *name; /* as module.type has it */
    /* Adds the integration's files to a finished module. False after reporting. */
    bool (*write)(Module *module, const Config *config, HeliaDiag *diag);
} Writer;

extern const Writer writer_cmake;

const Writer *writer_find(const char *name); /* NULL: unknown */
const char *writer_names(HeliaArena *arena); /* "cmake, zephyr" */

void module_add(Module *module, const char *path, const char *text);
/* The C files of the module, one a line behind `indent`: "    src/aot_model.c\n". */
const char *module_sources(const Module *module, const char *indent);
/* -O2 or -Os: what the module's figures are measured with. */
const char *optimization_flag(const Config *config);

#endif
