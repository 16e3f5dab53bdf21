/* The command line: finds the command, reads its options, runs it, makes the exit status.
 * Running out of memory anywhere jumps back to main(), the boundary of every command. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "support/file.h"
#include "support/nearest.h"

/* clang-format off */
#define DUMP {"dump", "STAGE", "Print what a stage made: hooks (a .tflite), load, a transform's name, transform, resolve or plan."}
#define STOP {"stop-after", "STAGE", "Stop after that stage without an error."}
#define JSON {"json", NULL, "Print JSON."}

static const Cmd commands[] = {
    {"convert", {"[MODEL]"}, "Convert a model to a C module.", true, true, {DUMP, STOP}, cmd_convert},
    {"explain", {"MODEL"}, "Show each operator with its kernel and the reasons for it, and the memory plan.", true,
     true, {DUMP, STOP}, cmd_explain},
    {"run", {"MODEL"}, "Evaluate a model on this machine with the reference kernels.", true, true,
     {{"input", "FILE.npz", "Arrays input_<i>, or named as the inputs, or in<i>_<step> for several steps."},
      {"output", "FILE.npz", "Where output_<i>, or out<i>_<step>, are written."}},
     cmd_run},
    {"compare", {"MODEL", "DUMP"}, "Find the first operator whose outputs in a dump differ from the reference evaluation.", true,
     true, {{"input", "FILE.npz", "The inputs, where the dump is an archive without them."}}, cmd_compare},
    {"operators list", {NULL}, "List the operators, their data types and kernels.", false, true, {JSON},
     cmd_operators_list},
    {"platforms list", {NULL}, "List the platforms.", false, false, {JSON}, cmd_platforms_list},
    {"platforms show", {"NAME"}, "Show a platform, by its name or that of a board.", false, false, {JSON}, cmd_platforms_show},
    {"plan", {"FILE.csv"}, "Plan the buffers of a table with rows id,first,last,size.", false, false,
     {{"planner", "NAME", NULL, "memory.planner"},
      {"iterations", "N", NULL, "memory.planner_options.iterations"},
      {"max-stall-iterations", "N", NULL, "memory.planner_options.max_stall_iterations"},
      {"seed", "N", NULL, "memory.planner_options.seed"},
      {"step-limit", "N", NULL, "memory.planner_options.step_limit"}},
     cmd_plan},
    {"schema", {NULL}, "Print the JSON Schema of the YAML configuration.", false, false,
     {{"markdown", NULL, "Print the documentation of the keys instead."}}, cmd_schema},
    {"version", {NULL}, "Print the version.", false, false, {{NULL, NULL, NULL}}, cmd_version},
};
/* clang-format on */
enum { NUM_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void to_stderr_and_log(void *user, HeliaSeverity severity, const char *text)
{
    const Invocation *v = user;
    (void)severity;
    fprintf(stderr, "%s\n", text);
    if (v->log)
        fprintf(v->log, "%s\n", text);
}

/* Is the command one of a group, "platforms list" of "platforms"? */
static bool in_group(const Cmd *cmd, const char *group)
{
    size_t n = strlen(group);
    return strncmp(cmd->name, group, n) == 0 && cmd->name[n] == ' ';
}

static bool is_group(const char *word)
{
    for (int i = 0; i < NUM_COMMANDS; i++)
        if (in_group(&commands[i], word))
            return true;
    return false;
}

static bool asks_for_help(const char *arg)
{
    return strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0;
}

/* ---- help ------------------------------------------------------------------------------------- */
/* The commands, or those of a group; NULL: all. */
static void print_commands(FILE *f, const char *group)
{
    for (int i = 0; i < NUM_COMMANDS; i++) {
        if (group && !in_group(&commands[i], group))
            continue;
        char line[64];
        int n = snprintf(line, sizeof(line), "%s", commands[i].name);
        for (int k = 0; k < CMD_MAX_ARGUMENTS && commands[i].arguments[k]; k++)
            n += snprintf(line + n, sizeof(line) - (size_t)n, " %s", commands[i].arguments[k]);
        fprintf(f, "  %-22s %s\n", line, commands[i].doc);
    }
}

static void print_usage(FILE *f)
{
    fprintf(f, "helia-aot " HELIA_AOT_VERSION ": compiles LiteRT models to C modules for microcontrollers\n\n"
               "usage: helia-aot COMMAND [OPTIONS]\n\n");
    print_commands(f, NULL);
    fprintf(
        f, "\n\"helia-aot COMMAND --help\" shows the options of a command.\n"
           "Exit status: 0 done, 1 the input is at fault, 2 the machine is (cannot read, disk full, out of memory).\n");
}

static void print_group_help(const char *group)
{
    printf("usage: helia-aot %s COMMAND [OPTIONS]\n\n", group);
    print_commands(stdout, group);
    printf("\n\"helia-aot %s COMMAND --help\" shows the options of a command.\n", group);
}

static void print_command_help(HeliaArena *arena, const Cmd *cmd)
{
    printf("usage: helia-aot %s", cmd->name);
    for (int i = 0; i < CMD_MAX_ARGUMENTS && cmd->arguments[i]; i++)
        printf(" %s", cmd->arguments[i]);
    printf(" [OPTIONS]\n\n%s\n%s\noptions:\n", cmd->doc,
           cmd->configured ? "MODEL is the same as --model.path MODEL.\n" : "");
    for (int i = 0; i < CMD_MAX_OPTIONS && cmd->options[i].name; i++) {
        const CmdOption *o = &cmd->options[i];
        printf("  --%s%s%s\n      %s\n", o->name, o->value ? " " : "", o->value ? o->value : "",
               o->key ? config_key_help(arena, o->key) : o->doc);
    }
    if (cmd->plugins)
        printf(
            "  --plugin FILE.so\n      Load a plug-in; may be given several times. One that is configured already is "
            "taken from there.\n"
            "  --plugin-allow-override\n      Plug-ins may replace and remove built-in operators and transforms.\n");
    if (cmd->configured)
        printf("  --path FILE.yaml\n      The configuration; every key below can stand in it.\n");
    printf("  --help\n      Show this text.\n");
    if (cmd->configured)
        printf("\nconfiguration keys (the command line wins over the file; '-' and '_' are equal; --key=VALUE works "
               "too):\n%s",
               config_help(arena));
}

/* ---- arguments -------------------------------------------------------------------------------- */
static HeliaLoc at_argument(Invocation *v, const char *arg)
{
    return helia_at_file(helia_strndup(v->arena, arg, strcspn(arg, "=")));
}

/* "platforms list" takes two arguments of the command line. NULL after reporting. */
static const Cmd *find_command(Invocation *v, int argc, char **argv, int *used)
{
    const char *one = argv[1], *two = argc > 2 ? helia_format(v->arena, "%s %s", argv[1], argv[2]) : one;
    Nearest nearest = nearest_to(two);
    for (int i = 0; i < NUM_COMMANDS; i++) {
        const char *name = commands[i].name;
        if (strcmp(name, one) == 0 || strcmp(name, two) == 0) {
            *used = strchr(name, ' ') ? 2 : 1;
            return &commands[i];
        }
        nearest_offer(&nearest, name);
        nearest_offer_at(&nearest, name, edit_distance(one, name));
    }
    helia_error(v->diag, HELIA_NOWHERE, "unknown command \"%s\"; the nearest known one is \"%s\"",
                helia_printable(v->arena, is_group(one) ? two : one), nearest.best);
    return NULL;
}

static bool names_option(const char *arg, const char *name)
{
    size_t n = strcspn(arg + 2, "="), i = 0;
    for (; i < n && name[i]; i++)
        if (arg[2 + i] != name[i] && !(arg[2 + i] == '_' && name[i] == '-'))
            return false;
    return i == n && !name[i];
}

/* One of the command's own options, --path included; false: it is none of them. */
static bool take_option(Invocation *v, const char *arg, const char *next, bool *used_next)
{
    static const CmdOption path = {.name = "path", .value = "FILE.yaml"};
    const CmdOption *option = NULL;
    const char **slot = NULL;
    for (int i = 0; i < CMD_MAX_OPTIONS && v->cmd->options[i].name; i++)
        if (names_option(arg, v->cmd->options[i].name)) {
            option = &v->cmd->options[i];
            slot = &v->values[i];
        }
    if (!option && v->cmd->configured && names_option(arg, path.name)) {
        option = &path;
        slot = &v->path;
    }
    if (!option)
        return false;
    const char *equals = strchr(arg, '=');
    *used_next = option->value && !equals;
    if (!option->value && equals)
        helia_error(v->diag, at_argument(v, arg), "takes no value");
    else if (!option->value)
        *slot = "";
    else if (equals)
        *slot = equals + 1;
    else if (next)
        *slot = next;
    else
        helia_error(v->diag, at_argument(v, arg), "a value is missing; expected %s", option->value);
    return true;
}

/* --plugin and --plugin-allow-override. */
static bool take_plugin(Invocation *v, const char *arg, const char *next, bool *used_next)
{
    const char *equals = strchr(arg, '=');
    if (v->cmd->plugins && names_option(arg, "plugin-allow-override")) {
        if (equals)
            helia_error(v->diag, at_argument(v, arg), "takes no value");
        v->plugin_allow_override = true;
        return true;
    }
    if (!v->cmd->plugins || !names_option(arg, "plugin"))
        return false;
    *used_next = !equals;
    const char *path = equals ? equals + 1 : next;
    if (path && *path)
        HELIA_PUSH(v->arena, &v->plugins, path);
    else
        helia_error(v->diag, at_argument(v, arg), "a value is missing; expected FILE.so");
    return true;
}

static void unknown_option(Invocation *v, const char *arg)
{
    Nearest nearest = nearest_to(at_argument(v, arg).file);
    for (int i = 0; i < CMD_MAX_OPTIONS && v->cmd->options[i].name; i++)
        nearest_offer(&nearest, helia_format(v->arena, "--%s", v->cmd->options[i].name));
    nearest_offer(&nearest, "--help");
    if (v->cmd->plugins) {
        nearest_offer(&nearest, "--plugin");
        nearest_offer(&nearest, "--plugin-allow-override");
    }
    if (v->cmd->configured) {
        nearest_offer(&nearest, "--path");
        uint32_t distance;
        const char *flag = config_nearest_flag(v->arena, nearest.word, &distance);
        nearest_offer_at(&nearest, flag, distance);
    }
    helia_error(v->diag, HELIA_NOWHERE, "unknown option \"%s\"; the nearest known one is \"%s\"",
                helia_printable(v->arena, nearest.word), nearest.best);
}

static int count_arguments(const Cmd *cmd)
{
    int n = 0;
    while (n < CMD_MAX_ARGUMENTS && cmd->arguments[n])
        n++;
    return n;
}

/* The model has one name. */
static void check_model(Invocation *v)
{
    for (uint32_t i = 0; v->cmd->configured && v->arguments[0] && i < v->flags.len; i++)
        if (names_option(v->flags.at[i].name, "model.path"))
            helia_error(v->diag, at_argument(v, v->flags.at[i].name), "the model is named already: \"%s\"",
                        helia_printable(v->arena, v->arguments[0]));
}

static void take_flag(Invocation *v, const char *arg, const char *next, bool *used_next)
{
    if (take_option(v, arg, next, used_next) || take_plugin(v, arg, next, used_next))
        return;
    FlagResult result = v->cmd->configured ? config_flag(v->arena, v->diag, &v->flags, arg, next) : FLAG_UNKNOWN;
    *used_next = result == FLAG_TAKEN_WITH_NEXT;
    if (result == FLAG_UNKNOWN)
        unknown_option(v, arg);
}

/* Fills the invocation; every problem is reported. */
static void read_arguments(Invocation *v, int argc, char **argv, int first)
{
    int n = 0, wanted = count_arguments(v->cmd);
    bool options_end = false;
    for (int i = first; i < argc; i++) {
        const char *arg = argv[i];
        if (!options_end && strcmp(arg, "--") == 0) {
            options_end = true;
        } else if (!options_end && strncmp(arg, "--", 2) == 0) {
            bool used_next = false;
            take_flag(v, arg, i + 1 < argc ? argv[i + 1] : NULL, &used_next);
            i += used_next;
        } else if (n < wanted) {
            v->arguments[n++] = arg;
        } else {
            helia_error(v->diag, HELIA_NOWHERE, "unexpected argument \"%s\"", helia_printable(v->arena, arg));
        }
    }
    for (; n < wanted; n++)
        if (v->cmd->arguments[n][0] != '[')
            helia_error(v->diag, HELIA_NOWHERE, "%s is missing", v->cmd->arguments[n]);
    check_model(v);
}

/* ---- what commands share ---------------------------------------------------------------------- */
const char *cmd_option(const Invocation *v, const char *name)
{
    for (int i = 0; i < CMD_MAX_OPTIONS && v->cmd->options[i].name; i++)
        if (strcmp(v->cmd->options[i].name, name) == 0)
            return v->values[i];
    return NULL;
}

bool cmd_may_write(const Invocation *v, const Config *config, const char *what, const char *path)
{
    const char *read[] = {config->model.path, v->path, config->test.golden_data, cmd_option(v, "input")};
    HeliaLoc at = helia_at_file(path);
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof(read) / sizeof(read[0]); i++)
        ok = !read[i] || !file_is_same(read[i], path);
    for (uint32_t i = 0; ok && i < config->plugins.len; i++)
        ok = !file_is_same(config->plugins.at[i].path, path);
    for (uint32_t i = 0; ok && i < v->plugins.len; i++)
        ok = !file_is_same(v->plugins.at[i], path);
    return ok || helia_error(v->diag, at, "%s names a file that is read", what);
}

