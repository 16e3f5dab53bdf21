/* version */
#include "cmd.h"

void cmd_version(Invocation *v)
{
    (void)v;
    printf("helia-aot " HELIA_AOT_VERSION "\n");
}
