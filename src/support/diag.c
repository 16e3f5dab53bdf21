/* The one place that talks to the user: "file: op 12 CONV_2D "name": error: text". */
#include <helia_aot/support.h>

#include <stdio.h>
#include <string.h>

struct HeliaDiag {
    HeliaArena *arena;
    HeliaDiagSink sink;
    void *user;
    int level;
    uint32_t errors, fatals;
};

static void to_stderr(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    fprintf(stderr, "%s\n", text);
}

HeliaDiag *helia_diag_new(HeliaArena *arena, HeliaDiagSink sink, void *user, int level)
{
    HeliaDiag *diag = HELIA_NEW(arena, HeliaDiag);
    diag->arena = arena;
    diag->sink = sink ? sink : to_stderr;
    diag->user = user;
    diag->level = level;
    return diag;
}

void helia_diag_set_level(HeliaDiag *diag, int level)
{
    diag->level = level;
}

int helia_diag_level(const HeliaDiag *diag)
{
    return diag->level;
}

uint32_t helia_diag_errors(const HeliaDiag *diag)
{
    return diag->errors;
}

uint32_t helia_diag_fatals(const HeliaDiag *diag)
{
    return diag->fatals;
}

int helia_diag_exit_status(const HeliaDiag *diag)
{
    return diag->fatals ? 2 : diag->errors ? 1 : 0;
}

const char *helia_printable(HeliaArena *arena, const char *text)
{
    enum { LIMIT = 60 };
    char *out = helia_alloc(arena, LIMIT + 8, 1);
    size_t n = 0;
    for (const char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        bool plain = c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
        if (n + (plain ? 1 : 4) > LIMIT) {
            memcpy(out + n, "...", 4);
            return out;
        }
        if (plain)
            out[n++] = (char)c;
        else
            n += (size_t)snprintf(out + n, 5, "\\x%02x", c);
    }
    return out;
}

/* The end of a path says more than its beginning. */
static const char *short_path(HeliaArena *arena, const char *path)
{
    enum { LONGEST = 240 };
    const size_t n = strlen(path);
    return n <= LONGEST ? path : helia_format(arena, "...%s", path + n - (LONGEST - 3));
}

static void append(HeliaArena *arena, const char **text, const char *more)
{
    *text = helia_format(arena, "%s%s", *text, more);
}

static const char *location(HeliaArena *arena, HeliaLoc at)
{
    const char *text = "";
    if (at.file)
        append(arena, &text, helia_format(arena, "%s:", short_path(arena, at.file)));
    if (at.line >= 0)
        append(arena, &text, helia_format(arena, "%d:", at.line));
    if (at.line >= 0 && at.column >= 0)
        append(arena, &text, helia_format(arena, "%d:", at.column));
    if (*text)
        append(arena, &text, " ");
    const char *model = "";
    if (at.subgraph > 0)
        append(arena, &model, helia_format(arena, "subgraph %d ", at.subgraph));
    if (at.op >= 0)
        append(arena, &model, helia_format(arena, "op %d ", at.op));
    if (at.op_type)
        append(arena, &model, helia_format(arena, "%s ", at.op_type));
    if (at.tensor >= 0)
        append(arena, &model, helia_format(arena, "tensor %d ", at.tensor));
    if (at.name)
        append(arena, &model, helia_format(arena, "\"%s\" ", helia_printable(arena, at.name)));
    if (*model)
        append(arena, &text, helia_format(arena, "%.*s: ", (int)strlen(model) - 1, model));
    return text;
}

static void report(HeliaDiag *diag, HeliaSeverity severity, HeliaLoc at, const char *fmt, va_list args)
{
    static const char *const words[] = {"error: ", "error: ", "warning: ", "note: ", ""};
    HeliaArena *scratch = helia_arena_child(diag->arena);
    const char *where = location(scratch, at);
    const char *text = helia_vformat(scratch, fmt, args);
    diag->sink(diag->user, severity, helia_format(scratch, "%s%s%s", where, words[severity], text));
    helia_arena_free(scratch);
}

bool helia_error(HeliaDiag *diag, HeliaLoc at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    report(diag, HELIA_ERROR, at, fmt, args);
    va_end(args);
    diag->errors++;
    return false;
}

bool helia_fatal(HeliaDiag *diag, HeliaLoc at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    report(diag, HELIA_FATAL, at, fmt, args);
    va_end(args);
    diag->errors++;
    diag->fatals++;
    return false;
}

void helia_warn(HeliaDiag *diag, HeliaLoc at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (diag->level > 0)
        report(diag, HELIA_WARNING, at, fmt, args);
    va_end(args);
}

void helia_note(HeliaDiag *diag, HeliaLoc at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    report(diag, HELIA_NOTE, at, fmt, args);
    va_end(args);
}

void helia_info(HeliaDiag *diag, int level, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (diag->level >= level)
        report(diag, HELIA_INFO, HELIA_NOWHERE, fmt, args);
    va_end(args);
}
