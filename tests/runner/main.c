/* runner: compiles and runs sets of models, and compares.
 *
 *   runner cases --compiler HELIA_AOT --root PROJECT --work FOLDER --label NAME [--refused LIST] [--match PATTERN]
 *                [--ways eval,host,m4,m55] [--plugin FILE.so] INDEX.csv
 *   runner malformed (the same) INDEX.csv
 *
 * The last line is "NAME: N passed, N failed"; the exit status is 1 where something failed. */
#include "runner.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/file.h"

/* Sanitizers end a program with this, so that it is told apart from a refused input. */
#define SANITIZER_OPTIONS "exitcode=77"

/* ---- outcomes --------------------------------------------------------------------------------- */
Outcome *outcome_at(Runner *r, uint32_t kase, uint32_t way)
{
    return &r->outcomes[kase * r->ways.len + way];
}

void outcome_set(Runner *r, uint32_t kase, uint32_t way, const char *failure)
{
    Outcome *outcome = outcome_at(r, kase, way);
    outcome->done = true;
    if (!outcome->failure)
        outcome->failure = failure;
}

static void print_failure(const char *name, const char *way, const char *why, const char *pattern)
{
    printf("FAIL %s %s: %s\n     to run it again: scripts/test %s\n", name, way, why, pattern);
}

void runner_check(Runner *r, const char *name, const char *failure)
{
    if (failure) {
        print_failure(r->label, name, failure, r->label);
        r->failed++;
    } else {
        r->passed++;
    }
}

/* One line a case for the ways that passed, and one failure for the ways that failed alike. */
static void report_case(Runner *r, uint32_t kase)
{
    const Case *c = r->cases.at[kase];
    const char *passed = "";
    for (uint32_t w = 0; w < r->ways.len; w++) {
        const Outcome *outcome = outcome_at(r, kase, w);
        if (!outcome->failure) {
            passed = helia_format(r->arena, "%s %s", passed, r->ways.at[w]);
            r->passed++;
            continue;
        }
        r->failed++;
        const char *alike = "";
        bool first = true;
        for (uint32_t k = 0; k < r->ways.len; k++) {
            const char *other = outcome_at(r, kase, k)->failure;
            if (!other || strcmp(other, outcome->failure) != 0)
                continue;
            first = first && k >= w;
            alike = helia_format(r->arena, "%s%s%s", alike, alike[0] ? "," : "", r->ways.at[k]);
        }
        if (first)
            print_failure(c->id, alike, outcome->failure, c->id);
    }
    if (passed[0])
        printf("ok   %s%s:%s\n", c->id, c->refused ? " (on the list of refusals)" : "", passed);
}

static void report(Runner *r)
{
    for (uint32_t i = 0; i < r->cases.len; i++) {
        for (uint32_t w = 0; w < r->ways.len; w++) {
            Outcome *outcome = outcome_at(r, i, w);
            if (!outcome->done)
                outcome->failure = "was not run";
        }
        report_case(r, i);
    }
}

/* ---- files ------------------------------------------------------------------------------------ */
bool path_exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

bool make_folder(const char *path)
{
    char part[4096];
    for (size_t i = 1; i < sizeof(part); i++) {
        if (path[i] && path[i] != '/')
            continue;
        memcpy(part, path, i);
        part[i] = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return false;
        if (!path[i])
            return true;
    }
    return false;
}

bool remove_tree(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return errno == ENOENT || unlink(path) == 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char inner[4096];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (snprintf(inner, sizeof(inner), "%s/%s", path, entry->d_name) < (int)sizeof(inner) && unlink(inner) != 0)
            remove_tree(inner);
    }
    closedir(folder);
    return rmdir(path) == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void list_files(Runner *r, const char *path, const char *suffix, Names *out)
{
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        size_t n = strlen(entry->d_name), s = strlen(suffix);
        if (n > s && strcmp(entry->d_name + n - s, suffix) == 0)
            HELIA_PUSH(r->arena, out, helia_format(r->arena, "%s/%s", path, entry->d_name));
    }
    closedir(folder);
    if (out->len)
        qsort(out->at, out->len, sizeof(out->at[0]), by_name);
}

const char *log_tail(Runner *r, const char *path)
{
    enum { MOST = 1500 };
    FileBytes log;
    if (!path_exists(path) || !file_read(r->arena, r->diag, path, &log))
        return "(no log)";
    /* The first lines say what went wrong. */
    return helia_strndup(r->arena, (const char *)log.at, log.size < MOST ? log.size : MOST);
}

