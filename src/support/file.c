/* Whole files in and out. */
#include "support/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_read(HeliaArena *arena, HeliaDiag *diag, const char *path, FileBytes *out)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return helia_fatal(diag, helia_at_file(path), "cannot open: %s", strerror(errno));
    if (!S_ISREG(st.st_mode))
        return helia_fatal(diag, helia_at_file(path), "cannot read: not a regular file");
    size_t size = (size_t)st.st_size, done = 0;
    uint8_t *bytes = helia_alloc(arena, size + 1, 1); /* a NUL behind text; before the file is open */
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return helia_fatal(diag, helia_at_file(path), "cannot open: %s", strerror(errno));
    while (done < size) {
        ssize_t n = read(fd, bytes + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            const char *why = n < 0 ? strerror(errno) : "it became shorter";
            close(fd);
            return helia_fatal(diag, helia_at_file(path), "cannot read: %s", why);
        }
        done += (size_t)n;
    }
    close(fd);
    *out = (FileBytes){bytes, size};
    return true;
}

bool file_is_same(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* The file itself where the path is a link, so that the link stays. False after reporting: what is there is no file. */
static bool replaceable(HeliaDiag *diag, const char **path, char resolved[PATH_MAX])
{
    struct stat st;
    if (stat(*path, &st) == 0 && !S_ISREG(st.st_mode))
        return helia_error(diag, helia_at_file(*path), "exists and is no regular file: it is not replaced");
    if (lstat(*path, &st) == 0 && S_ISLNK(st.st_mode) && realpath(*path, resolved))
        *path = resolved;
    return true;
}

bool file_write(HeliaDiag *diag, const char *path, const void *bytes, size_t size)
{
    char temporary[PATH_MAX], resolved[PATH_MAX];
    if (!replaceable(diag, &path, resolved))
        return false;
    int n = snprintf(temporary, sizeof(temporary), "%s.%ld.tmp", path, (long)getpid());
    if (n < 0 || (size_t)n >= sizeof(temporary))
        return helia_fatal(diag, helia_at_file(path), "cannot write: the path is too long");
    FILE *f = fopen(temporary, "wb");
    if (!f)
        return helia_fatal(diag, helia_at_file(path), "cannot write: %s", strerror(errno));
    bool ok = fwrite(bytes, 1, size, f) == size;
    int why = errno;
    if (fclose(f) != 0) {
        if (ok)
            why = errno;
        ok = false;
    }
    if (ok && rename(temporary, path) != 0) {
        why = errno;
        ok = false;
    }
    if (!ok) {
        unlink(temporary);
        return helia_fatal(diag, helia_at_file(path), "cannot write: %s", strerror(why));
    }
    return true;
}

const char *file_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *file_path_beside(HeliaArena *arena, const char *base_file, const char *path)
{
    const char *slash = strrchr(base_file, '/');
    if (path[0] == '/' || !slash)
        return helia_strdup(arena, path);
    return helia_format(arena, "%.*s/%s", (int)(slash - base_file), base_file, path);
}
