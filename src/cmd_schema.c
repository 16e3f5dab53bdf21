/* schema: the configuration keys for editors, or as the page of the documentation. */
#include "cmd.h"

void cmd_schema(Invocation *v)
{
    const char *text = cmd_option(v, "markdown") ? config_markdown(v->arena) : config_schema(v->arena);
    if (text)
        fputs(text, stdout);
    else
        helia_fatal(v->diag, HELIA_NOWHERE, "out of memory");
}
