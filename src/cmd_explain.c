/* explain: each operator with its kernel and the reasons for it, and the memory plan. */
#include "cmd.h"

void cmd_explain(Invocation *v)
{
    Compile c;
    if (cmd_compile(v, &c, STAGE_PLAN, false) && !c.stopped)
        fputs(compile_explain(&c), stdout);
}
