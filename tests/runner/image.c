/* Modules on a machine: each case is converted and compiled by itself, so that one that fails does not take the others
 * with it; those that compile are linked into a few images, which run all their cases. An image that stops is started
 * again behind the case that stopped it. */
#include "runner.h"
#include "image.h"
#include "support/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES_PER_IMAGE = 48, IMAGE_TIMEOUT = 300 };

typedef struct Image {
    Runner *r;
    uint32_t way;
    const Target *target;
    const char *path;
    HELIA_VEC(Module *) modules;
    uint32_t started; /* the first case of the run under way */
} Image;

/* NULL: passed. */
static void module_outcome(const Module *m, const char *why)
{
    outcome_set(m->r, m->kase, m->way, why);
}

static const char *path_in(const Module *m, const char *folder, const char *suffix)
{
    return helia_format(m->r->arena, "%s/%s/%s%s", m->base, folder, m->c->id, suffix);
}

/* ---- compile ---------------------------------------------------------------------------------- */
static void listed(void *user, Job *job)
{
    Module *m = user;
    FileBytes listing = {(const uint8_t *)"", 0};
    bool ok = job->status == 0 && file_read(m->r->arena, m->r->diag, job->log, &listing);
    const char *why = ok ? module_check_symbols(m, (const char *)listing.at) : "its symbols cannot be listed";
    if (!why)
        return;
    module_outcome(m, why);
    m->compiled = false; /* it would keep its whole image from being linked */
}

static void add_symbols(Module *m)
{
    Names objects = {0};
    list_files(m->r, m->objects, ".o", &objects);
    Job *job = job_new(m->r->arena, NULL, path_in(m, "logs", ".nm"), listed, m);
    job_words(m->r->arena, job, m->target->nm);
    job_words(m->r->arena, job, "-P -g");
    for (uint32_t i = 0; i < objects.len; i++)
        if (!strstr(objects.at[i], ".case.o"))
            job_arg(m->r->arena, job, objects.at[i]);
    jobs_add(&m->r->jobs, job);
}

static void compiled(void *user, Job *job)
{
    Module *m = user;
    m->compiled = job->status == 0;
    if (!m->compiled)
        module_outcome(m, helia_format(m->r->arena, "does not compile\n%s", log_tail(m->r, job->log)));
    else if (m->target->run[0]) /* on the host the sanitizers' own symbols are among them */
        add_symbols(m);
}

static void add_compile(Module *m)
{
    HeliaArena *arena = m->r->arena;
    Names sources = {0};
    list_files(m->r, helia_format(arena, "%s/src", m->folder), ".c", &sources);
    m->objects = path_in(m, "obj", "");
    make_folder(m->objects);
    const char *why = module_write_case(m);
    if (why) {
        module_outcome(m, why);
        return;
    }
    Job *job = job_new(arena, m->objects, path_in(m, "logs", ".cc"), compiled, m);
    job_words(arena, job, m->target->compiler);
    job_arg(arena, job, helia_format(arena, "-I%s/includes-api", m->folder));
    job_arg(arena, job, helia_format(arena, "-I%s/src", m->folder));
    job_arg(arena, job, helia_format(arena, "-I%s/tests/lib", m->r->root));
    job_arg(arena, job, helia_format(arena, "-I%s/tests/cmsis_nn", m->r->root));
    job_arg(arena, job, "-c");
    for (uint32_t i = 0; i < sources.len; i++)
        job_arg(arena, job, sources.at[i]);
    job_arg(arena, job, m->case_source);
    jobs_add(&m->r->jobs, job);
}

/* ---- convert ---------------------------------------------------------------------------------- */
static const char *check_refused(Module *m, const Job *job)
{
    HeliaArena *arena = m->r->arena;
    if (job->status == 0)
        return "is on the list of refused cases, but converts: take it off the list";
    if (job->status != 1)
        return helia_format(arena, "is to be refused with status 1, but `convert` %s",
                            job_status_text(arena, job->status));
    if (path_exists(m->folder))
        return "was refused, but a module was written";
    FileBytes log;
    if (!file_read(arena, m->r->diag, job->log, &log))
        return "has no log";
    const char *text = (const char *)log.at;
    if (!strstr(text, "error: ") || !strstr(text, m->c->refused))
        return helia_format(arena, "is to be refused with a message that names \"%s\", but said\n%s", m->c->refused,
                            text);
    return NULL;
}

