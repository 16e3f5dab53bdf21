/* convert: model and configuration in, module out. */
#include "cmd.h"

void cmd_convert(Invocation *v)
{
    Compile c;
    cmd_compile(v, &c, STAGE_EXPORT, false);
}
