/* Zip archives in memory, over libzip. */
#include "support/archive.h"

#include <zip.h>

#include "support/arena.h"

enum {
    DOS_DATE = 1 << 5 | 1, /* 1980-01-01 */
    DOS_TIME = 0,
    FILE_MODE = 0100644
};

static bool add_member(zip_t *zip, const ArchiveMember *member)
{
    zip_source_t *source = zip_source_buffer(zip, member->bytes, member->size, 0);
    if (!source)
        return false;
    zip_int64_t index = zip_file_add(zip, member->path, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return false;
    }
    zip_uint64_t i = (zip_uint64_t)index;
    return zip_set_file_compression(zip, i, ZIP_CM_STORE, 0) == 0 &&
           zip_file_set_dostime(zip, i, DOS_TIME, DOS_DATE, 0) == 0 &&
           zip_file_set_external_attributes(zip, i, 0, ZIP_OPSYS_UNIX, (zip_uint32_t)FILE_MODE << 16) == 0;
}

/* The archive's bytes out of the buffer behind a closed zip. */
static bool read_back(HeliaArena *arena, zip_source_t *buffer, FileBytes *out)
{
    zip_stat_t st;
    if (zip_source_stat(buffer, &st) != 0 || !(st.valid & ZIP_STAT_SIZE) || zip_source_open(buffer) != 0)
        return false;
    uint8_t *bytes = helia_alloc(arena, (size_t)st.size, 1);
    bool ok = zip_source_read(buffer, bytes, st.size) == (zip_int64_t)st.size;
    zip_source_close(buffer);
    *out = (FileBytes){bytes, (size_t)st.size};
    return ok;
}

typedef struct Packing {
    zip_source_t *buffer;
    zip_t *zip; /* NULL: closed */
} Packing;

static void release(void *object)
{
    Packing *p = object;
    if (p->zip)
        zip_discard(p->zip);
    if (p->buffer)
        zip_source_free(p->buffer);
}

static bool pack(HeliaArena *arena, HeliaDiag *diag, HeliaLoc at, const ArchiveMembers *members, Packing *p,
                 FileBytes *out)
{
    zip_error_t error;
    zip_error_init(&error);
    p->buffer = zip_source_buffer_create(NULL, 0, 0, &error);
    p->zip = p->buffer ? zip_open_from_source(p->buffer, ZIP_TRUNCATE, &error) : NULL;
    if (!p->zip)
        return helia_fatal(diag, at, "cannot make the archive: %s", zip_error_strerror(&error));
    zip_source_keep(p->buffer); /* closing the zip would free it */
    bool ok = true;
    for (uint32_t i = 0; ok && i < members->len; i++)
        ok = add_member(p->zip, &members->at[i]);
    if (!ok || zip_close(p->zip) != 0)
        return helia_fatal(diag, at, "cannot make the archive: %s", zip_strerror(p->zip));
    p->zip = NULL;
    return read_back(arena, p->buffer, out) || helia_fatal(diag, at, "cannot make the archive: it cannot be read back");
}

bool archive_pack(HeliaArena *arena, HeliaDiag *diag, HeliaLoc at, const ArchiveMembers *members, FileBytes *out)
{
    Packing *p = HELIA_NEW(arena, Packing);
    ArenaGuard *guard = arena_guard(arena, release, p);
    bool ok = pack(arena, diag, at, members, p, out);
    arena_guard_cancel(guard);
    release(p);
    return ok;
}