static void converted(void *user, Job *job)
{
    Module *m = user;
    HeliaArena *arena = m->r->arena;
    if (case_is_refused(m->r, m->c, m->way))
        module_outcome(m, check_refused(m, job));
    else if (job->status)
        module_outcome(
            m, helia_format(arena, "`convert` %s\n%s", job_status_text(arena, job->status), log_tail(m->r, job->log)));
    else
        add_compile(m);
}

static void add_convert(Module *m)
{
    HeliaArena *arena = m->r->arena;
    m->folder = helia_format(arena, "%s/modules/%s", m->base, m->c->prefix);
    Job *job = job_new(arena, NULL, path_in(m, "logs", ".log"), converted, m);
    job_arg(arena, job, m->r->compiler);
    job_words(arena, job, "convert --model.path");
    job_arg(arena, job, m->c->model);
    job_arg(arena, job, "--module.path");
    job_arg(arena, job, helia_format(arena, "%s/modules", m->base));
    job_arg(arena, job, helia_format(arena, "--module.name=%s", m->c->prefix));
    job_arg(arena, job, helia_format(arena, "--module.prefix=%s", m->c->prefix));
    job_words(arena, job, m->target->convert);
    case_flags(m->r, job);
    jobs_add(&m->r->jobs, job);
}

void image_add(Runner *r, uint32_t way)
{
    const Target *target = target_find(r->ways.at[way]);
    const char *base = helia_format(r->arena, "%s/%s", r->work, target->name);
    static const char *const folders[] = {"modules", "logs", "obj", "run"};
    remove_tree(base);
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
        make_folder(helia_format(r->arena, "%s/%s", base, folders[i]));
    for (uint32_t i = 0; i < r->cases.len; i++) {
        if (r->cases.at[i]->broken) {
            outcome_set(r, i, way, r->cases.at[i]->broken);
            continue;
        }
        Module *m = HELIA_NEW(r->arena, Module);
        *m = (Module){.r = r, .kase = i, .way = way, .c = r->cases.at[i], .target = target, .base = base};
        HELIA_PUSH(r->arena, &r->modules, m);
        add_convert(m);
    }
}

/* ---- link and run ----------------------------------------------------------------------------- */
static void run_from(Image *image, uint32_t first);

/* Sets *next to the first case that the log does not say has ended; returns whether it has begun. */
static bool last_case(const char *log, uint32_t *next)
{
    bool began = false;
    for (const char *p = log; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
        unsigned n;
        if (sscanf(p, "run %u", &n) == 1) {
            *next = n;
            began = true;
        } else if (sscanf(p, "end %u", &n) == 1) {
            *next = n + 1;
            began = false;
        }
    }
    return began;
}

static void ran(void *user, Job *job)
{
    Image *image = user;
    Runner *r = image->r;
    FileBytes log = {(const uint8_t *)"", 0};
    file_read(r->arena, r->diag, job->log, &log);
    uint32_t next = image->started; /* the first case that did not end */
    bool began = last_case((const char *)log.at, &next);
    bool all = job->status == 0 && strstr((const char *)log.at, "all done");
    for (uint32_t i = image->started; i < next; i++)
        module_outcome(image->modules.at[i], module_check_output(image->modules.at[i]));
    if (all)
        return;
    if (!began && next > image->started)
        next--; /* stopped behind a case */
    module_outcome(
        image->modules.at[next],
        helia_format(r->arena, "the image %s\n%s", job_status_text(r->arena, job->status), log_tail(r, job->log)));
    if (next + 1 < image->modules.len)
        run_from(image, next + 1);
}

static void run_from(Image *image, uint32_t first)
{
    HeliaArena *arena = image->r->arena;
    image->started = first;
    Job *job = job_new(arena, helia_format(arena, "%s/run", image->modules.at[0]->base),
                       helia_format(arena, "%s.log", image->path), ran, image);
    job->timeout = IMAGE_TIMEOUT;
    const char *number = helia_format(arena, "%u", first);
    if (image->target->run[0]) {
        job_words(arena, job, helia_format(arena, "%s%s", image->target->run, number));
        job_arg(arena, job, "-kernel");
    }
    job_arg(arena, job, image->path);
    if (!image->target->run[0])
        job_arg(arena, job, number);
    jobs_add(&image->r->jobs, job);
}