/* ---- command line ----------------------------------------------------------------------------- */
typedef struct Options {
    const char *compiler, *root, *work, *label, *refused, *match, *ways, *plugin, *index;
} Options;

static bool parse_options(int argc, char **argv, Options *o)
{
    const struct {
        const char *name;
        const char **value;
    } flags[] = {{"--compiler", &o->compiler}, {"--root", &o->root},   {"--work", &o->work}, {"--label", &o->label},
                 {"--refused", &o->refused},   {"--match", &o->match}, {"--ways", &o->ways}, {"--plugin", &o->plugin}};
    enum { NUM_FLAGS = sizeof(flags) / sizeof(flags[0]) };
    for (int i = 2; i < argc; i++) {
        int f = 0;
        while (f < NUM_FLAGS && strcmp(argv[i], flags[f].name) != 0)
            f++;
        if (f < NUM_FLAGS && i + 1 < argc)
            *flags[f].value = argv[++i];
        else if (f == NUM_FLAGS && argv[i][0] != '-')
            o->index = argv[i];
        else
            return false;
    }
    return o->compiler && o->root && o->work && o->label && o->index;
}

static bool set_ways(Runner *r, const char *list)
{
    for (char *word = strtok(helia_strdup(r->arena, list), ","); word; word = strtok(NULL, ",")) {
        if (strcmp(word, "eval") != 0 && !target_find(word)) {
            fprintf(stderr, "runner: there is no way \"%s\"\n", word);
            return false;
        }
        HELIA_PUSH(r->arena, &r->ways, word);
    }
    return true;
}

static bool run_cases(Runner *r, const Options *o)
{
    if (!set_ways(r, o->ways ? o->ways : "eval,host") || !cases_load(r, o->index, o->refused, o->match))
        return false;
    if (r->cases.len == 0)
        return true;
    r->outcomes = HELIA_NEW_N(r->arena, Outcome, (size_t)r->cases.len * r->ways.len);
    for (uint32_t w = 0; w < r->ways.len; w++) {
        if (strcmp(r->ways.at[w], "eval") == 0)
            eval_add(r, w);
        else
            image_add(r, w);
    }
    jobs_drain(&r->jobs);
    for (uint32_t w = 0; w < r->ways.len; w++)
        if (strcmp(r->ways.at[w], "eval") != 0)
            image_finish(r, w);
    jobs_drain(&r->jobs);
    report(r);
    return true;
}

static const char *absolute(HeliaArena *arena, const char *path)
{
    char *full = realpath(path, NULL);
    const char *copy = helia_strdup(arena, full ? full : path);
    free(full);
    return copy;
}

int main(int argc, char **argv)
{
    Options o = {0};
    bool cases = argc > 1 && strcmp(argv[1], "cases") == 0;
    bool malformed = argc > 1 && strcmp(argv[1], "malformed") == 0;
    if ((!cases && !malformed) || !parse_options(argc, argv, &o)) {
        fprintf(stderr,
                "usage: runner cases|malformed --compiler FILE --root FOLDER --work FOLDER --label NAME\n"
                "              [--refused LIST] [--match PATTERN] [--ways eval,host,m4,m55] [--plugin FILE.so]\n"
                "              INDEX.csv\n");
        return 2;
    }
    setenv("ASAN_OPTIONS", SANITIZER_OPTIONS, 1);
    setenv("UBSAN_OPTIONS", SANITIZER_OPTIONS ":print_stacktrace=1", 1);
    setenv("LC_ALL", "C", 1);

    Runner r = {0};
    r.arena = helia_arena_new(NULL);
    r.diag = helia_diag_new(r.arena, NULL, NULL, 1);
    make_folder(o.work);
    r.compiler = absolute(r.arena, o.compiler);
    r.root = absolute(r.arena, o.root);
    r.work = absolute(r.arena, o.work);
    r.label = o.label;
    r.plugin = o.plugin ? absolute(r.arena, o.plugin) : NULL;
    r.jobs.arena = r.arena;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    r.jobs.parallel = cores < 1 ? 1 : cores > 8 ? 8 : (int)cores;
    o.index = absolute(r.arena, o.index);

    bool ok = cases ? run_cases(&r, &o) : malformed_run(&r, o.index, o.match);
    printf("%s: %u passed, %u failed\n", r.label, r.passed, r.failed + !ok);
    bool failed = !ok || r.failed > 0;
    helia_arena_free(r.arena);
    return failed;
}
