/* Export: the module becomes a folder or an archive. Both are made beside the place where they go and renamed at the
 * end, so that a failure leaves what was there before. */
#include "emit/module.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emit/writers/writer.h"
#include "support/archive.h"
#include "support/arena.h"
#include "support/file.h"

static bool has_extension(const char *path, const char *extension)
{
    size_t n = strlen(path), k = strlen(extension);
    return n > k && strcmp(path + n - k, extension) == 0;
}

static bool exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

/* Folders and nothing else, to a depth that build tools prepare for the files to come. */
static bool holds_no_files(HeliaArena *arena, const char *path, int depth)
{
    DIR *folder = opendir(path);
    if (!folder)
        return false;
    bool none = true;
    for (const struct dirent *entry; none && (entry = readdir(folder));) {
        struct stat st;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        const char *inside = helia_format(arena, "%s/%s", path, entry->d_name);
        none = depth > 0 && lstat(inside, &st) == 0 && S_ISDIR(st.st_mode) && holds_no_files(arena, inside, depth - 1);
    }
    closedir(folder);
    return none;
}

/* What --force may delete: a module's folder, which its recorded configuration marks, or one without files. A path that
 * was mistyped must not cost someone their work. */
static bool is_module(HeliaArena *arena, const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return false;
    return exists(helia_format(arena, "%s/helia_aot.yaml", path)) || holds_no_files(arena, path, 3);
}

static bool check_folder(HeliaArena *arena, HeliaDiag *diag, const char *path, const char *target, bool force)
{
    if (is_file(path))
        return helia_error(diag, helia_at_file(path),
                           "module.path is a file; expected a folder, or a name that ends in .zip");
    if (!exists(target))
        return true;
    if (!force)
        return helia_error(diag, helia_at_file(target), "exists already; --force replaces it");
    if (!is_module(arena, target))
        return helia_error(diag, helia_at_file(target),
                           "exists and is no module; --force replaces folders that hold no files, or helia_aot.yaml");
    return true;
}

/* Names of members stand in an archive as they are. */
static bool is_module_archive(HeliaArena *arena, HeliaDiag *diag, const char *path)
{
    static const char marker[] = "helia_aot.yaml";
    FileBytes file;
    if (!file_read(arena, diag, path, &file))
        return false;
    for (size_t i = 0; i + sizeof(marker) - 1 <= file.size; i++)
        if (memcmp(file.at + i, marker, sizeof(marker) - 1) == 0)
            return true;
    return file.size == 0;
}

static bool check_archive(HeliaArena *arena, HeliaDiag *diag, const char *path, bool force)
{
    struct stat st;
    if (!exists(path))
        return true;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return helia_error(diag, helia_at_file(path),
                           "module.path is a folder; a name that ends in .zip or .pack is for a file");
    if (!force)
        return helia_error(diag, helia_at_file(path), "exists already; --force replaces it");
    return is_module_archive(arena, diag, path) ||
           helia_error(diag, helia_at_file(path),
                       "exists and is no module's archive; --force replaces those that hold helia_aot.yaml");
}

/* ---- folders ---------------------------------------------------------------------------------- */
static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

/* Symbolic links are removed, not followed. */
static void remove_tree(const char *path)
{
    nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* Makes the folders of `path` up to its last '/'. *made: the first one that was not there; NULL: none. */
static bool make_parents(HeliaArena *arena, HeliaDiag *diag, const char *path, const char **made)
{
    char *folder = helia_strdup(arena, path);
    for (char *c = folder + 1; *folder && *c; c++) {
        if (*c != '/' || c[-1] == '/')
            continue;
        *c = '\0';
        const char *name = made && !*made ? helia_strdup(arena, folder)
                                          : NULL; /* before there is something to remove */
        if (mkdir(folder, 0777) == 0) {
            if (name)
                *made = name;
        } else if (errno != EEXIST) {
            return helia_fatal(diag, helia_at_file(folder), "cannot make the folder: %s", strerror(errno));
        }
        *c = '/';
    }
    return true;
}

static bool write_files(const Module *m, HeliaDiag *diag, const char *folder)
{
    HeliaArena *scratch = helia_arena_child(m->arena);
    bool ok = true;
    for (uint32_t i = 0; ok && i < m->files.len; i++) {
        const ModuleFile *f = &m->files.at[i];
        const char *path = helia_format(scratch, "%s/%s", folder, f->path);
        ok = make_parents(scratch, diag, path, NULL) && file_write(diag, path, f->bytes, f->size);
    }
    helia_arena_free(scratch);
    return ok;
}

/* Puts `staged` in the place of `target`, which is moved aside first where it exists. */
static bool swap_in(HeliaDiag *diag, const char *staged, const char *target, const char *aside)
{
    bool replaces = exists(target);
    if (replaces && rename(target, aside) != 0)
        return helia_fatal(diag, helia_at_file(target), "cannot replace: %s", strerror(errno));
    if (rename(staged, target) != 0) {
        int why = errno;
        if (replaces && rename(aside, target) != 0)
            helia_note(diag, helia_at_file(aside), "is what was at %s", target);
        return helia_fatal(diag, helia_at_file(target), "cannot make: %s", strerror(why));
    }
    if (replaces)
        remove_tree(aside);
    if (replaces && exists(aside))
        helia_warn(diag, helia_at_file(aside), "is what was at %s, and cannot be removed", target);
    return true;
}

/* What a conversion that was killed has left: "<folder>/.<name>.<pid>.new", where no such process is alive. */
static void remove_stale(HeliaArena *arena, const char *path, const char *name)
{
    DIR *folder = opendir(path);
    const size_t n = strlen(name);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        const char *rest = entry->d_name + 1 + n;
        char *end = NULL;
        if (entry->d_name[0] != '.' || strncmp(entry->d_name + 1, name, n) != 0 || *rest != '.')
            continue;
        long pid = strtol(rest + 1, &end, 10);
        if (pid > 0 && strcmp(end, ".new") == 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH)
            remove_tree(helia_format(arena, "%s/%s", path, entry->d_name));
    }
    if (folder)
        closedir(folder);
}

