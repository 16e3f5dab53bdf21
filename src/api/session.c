/* Sessions: setting up and running. Every function that allocates goes through session_guard(), the one place where
 * running out of memory comes back to. */
#include "api/session.h"

#include <stdio.h>
#include <string.h>

#include "support/arena.h"

const char *helia_version(void)
{
    return HELIA_AOT_VERSION;
}

static void to_stderr(void *user, HeliaSeverity severity, const char *text)
{
    (void)user;
    (void)severity;
    fprintf(stderr, "%s\n", text);
}

/* The struct itself; NULL when there is no memory. */
static HeliaSession *session_alloc(void)
{
    jmp_buf escape;
    HeliaArena *volatile arena = helia_arena_new(NULL);
    if (!arena)
        return NULL;
    if (setjmp(escape)) {
        helia_arena_free(arena);
        return NULL;
    }
    arena_set_escape(arena, &escape);
    HeliaSession *s = HELIA_NEW(arena, HeliaSession);
    s->arena = arena;
    s->work = helia_arena_child(arena);
    arena_set_escape(arena, NULL);
    return s;
}

static void lose_everything(HeliaSession *s)
{
    plugin_unload(&s->loaded);
    helia_arena_free(s->work);
    s->work = NULL;
    s->compile = (Compile){0};
}

HeliaStatus session_guard(HeliaSession *s, SessionStep step, void *arguments)
{
    jmp_buf escape;
    if (!s->work)
        return HELIA_STATUS_MACHINE;
    jmp_buf *outer = arena_set_escape(s->arena, &escape);
    if (setjmp(escape)) {
        arena_set_escape(s->arena, NULL);
        lose_everything(s);
        s->sink(s->user, HELIA_FATAL, "error: out of memory");
        return HELIA_STATUS_MACHINE;
    }
    step(s, arguments);
    arena_set_escape(s->arena, outer);
    return helia_session_status(s);
}

static void start(HeliaSession *s, void *arguments)
{
    (void)arguments;
    s->diag = helia_diag_new(s->work, s->sink, s->user, 1);
}

HeliaSession *helia_session_new(HeliaDiagSink sink, void *user)
{
    HeliaSession *s = session_alloc();
    if (!s)
        return NULL;
    s->sink = sink ? sink : to_stderr;
    s->user = user;
    session_guard(s, start, NULL);
    return s;
}

void helia_session_free(HeliaSession *s)
{
    if (!s)
        return;
    plugin_unload(&s->loaded);
    helia_arena_free(s->arena);
}

HeliaStatus helia_session_status(const HeliaSession *s)
{
    return s->work ? (HeliaStatus)helia_diag_exit_status(s->diag) : HELIA_STATUS_MACHINE;
}

/* ---- set up ----------------------------------------------------------------------------------- */
static bool may_change(HeliaSession *s, const char *what)
{
    return !s->has_run || helia_error(s->diag, HELIA_NOWHERE, "%s: the session has been run", what);
}

static void set_config_file(HeliaSession *s, void *path)
{
    if (may_change(s, "config_file"))
        s->config_path = path ? helia_strdup(s->work, path) : NULL;
}

HeliaStatus helia_session_config_file(HeliaSession *s, const char *path)
{
    return session_guard(s, set_config_file, (void *)(uintptr_t)path);
}

typedef struct Setting {
    const char *key, *value;
} Setting;

static void set_key(HeliaSession *s, void *arguments)
{
    const Setting *a = arguments;
    if (!may_change(s, "set"))
        return;
    if (!a->key || !a->value) {
        helia_error(s->diag, HELIA_NOWHERE, "set: the key or the value is missing");
        return;
    }
    uint32_t distance;
    const char *flag = helia_format(s->work, "--%s=%s", a->key, a->value);
    if (strchr(a->key, '=') || config_flag(s->work, s->diag, &s->flags, flag, NULL) == FLAG_UNKNOWN)
        helia_error(s->diag, HELIA_NOWHERE, "set: unknown key \"%s\"; the nearest known one is \"%s\"",
                    helia_printable(s->work, a->key), config_nearest_flag(s->work, flag, &distance) + 2);
}

HeliaStatus helia_session_set(HeliaSession *s, const char *key, const char *value)
{
    Setting a = {key, value};
    return session_guard(s, set_key, &a);
}

typedef struct Customizer {
    HeliaCustomizer function;
    void *user;
} Customizer;

static void add_customizer(HeliaSession *s, void *arguments)
{
    const Customizer *a = arguments;
    if (!may_change(s, "customize"))
        return;
    if (!a->function) {
        helia_error(s->diag, HELIA_NOWHERE, "customize: the function is missing");
        return;
    }
    HELIA_PUSH(s->work, &s->customizers, a->function);
    HELIA_PUSH(s->work, &s->users, a->user);
}

HeliaStatus helia_session_customize(HeliaSession *s, HeliaCustomizer customizer, void *user)
{
    Customizer a = {customizer, user};
    return session_guard(s, add_customizer, &a);
}

void helia_session_allow_override(HeliaSession *s, bool allow)
{
    s->allow_override = allow;
}

static void add_plugin(HeliaSession *s, void *arguments)
{
    const ConfigPlugin *a = arguments;
    if (!may_change(s, "plugin"))
        return;
    if (!a->path || !*a->path) {
        helia_error(s->diag, HELIA_NOWHERE, "plugin: the path is missing");
        return;
    }
    ConfigPlugin p = {.at = HELIA_NOWHERE, .path = helia_strdup(s->work, a->path), .allow_override = a->allow_override};
    HELIA_PUSH(s->work, &s->plugins, p);
}

HeliaStatus helia_session_plugin(HeliaSession *s, const char *path, bool allow_override)
{
    ConfigPlugin a = {.path = path, .allow_override = allow_override};
    return session_guard(s, add_plugin, &a);
}

/* ---- run -------------------------------------------------------------------------------------- */
_Static_assert((int)HELIA_STAGE_LOAD == STAGE_LOAD && (int)HELIA_STAGE_TRANSFORM == STAGE_TRANSFORM &&
                   (int)HELIA_STAGE_RESOLVE == STAGE_RESOLVE && (int)HELIA_STAGE_PLAN == STAGE_PLAN &&
                   (int)HELIA_STAGE_EMIT == STAGE_EMIT && (int)HELIA_STAGE_EXPORT == STAGE_EXPORT,
               "the public stages are the pipeline's");

static void run(HeliaSession *s, void *arguments)
{
    if (!may_change(s, "run"))
        return;
    s->has_run = true;
    if (helia_diag_errors(s->diag))
        return; /* setting up failed and has said why */
    Config *config = config_load(s->work, s->diag, s->config_path, &s->flags);
    if (!config)
        return;
    helia_diag_set_level(s->diag, config->verbose);
    for (uint32_t i = 0; i < s->plugins.len; i++)
        config_add_plugin(s->work, &config->plugins, s->plugins.at[i].path, s->plugins.at[i].allow_override);
    Compile *c = &s->compile;
    c->registry = plugin_registry_context(s->work, s->diag, &config->plugins, &s->loaded, s->customizers.at,
                                          s->users.at, s->customizers.len, s->allow_override);
    if (!c->registry)
        return;
    config_record_plugins(s->work, config);
    c->arena = s->work;
    c->diag = s->diag;
    c->config = config;
    c->last = *(const CompileStage *)arguments;
    compile(c);
}

HeliaStatus helia_session_run(HeliaSession *s, HeliaStage last)
{
    CompileStage stage = (CompileStage)last;
    return session_guard(s, run, &stage);
}
