/* .npz archives through libzip. */
#include "support/npz.h"

#include <string.h>
#include <zip.h>

#include "support/archive.h"
#include "support/file.h"
#include "support/npy.h"

/* What an archive may claim to unpack to. */
static const zip_uint64_t max_member = (zip_uint64_t)1 << 31;
enum { MAX_MEMBERS = 1 << 16 };

static const char *without_suffix(HeliaArena *arena, const char *name)
{
    size_t n = strlen(name);
    return helia_strndup(arena, name, n >= 4 && strcmp(name + n - 4, ".npy") == 0 ? n - 4 : n);
}

static bool read_all(zip_file_t *file, uint8_t *to, size_t size)
{
    for (size_t done = 0; done < size;) {
        zip_int64_t n = zip_fread(file, to + done, size - done);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    uint8_t behind;
    return zip_fread(file, &behind, 1) == 0; /* the end, where libzip compares the checksum */
}

/* The bytes of one member; an archive's claim of size is bounded by what deflate can reach from its packed size. */
static const char *member_bytes(HeliaArena *arena, zip_t *zip, zip_uint64_t index, const zip_stat_t *st, FileBytes *out)
{
    if (st->size > max_member || st->size / 1032 > st->comp_size + 1)
        return "it claims to unpack to too many bytes";
    uint8_t *bytes = helia_alloc(arena, (size_t)st->size, 1);
    zip_file_t *file = zip_fopen_index(zip, index, 0);
    if (!file)
        return "its packing is not understood";
    bool ok = read_all(file, bytes, (size_t)st->size);
    ok = zip_fclose(file) == 0 && ok;
    *out = (FileBytes){bytes, (size_t)st->size};
    return ok ? NULL : "its bytes are damaged or cut off";
}

static NpzArray read_member(HeliaArena *arena, zip_t *zip, zip_uint64_t index)
{
    zip_stat_t st;
    NpzArray none = {.name = "", .fault = "its entry is damaged"};
    if (zip_stat_index(zip, index, 0, &st) != 0 || (~st.valid & (ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE)))
        return none;
    none.name = without_suffix(arena, st.name);
    FileBytes bytes;
    NpyHeader header;
    none.fault = member_bytes(arena, zip, index, &st, &bytes);
    if (!none.fault)
        none.fault = npy_read_header(bytes.at, bytes.size, &header);
    if (!none.fault && bytes.size - header.length != header.array.size)
        none.fault = "the number of its bytes is not that of its shape and type";
    if (none.fault)
        return none;
    NpzArray array = header.array;
    array.name = none.name;
    array.data = bytes.at + header.length;
    if (header.fortran_order && array.rank > 1) {
        uint8_t *c_order = helia_alloc(arena, array.size, 1);
        npy_to_c_order(&array, bytes.at + header.length, c_order);
        array.data = c_order;
    }
    return array;
}

bool npz_read(HeliaArena *arena, HeliaDiag *diag, const char *path, Npz *out)
{
    FileBytes file;
    if (!file_read(arena, diag, path, &file))
        return false;
    if (file.size == 0)
        return helia_error(diag, helia_at_file(path), "no .npz archive: the file is empty");
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(file.at, file.size, 0, &error);
    zip_t *zip = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : NULL;
    if (!zip) {
        helia_error(diag, helia_at_file(path), "no .npz archive: %s", zip_error_strerror(&error));
        zip_source_free(source);
        zip_error_fini(&error);
        return false;
    }
    zip_error_fini(&error);
    memset(out, 0, sizeof(*out));
    zip_int64_t n = zip_get_num_entries(zip, 0);
    bool ok = n <= MAX_MEMBERS || helia_error(diag, helia_at_file(path), "more than %d arrays", MAX_MEMBERS);
    for (zip_int64_t i = 0; ok && i < n; i++)
        HELIA_PUSH(arena, out, read_member(arena, zip, (zip_uint64_t)i));
    zip_discard(zip);
    return ok;
}

/* Header and data in one piece. */
static ArchiveMember member_of(HeliaArena *arena, const NpzArray *array)
{
    size_t length;
    const char *header = npy_write_header(arena, array, &length);
    uint8_t *bytes = helia_alloc(arena, length + array->size, 1);
    memcpy(bytes, header, length);
    if (array->size)
        memcpy(bytes + length, array->data, array->size);
    return (ArchiveMember){helia_format(arena, "%s.npy", array->name), bytes, length + array->size};
}

bool npz_write(HeliaArena *arena, HeliaDiag *diag, const char *path, const Npz *npz)
{
    ArchiveMembers members = {0};
    FileBytes bytes;
    for (uint32_t i = 0; i < npz->len; i++)
        HELIA_PUSH(arena, &members, member_of(arena, &npz->at[i]));
    return archive_pack(arena, diag, helia_at_file(path), &members, &bytes) &&
           file_write(diag, path, bytes.at, bytes.size);
}

const NpzArray *npz_find(const Npz *npz, const char *name)
{
    for (uint32_t i = 0; i < npz->len; i++)
        if (strcmp(npz->at[i].name, name) == 0)
            return &npz->at[i];
    return NULL;
}

const char *npz_type_text(HeliaArena *arena, const NpzArray *array)
{
    return helia_format(arena, "%c%c%u", array->item > 1 ? '<' : '|', array->kind, array->item);
}

const char *npz_shape_text(HeliaArena *arena, const NpzArray *array)
{
    const char *text = "(";
    for (int32_t i = 0; i < array->rank; i++)
        text = helia_format(arena, "%s%s%lld", text, i ? ", " : "", (long long)array->dim[i]);
    return helia_format(arena, "%s%s)", text, array->rank == 1 ? "," : "");
}