/* What a failure must not leave behind. */
typedef struct Unfinished {
    const char *staged, *made; /* made: the first folder on the way there that is new; NULL: none */
} Unfinished;

static void remove_unfinished(void *object)
{
    const Unfinished *u = object;
    if (u->staged && exists(u->staged))
        remove_tree(u->staged);
    if (u->made)
        remove_tree(u->made);
}

static bool write_folder(const Module *m, HeliaDiag *diag, const char *path, bool force)
{
    const char *target = helia_format(m->arena, "%s/%s", path, m->name);
    const char *staged = helia_format(m->arena, "%s/.%s.%ld.new", path, m->name, (long)getpid());
    const char *aside = helia_format(m->arena, "%s/.%s.%ld.old", path, m->name, (long)getpid());
    if (!check_folder(m->arena, diag, path, target, force))
        return false;
    remove_stale(m->arena, path, m->name);
    Unfinished *u = HELIA_NEW(m->arena, Unfinished);
    u->staged = staged;
    ArenaGuard *guard = arena_guard(m->arena, remove_unfinished, u);
    bool ok = make_parents(m->arena, diag, target, &u->made) && write_files(m, diag, staged) &&
              swap_in(diag, staged, target, aside);
    arena_guard_cancel(guard);
    if (!ok)
        remove_unfinished(u);
    if (ok)
        helia_info(diag, 1, "export: %s, %u files", target, m->files.len);
    return ok;
}

/* ---- archives --------------------------------------------------------------------------------- */
static bool write_archive(const Module *m, HeliaDiag *diag, const char *path, const char *folder, bool force)
{
    ArchiveMembers members = {0};
    for (uint32_t i = 0; i < m->files.len; i++) {
        const ModuleFile *f = &m->files.at[i];
        ArchiveMember member = {folder ? helia_format(m->arena, "%s/%s", folder, f->path) : f->path, f->bytes, f->size};
        HELIA_PUSH(m->arena, &members, member);
    }
    FileBytes bytes;
    if (!check_archive(m->arena, diag, path, force) ||
        !archive_pack(m->arena, diag, helia_at_file(path), &members, &bytes))
        return false;
    Unfinished *u = HELIA_NEW(m->arena, Unfinished);
    ArenaGuard *guard = arena_guard(m->arena, remove_unfinished, u);
    bool ok = make_parents(m->arena, diag, path, &u->made) && file_write(diag, path, bytes.at, bytes.size);
    arena_guard_cancel(guard);
    if (!ok)
        remove_unfinished(u);
    if (ok)
        helia_info(diag, 1, "export: %s, %u files", path, m->files.len);
    return ok;
}

/* keep_work_dir: the files as they are, beside the output; what is exported is made apart from them. */
static bool keep_files(const Module *m, HeliaDiag *diag, const char *path, bool is_archive)
{
    const char *folder = is_archive ? helia_format(m->arena, "%s.%ld.work", path, (long)getpid())
                                    : helia_format(m->arena, "%s/.%s.%ld.work", path, m->name, (long)getpid());
    if (!make_parents(m->arena, diag, folder, NULL))
        return false;
    helia_info(diag, 1, "export: the work folder %s is kept", folder);
    return write_files(m, diag, folder);
}

bool module_write(const Module *module, const Config *config, HeliaDiag *diag)
{
    const char *path = config->module.path;
    const Writer *writer = writer_find(config->module.type);
    const bool is_pack = has_extension(path, ".pack"), is_archive = is_pack || has_extension(path, ".zip");
    if (is_pack && !writer->packs)
        return helia_error(diag, config_loc(config, "module.path"),
                           "module.path is \"%s\"; a .pack needs module.type \"cmsis_pack\", which is \"%s\"", path,
                           writer->name);
    Module full = *module;
    full.files.at = helia_memdup(module->arena, module->files.at, module->files.len * sizeof(*module->files.at));
    full.files.cap = full.files.len;
    if (!writer_add_files(writer, &full, config, diag))
        return false;
    if (config->keep_work_dir && !keep_files(&full, diag, path, is_archive))
        return false;
    if (is_archive) /* a pack has its description at the root */
        return write_archive(&full, diag, path, is_pack ? NULL : full.name, config->force);
    return write_folder(&full, diag, path, config->force);
}