static void linked(void *user, Job *job)
{
    Image *image = user;
    Runner *r = image->r;
    if (job->status == 0) {
        run_from(image, 0);
        return;
    }
    for (uint32_t i = 0; i < image->modules.len; i++)
        module_outcome(image->modules.at[i],
                       helia_format(r->arena, "the image does not link\n%s", log_tail(r, job->log)));
}

static Image *image_new(Runner *r, uint32_t way, uint32_t number)
{
    Image *image = HELIA_NEW(r->arena, Image);
    image->r = r;
    image->way = way;
    image->target = target_find(r->ways.at[way]);
    image->path = helia_format(r->arena, "%s/%s/image%u", r->work, image->target->name, number);
    return image;
}

/* The table of cases that the driver walks. */
static const char *write_table(Image *image)
{
    HeliaArena *arena = image->r->arena;
    const char *text = "#include \"driver.h\"\n\n", *entries = "";
    for (uint32_t i = 0; i < image->modules.len; i++) {
        const char *name = image->modules.at[i]->c->prefix;
        text = helia_format(arena, "%sextern const DriverCase case_%s;\n", text, name);
        entries = helia_format(arena, "%s    &case_%s,\n", entries, name);
    }
    text = helia_format(arena,
                        "%s\nconst DriverCase *const driver_cases[] = {\n%s};\n"
                        "const uint32_t driver_case_count = %u;\n",
                        text, entries, image->modules.len);
    const char *path = helia_format(arena, "%s.c", image->path);
    return file_write(image->r->diag, path, text, strlen(text)) ? path : NULL;
}

static void add_link(Image *image)
{
    Runner *r = image->r;
    const char *table = write_table(image);
    if (!table)
        return;
    Job *job = job_new(r->arena, r->root, helia_format(r->arena, "%s.link.log", image->path), linked, image);
    job_words(r->arena, job, image->target->support);
    job_words(r->arena, job, "-Itests/lib -Itests/qemu -Ltests/qemu -o");
    job_arg(r->arena, job, image->path);
    job_arg(r->arena, job, table);
    job_words(r->arena, job, image->target->sources);
    for (uint32_t i = 0; i < image->modules.len; i++) {
        Names objects = {0};
        list_files(r, image->modules.at[i]->objects, ".o", &objects);
        for (uint32_t k = 0; k < objects.len; k++)
            job_arg(r->arena, job, objects.at[k]);
    }
    job_words(r->arena, job, image->target->link);
    jobs_add(&r->jobs, job);
}

/* ---- the headers as C++ ----------------------------------------------------------------------- */
static void headers_compiled(void *user, Job *job)
{
    Runner *r = user;
    runner_check(r, "headers as C++", job->status ? log_tail(r, job->log) : NULL);
}

/* All headers in one translation unit: modules must not get into each other's way. */
static void add_headers(Runner *r, uint32_t way)
{
    const char *text = "", *base = NULL;
    for (uint32_t i = 0; i < r->modules.len; i++) {
        const Module *m = r->modules.at[i];
        if (m->way != way || !m->compiled)
            continue;
        base = m->base;
        text = helia_format(r->arena, "%s#include \"%s/includes-api/%s_model.h\"\n", text, m->folder, m->c->prefix);
    }
    if (!base)
        return;
    const char *path = helia_format(r->arena, "%s/headers.cc", base);
    if (!file_write(r->diag, path, text, strlen(text)))
        return;
    Job *job = job_new(r->arena, NULL, helia_format(r->arena, "%s/headers.log", base), headers_compiled, r);
    job_words(r->arena, job, "g++ -std=c++11 -Wall -Wextra -Wpedantic -Wundef -Werror -fsyntax-only");
    job_arg(r->arena, job, path);
    jobs_add(&r->jobs, job);
}

void image_finish(Runner *r, uint32_t way)
{
    Image *image = NULL;
    uint32_t number = 0;
    for (uint32_t i = 0; i < r->modules.len; i++) {
        Module *m = r->modules.at[i];
        if (m->way != way || !m->compiled)
            continue;
        if (!image)
            image = image_new(r, way, number++);
        HELIA_PUSH(r->arena, &image->modules, m);
        if (image->modules.len == CASES_PER_IMAGE) {
            add_link(image);
            image = NULL;
        }
    }
    if (image)
        add_link(image);
    if (!target_find(r->ways.at[way])->run[0])
        add_headers(r, way);
}
