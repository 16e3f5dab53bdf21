/* Archives whose bytes depend on the files alone: stored, with a fixed time, in the module's order. */
#ifndef EMIT_ARCHIVE_H
#define EMIT_ARCHIVE_H

#include "emit/module.h"

typedef struct ArchiveBytes {
    const void *at;
    size_t size;
} ArchiveBytes;

/* folder: what the paths begin with in the archive; NULL: nothing. */
bool archive_pack(const Module *module, HeliaDiag *diag, const char *folder, ArchiveBytes *out);

#endif
