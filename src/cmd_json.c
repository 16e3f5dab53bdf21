/* JSON on standard output, for the commands with --json. */
#include <jansson.h>
#include <stdlib.h>

#include "cmd.h"

void cmd_print_json(Invocation *v, void *json)
{
    char *text = json_dumps(json, JSON_INDENT(2));
    json_decref(json);
    if (text)
        puts(text);
    else
        helia_fatal(v->diag, HELIA_NOWHERE, "out of memory");
    free(text);
}
