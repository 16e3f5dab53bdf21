/* The machines for which modules are built and run. The warnings are what the modules promise to be free of. */
#include "runner.h"

#include <string.h>

#define WARNINGS                                                                                                       \
    " -std=c99 -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wdouble-promotion -Wundef "           \
    "-Wmissing-prototypes -Werror"
#define M4 "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -O2"
#define M55 "arm-none-eabi-gcc -mcpu=cortex-m55 -mthumb -mfloat-abi=hard -O2"
#define HOST "gcc -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"
#define NATIVE "gcc -O3 -march=native"
#define BARE "tests/lib/driver.c tests/lib/port_qemu.c tests/qemu/bench.c tests/qemu/startup.c"
#define QEMU " -nographic -monitor none -serial none -semihosting-config enable=on,target=native,arg=image,arg="

/* The flags of `convert` differ on purpose: between them the targets cover both schedules, two goals, one memory and
 * several. */
const Target targets[] = {
    {"host", "--platform.name host", HOST WARNINGS, HOST " -std=c99", "tests/lib/driver.c tests/lib/port_host.c", "-lm",
     "", "nm"},
    {"native", "--platform.name host --optimization.goal latency", NATIVE WARNINGS, NATIVE " -std=c99",
     "tests/lib/driver.c tests/lib/port_host.c", "-lm", "", "nm"},
    {"m4", "--platform.name apollo4p_evb --module.schedule static --optimization.goal latency", M4 WARNINGS,
     M4 " -std=c99 -DBENCH_SYSCLK_HZ=25000000", BARE, "-nostartfiles -Ttests/qemu/mps2_an386.ld -lm",
     "qemu-system-arm -machine mps2-an386 -cpu cortex-m4" QEMU, "arm-none-eabi-nm"},
    {"m55", "--platform.name apollo510_evb", M55 WARNINGS, M55 " -std=c99 -DBENCH_SYSCLK_HZ=32000000", BARE,
     "-nostartfiles -Ttests/qemu/mps3_an547_large.ld -lm", "qemu-system-arm -machine mps3-an547 -cpu cortex-m55" QEMU,
     "arm-none-eabi-nm"},
};
const uint32_t target_count = sizeof(targets) / sizeof(targets[0]);

const Target *target_find(const char *name)
{
    for (uint32_t i = 0; i < target_count; i++)
        if (strcmp(targets[i].name, name) == 0)
            return &targets[i];
    return NULL;
}
