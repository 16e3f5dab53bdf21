/* compare: a dump of a module's tensors against the evaluation with the reference kernels. */
#include "cmd.h"
#include "golden/dump.h"

void cmd_compare(Invocation *v)
{
    Compile c;
    Dump dump;
    const char *path = v->arguments[1];
    if (cmd_compile(v, &c, STAGE_RESOLVE, true) &&
        dump_read(v->arena, v->diag, c.air->main, path, cmd_option(v, "input"), &dump))
        dump_compare(v->arena, v->diag, c.config, c.air->main, path, &dump, stdout);
}