Config *cmd_config(Invocation *v)
{
    if (v->arguments[0])
        config_flag(v->arena, v->diag, &v->flags, "--model.path", helia_format(v->arena, "%s", v->arguments[0]));
    Config *config = config_load(v->arena, v->diag, v->path, &v->flags);
    if (!config)
        return NULL;
    helia_diag_set_level(v->diag, config->verbose);
    if (config->log_file && !cmd_may_write(v, config, "log_file", config->log_file))
        return NULL;
    if (config->log_file && !(v->log = fopen(config->log_file, "w"))) {
        HeliaLoc at = helia_at_file(config->log_file);
        helia_fatal(v->diag, at, "cannot write: %s", strerror(errno));
        return NULL;
    }
    return config;
}

HeliaRegistryContext *cmd_registry_context(Invocation *v, ConfigPlugins *configured)
{
    for (uint32_t i = 0; i < v->plugins.len; i++)
        config_add_plugin(v->arena, configured, v->plugins.at[i], false);
    for (uint32_t i = 0; i < configured->len; i++)
        configured->at[i].allow_override = configured->at[i].allow_override || v->plugin_allow_override;
    return plugin_registry_context(v->arena, v->diag, configured, &v->loaded, NULL, NULL, 0, false);
}

/* A stage's name as compile() knows it. */
static bool check_stage(Invocation *v, const HeliaRegistryContext *registry, const char *option, const char *stage)
{
    static const char *const before[] = {"hooks", "load"}, *const after[] = {"transform", "resolve", "plan"};
    if (!stage)
        return true;
    HELIA_VEC(const char *) names = {0};
    for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
        HELIA_PUSH(v->arena, &names, before[i]);
    for (uint32_t i = 0; i < helia_registry_count(registry->transforms); i++)
        HELIA_PUSH(v->arena, &names, helia_registry_key(registry->transforms, i));
    for (size_t i = 0; i < sizeof(after) / sizeof(after[0]); i++)
        HELIA_PUSH(v->arena, &names, after[i]);
    const char *list = "";
    for (uint32_t i = 0; i < names.len; i++) {
        if (strcmp(names.at[i], stage) == 0)
            return true;
        list = helia_format(v->arena, "%s%s%s", list, i ? ", " : "", names.at[i]);
    }
    return helia_error(v->diag, HELIA_NOWHERE, "--%s: unknown stage \"%s\"; the stages are %s", option,
                       helia_printable(v->arena, stage), list);
}

