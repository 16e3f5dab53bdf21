/* QEMU TCG plugin: exact counts of executed instructions, by address and by region.
 *
 * Arguments: out=FILE mark_lo=ADDRESS mark_hi=ADDRESS area=ADDRESS [pcs=0|1]
 * A region begins where bench_mark (the code between mark_lo and mark_hi) stores to area + 4 * label, and ends at the
 * next such store. Output: lines "R label instructions", each followed, with pcs=1, by lines "pc count taken" in
 * hexadecimal and decimal; "O count" for instructions above the addresses that are counted. */
#include "plugin_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define CODE_SPAN (1u << 22) /* code below 4 MiB is counted */
#define SLOTS (CODE_SPAN >> 1)
#define MARK_AREA_BYTES 4096u

enum { MEMORY_WRITE = 2, INLINE_ADD_U64 = 0, CALLBACK_NO_REGS = 0 };

/* What is known of a translated block: where it lies, and the slot of its last instruction. */
typedef struct Block {
    uint64_t start, end;
    uint32_t last_slot;
} Block;

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv);

static uint64_t executed[SLOTS]; /* by pc / 2 */
static uint64_t taken[SLOTS];    /* the branch at pc did not fall through */
static uint32_t known[SLOTS];    /* slots in use, in order of appearance */
static uint8_t is_known[SLOTS];
static uint32_t known_count;
static uint64_t outside;
static const Block *previous;

static FILE *out;
static uint64_t mark_lo, mark_hi, area;
static int print_pcs = 1;
static uint32_t label;
static int region_is_open;

/* Prints the region that ends and starts counting anew. The marks themselves are not counted. */
static void end_region(void)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < known_count; i++) {
        uint64_t pc = 2ull * known[i];
        if (pc >= mark_lo && pc < mark_hi)
            executed[known[i]] = 0;
        total += executed[known[i]];
    }
    if (region_is_open && out) {
        fprintf(out, "R %u %llu\n", label, (unsigned long long)total);
        for (uint32_t i = 0; print_pcs && i < known_count; i++)
            if (executed[known[i]])
                fprintf(out, "%x %llu %llu\n", 2 * known[i], (unsigned long long)executed[known[i]],
                        (unsigned long long)taken[known[i]]);
    }
    for (uint32_t i = 0; i < known_count; i++)
        executed[known[i]] = taken[known[i]] = 0;
}

static void on_store(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *user)
{
    (void)cpu;
    (void)info;
    (void)user;
    /* QEMU 7.2 can leave this callback armed for later accesses of MVE helpers: only the mark area counts. */
    if (address < area || address >= area + MARK_AREA_BYTES)
        return;
    end_region();
    label = (uint32_t)((address - area) / 4);
    region_is_open = label != 0;
}

static void on_block(unsigned cpu, void *user)
{
    (void)cpu;
    const Block *block = user;
    if (previous && previous->end != block->start)
        taken[previous->last_slot]++;
    previous = block;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    Block *block = calloc(1, sizeof(*block));
    if (!block)
        abort();
    block->start = qemu_plugin_tb_vaddr(tb);
    size_t n = qemu_plugin_tb_n_insns(tb);
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t pc = qemu_plugin_insn_vaddr(insn);
        block->end = pc + qemu_plugin_insn_size(insn);
        if (pc >= CODE_SPAN) {
            qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &outside, 1);
            block->last_slot = 0;
            continue;
        }
        uint32_t slot = (uint32_t)(pc >> 1);
        block->last_slot = slot;
        if (!is_known[slot]) {
            is_known[slot] = 1;
            known[known_count++] = slot;
        }
        qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &executed[slot], 1);
        if (pc >= mark_lo && pc < mark_hi)
            qemu_plugin_register_vcpu_mem_cb(insn, on_store, CALLBACK_NO_REGS, MEMORY_WRITE, NULL);
    }
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, CALLBACK_NO_REGS, block);
}

static void on_exit_of_qemu(qemu_plugin_id_t id, void *user)
{
    (void)id;
    (void)user;
    end_region();
    if (!out)
        return;
    if (outside)
        fprintf(out, "O %llu\n", (unsigned long long)outside);
    fclose(out);
    out = NULL;
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (!value)
            continue;
        *value++ = 0;
        if (strcmp(argv[i], "out") == 0)
            out = fopen(value, "w");
        else if (strcmp(argv[i], "mark_lo") == 0)
            mark_lo = strtoull(value, NULL, 0);
        else if (strcmp(argv[i], "mark_hi") == 0)
            mark_hi = strtoull(value, NULL, 0);
        else if (strcmp(argv[i], "area") == 0)
            area = strtoull(value, NULL, 0);
        else if (strcmp(argv[i], "pcs") == 0)
            print_pcs = atoi(value);
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
    return 0;
}
