/* Zip archives whose bytes depend on the members alone: stored, with a fixed time, in the given order. */
#ifndef SUPPORT_ARCHIVE_H
#define SUPPORT_ARCHIVE_H

#include "support/file.h"

typedef struct ArchiveMember {
    const char *path;
    const void *bytes;
    size_t size;
} ArchiveMember;
typedef HELIA_VEC(ArchiveMember) ArchiveMembers;

/* The archive in memory; `at` is for messages. False after reporting. */
bool archive_pack(HeliaArena *arena, HeliaDiag *diag, HeliaLoc at, const ArchiveMembers *members, FileBytes *out);

#endif
