/* The machines for which modules are built and run. The warnings are what the modules promise to be free of. */
#include "runner.h"

#include <string.h>

#define WARNINGS                                                                                                       \
    " -std=c99 -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wdouble-promotion -Wundef "           \
    "-Wmissing-prototypes -Werror"
#define M4 "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -O2"
#define M55 "arm-none-eabi-gcc -mcpu=cortex-m55 -mthumb -mfloat-abi=hard -O2"
#define HOST "gcc -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"
#define X86 "gcc -O1 -g -fsanitize=address -march=native"
#define NATIVE "gcc -O3 -march=native"
/* CMSIS-NN is played by portable kernels: tests/cmsis_nn. */
#define CMSIS_NN                                                                                                       \
    " -Itests/cmsis_nn -Iruntime/cmsis_nn -Iruntime/include -Iruntime/kernels/conv_2d "                                \
    "-Iruntime/kernels/depthwise_conv_2d -Iruntime/kernels/fully_connected -Iruntime/kernels/pool_2d "                 \
    "-Iruntime/kernels/binary -Iruntime/kernels/softmax"
#define KERNEL(folder, name) " runtime/kernels/" folder "/helia_" name "_c.c"
#define CMSIS_NN_SOURCES                                                                                               \
    " tests/cmsis_nn/stand_in.c" KERNEL("conv_2d", "conv_2d_s8") KERNEL("depthwise_conv_2d", "depthwise_conv_2d_s8")   \
        KERNEL("fully_connected", "fully_connected_s8") KERNEL("fully_connected", "fully_connected_per_channel_s8")    \
            KERNEL("pool_2d", "average_pool_2d_s8") KERNEL("pool_2d", "max_pool_2d_s8") KERNEL("binary", "add_s8")     \
                KERNEL("binary", "mul_s8") KERNEL("softmax", "softmax_s8")
#define NS " -DNS_CMSIS_NN -DSTAND_IN_BUILD=HELIA_CMSIS_NN_MVE"
#define BARE "tests/lib/driver.c tests/lib/port_qemu.c tests/qemu/bench.c tests/qemu/startup.c"
#define QEMU " -nographic -monitor none -serial none -semihosting-config enable=on,target=native,arg=image,arg="

/* The flags of `convert` differ on purpose: between them the targets cover both schedules, two goals, one memory and
 * several. */
const Target targets[] = {
    {"host", "--platform.name host", HOST WARNINGS, HOST " -std=c99", "tests/lib/driver.c tests/lib/port_host.c", "-lm",
     "", "nm"},
    {"native", "--platform.name host --optimization.goal latency", NATIVE WARNINGS, NATIVE " -std=c99",
     "tests/lib/driver.c tests/lib/port_host.c", "-lm", "", "nm"},
    {"x86", "--platform.name x86-64 --optimization.goal latency", X86 WARNINGS, X86 " -std=c99",
     "tests/lib/driver.c tests/lib/port_host.c", "-lm", "", "nm"},
    {"cmsis_nn",
     "--platform.name cortex-m4 --platform.memories {\"SRAM\":67108864,\"MRAM\":67108864} --kernels.library cmsis_nn",
     HOST WARNINGS, HOST " -std=c99" CMSIS_NN, "tests/lib/driver.c tests/lib/port_host.c" CMSIS_NN_SOURCES, "-lm", "",
     "nm"},
    {"ns_cmsis_nn",
     "--platform.name cortex-m55 --platform.memories {\"SRAM\":67108864,\"MRAM\":67108864} --kernels.library "
     "ns_cmsis_nn",
     HOST NS WARNINGS, HOST " -std=c99" CMSIS_NN NS, "tests/lib/driver.c tests/lib/port_host.c" CMSIS_NN_SOURCES, "-lm",
     "", "nm"},
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
