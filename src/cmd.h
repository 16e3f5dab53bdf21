/* What main.c gives a command, and the table's row type. One file a command: cmd_<name>.c. */
#ifndef CMD_H
#define CMD_H

#include <stdio.h>

#include "compile.h"
#include "config/config.h"
#include "plugin/load.h"

typedef struct CmdOption {
    const char *name;  /* "input", given as --input */
    const char *value; /* "FILE.npz"; NULL: a switch */
    const char *doc;
    const char *key; /* of the configuration: what the option says and accepts is that key's; doc is then NULL */
} CmdOption;

enum { CMD_MAX_OPTIONS = 5, CMD_MAX_ARGUMENTS = 2 };

typedef struct Cmd Cmd;
typedef struct Invocation Invocation;
struct Cmd {
    const char *name;                         /* one or two words: "platforms list" */
    const char *arguments[CMD_MAX_ARGUMENTS]; /* "MODEL"; one in brackets may be absent */
    const char *doc;
    bool configured; /* takes --path and the configuration keys */
    bool plugins;    /* takes --plugin and --plugin-allow-override */
    CmdOption options[CMD_MAX_OPTIONS];
    void (*run)(Invocation *v); /* reports through v->diag, which makes the exit status */
};

struct Invocation {
    HeliaArena *arena;
    HeliaDiag *diag;
    const Cmd *cmd;
    const char *arguments[CMD_MAX_ARGUMENTS];
    const char *values[CMD_MAX_OPTIONS]; /* of cmd->options; NULL: not given; "" for a switch */
    const char *path;                    /* --path; NULL: none */
    ConfigFlags flags;
    HELIA_VEC(const char *) plugins; /* --plugin */
    bool plugin_allow_override;
    Plugins loaded;
    FILE *log; /* NULL: none */
};

/* NULL: not given. */
const char *cmd_option(const Invocation *v, const char *name);
/* The configuration of --path and flags, with the first argument, if the command has one, as model.path. Sets the
 * level of messages and opens the log. NULL after reporting. */
Config *cmd_config(Invocation *v);
/* False after reporting: `path`, which is to be written, is a file that the command reads. `what` names its option. */
bool cmd_may_write(const Invocation *v, const Config *config, const char *what, const char *path);
/* The registries: built-ins, the configured plug-ins, those of the command line. NULL after reporting. */
HeliaRegistryContext *cmd_registry_context(Invocation *v, ConfigPlugins *configured);
/* A pipeline over the configuration and its registries; false after reporting. */
bool cmd_compile(Invocation *v, Compile *c, CompileStage last, bool portable);
void cmd_print_json(Invocation *v, void *json); /* a json_t, which is released */

void cmd_convert(Invocation *v);
void cmd_explain(Invocation *v);
void cmd_compare(Invocation *v);
void cmd_run(Invocation *v);
void cmd_operators_list(Invocation *v);
void cmd_platforms_list(Invocation *v);
void cmd_platforms_show(Invocation *v);
void cmd_plan(Invocation *v);
void cmd_schema(Invocation *v);
void cmd_version(Invocation *v);

#endif