/* A flatbuffer on a screen helps nobody. */
static bool check_dump(Invocation *v, const char *stage)
{
    return !stage || strcmp(stage, "hooks") != 0 || !isatty(STDOUT_FILENO) ||
           helia_error(v->diag, HELIA_NOWHERE,
                       "--dump: stage hooks is a .tflite, which a terminal cannot show; redirect the output to a file");
}

bool cmd_compile(Invocation *v, Compile *c, CompileStage last, bool portable)
{
    *c = (Compile){.arena = v->arena, .diag = v->diag, .portable = portable, .last = last};
    Config *config = cmd_config(v);
    if (!config)
        return false;
    c->config = config;
    c->registry = cmd_registry_context(v, &config->plugins);
    if (!c->registry)
        return false;
    config_record_plugins(v->arena, config);
    c->dump = cmd_option(v, "dump");
    c->stop_after = cmd_option(v, "stop-after");
    bool ok = check_stage(v, c->registry, "dump", c->dump);
    ok = check_stage(v, c->registry, "stop-after", c->stop_after) && ok;
    return check_dump(v, c->dump) && ok && compile(c);
}

/* ---- main ------------------------------------------------------------------------------------- */
static void dispatch(Invocation *v, int argc, char **argv)
{
    int used = 0;
    if (argc == 3 && is_group(argv[1]) && asks_for_help(argv[2])) {
        print_group_help(argv[1]);
        return;
    }
    v->cmd = find_command(v, argc, argv, &used);
    if (!v->cmd)
        return;
    for (int i = 1 + used; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (asks_for_help(argv[i])) {
            print_command_help(v->arena, v->cmd);
            return;
        }
    read_arguments(v, argc, argv, 1 + used);
    if (helia_diag_errors(v->diag))
        helia_note(v->diag, HELIA_NOWHERE, "\"helia-aot %s --help\" shows what is accepted", v->cmd->name);
    else
        v->cmd->run(v);
}

/* Results that did not reach standard output are the machine's fault. */
static void finish_output(Invocation *v)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        helia_fatal(v->diag, HELIA_NOWHERE, "cannot write to standard output: %s", strerror(errno));
    if (v->log && fclose(v->log) != 0) {
        v->log = NULL;
        helia_fatal(v->diag, HELIA_NOWHERE, "cannot write the log: %s", strerror(errno));
    }
}

static int out_of_memory(HeliaArena *arena)
{
    fputs("helia-aot: error: out of memory\n", stderr);
    helia_arena_free(arena);
    return 2;
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error to be told, after what was begun is removed */
    if (argc < 2) {
        print_usage(stderr);
        return 1;
    }
    if (asks_for_help(argv[1])) {
        print_usage(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0)
        argv[1] = "version";
    static jmp_buf escape; /* static, with what is needed behind the jump */
    static Invocation v;
    if (setjmp(escape))
        return out_of_memory(v.arena);
    v.arena = helia_arena_new(&escape);
    if (!v.arena)
        return out_of_memory(NULL);
    v.diag = helia_diag_new(v.arena, to_stderr_and_log, &v, 1);
    dispatch(&v, argc, argv);
    finish_output(&v);
    int status = helia_diag_exit_status(v.diag);
    helia_arena_free(v.arena);
    return status;
}
