/* Build integrations: a row of the table in writers.c each, with templates for the files it adds to a module. */
#ifndef EMIT_WRITERS_WRITER_H
#define EMIT_WRITERS_WRITER_H

#include "emit/emit_int.h"

/* A file of an integration: both texts may have the keys of glue_keys() in writers.c. */
typedef struct GlueFile {
    const char *path, *template; /* NULL: no more files */
} GlueFile;

enum { MOST_GLUE_FILES = 4 };

typedef struct Writer {
    const char *name; /* as module.type has it */
    GlueFile files[MOST_GLUE_FILES];
    const char *before, *behind; /* what stands around each source's path in the key SOURCES */
    const char *math;            /* the key MATH where the module needs the C mathematics library */
    const char *library;         /* the key LIBRARY where the module calls a library of kernels; NULL: nothing */
    const char *test;            /* template of the key TEST where the module has a self-test; NULL: none */
    bool one_folder;             /* headers stand beside the sources: the build has one include path only */
    bool packs;                  /* module.path may be a .pack */
    /* For the module's README: how it joins a build, behind "compile src/x.c". May have the keys. */
    const char *use;
    /* Preprocessor lines of the default placement in this integration; NULL: none. */
    const char *(*placement)(HeliaArena *arena, const Platform *platform, const char *PREFIX);
} Writer;

const Writer *writer_find(const char *name); /* NULL: unknown */
/* Adds the integration's files to a finished module. False after reporting. */
bool writer_add_files(const Writer *writer, Module *module, const Config *config, HeliaDiag *diag);
/* `use` with its keys replaced. */
const char *writer_use(const Writer *writer, HeliaArena *arena, HeliaDiag *diag, const Config *config);

/* placement.c: where the build systems of vendors have sections of their own. */
const char *placement_ambiq(HeliaArena *arena, const Platform *platform, const char *PREFIX);
const char *placement_zephyr(HeliaArena *arena, const Platform *platform, const char *PREFIX);
const char *placement_esp_idf(HeliaArena *arena, const Platform *platform, const char *PREFIX);

#endif
