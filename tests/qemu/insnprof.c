/* QEMU TCG plugin: exact executed-instruction counts per PC and per region.
 * args: out=FILE mark_lo=ADDR mark_hi=ADDR area=ADDR [pcs=0|1]
 * A region begins at a store by bench_mark to area+4*label and ends at the next.
 * Output: "R label insns" then, with pcs=1, lines "pc count taken".        */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "plugin_api.h"
#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = 1;
#define SPAN (1u << 22) /* code below 4 MiB */
#define N (SPAN >> 1)
static uint64_t cnt[N];   /* executed, by pc/2 */
static uint64_t taken[N]; /* branch at pc did not fall through */
static uint32_t known[N];
static uint32_t nknown;
static uint8_t seen[N];
static uint64_t outside;
static FILE *out;
static uint64_t mark_lo, mark_hi, area;
static int pcs = 1;
static uint32_t label;
static int open_region;
struct tbi {
    uint64_t start, end;
    uint32_t last;
};
static struct tbi *last;

static void flush_region(void)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < nknown; ++i) {
        uint32_t k = known[i];
        uint64_t pc = 2ull * k;
        if (pc >= mark_lo && pc < mark_hi) {
            cnt[k] = taken[k] = 0;
            continue;
        }
        total += cnt[k];
    }
    if (open_region && out) {
        fprintf(out, "R %u %llu\n", label, (unsigned long long)total);
        if (pcs)
            for (uint32_t i = 0; i < nknown; ++i) {
                uint32_t k = known[i];
                if (cnt[k])
                    fprintf(out, "%x %llu %llu\n", 2 * k, (unsigned long long)cnt[k], (unsigned long long)taken[k]);
            }
    }
    for (uint32_t i = 0; i < nknown; ++i)
        cnt[known[i]] = taken[known[i]] = 0;
}
static void on_mark(unsigned c, qemu_plugin_meminfo_t m, uint64_t va, void *u)
{
    (void)c;
    (void)m;
    (void)u;
    /* QEMU 7.2 can leave this callback armed for later helper-made (MVE) accesses */
    if (va < area || va >= area + 1024)
        return;
    flush_region();
    label = (uint32_t)((va - area) / 4);
    open_region = label != 0;
}
static void on_tb(unsigned c, void *u)
{
    (void)c;
    struct tbi *t = u;
    if (last && last->end != t->start)
        taken[last->last]++;
    last = t;
}
static void on_trans(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    size_t n = qemu_plugin_tb_n_insns(tb);
    struct tbi *t = malloc(sizeof *t);
    t->start = qemu_plugin_tb_vaddr(tb);
    for (size_t i = 0; i < n; ++i) {
        struct qemu_plugin_insn *in = qemu_plugin_tb_get_insn(tb, i);
        uint64_t pc = qemu_plugin_insn_vaddr(in);
        t->end = pc + qemu_plugin_insn_size(in);
        uint32_t k = (uint32_t)(pc >> 1);
        if (k >= N) {
            qemu_plugin_register_vcpu_insn_exec_inline(in, 0, &outside, 1);
            t->last = 0;
            continue;
        }
        t->last = k;
        if (!seen[k]) {
            seen[k] = 1;
            known[nknown++] = k;
        }
        qemu_plugin_register_vcpu_insn_exec_inline(in, 0, &cnt[k], 1);
        if (pc >= mark_lo && pc < mark_hi)
            qemu_plugin_register_vcpu_mem_cb(in, on_mark, 0, 2, NULL);
    }
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_tb, 0, t);
}
static void on_exit_(qemu_plugin_id_t id, void *u)
{
    (void)id;
    (void)u;
    flush_region();
    if (out) {
        if (outside)
            fprintf(out, "O %llu\n", (unsigned long long)outside);
        fclose(out);
        out = NULL;
    }
}
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; ++i) {
        char *e = strchr(argv[i], '=');
        if (!e)
            continue;
        *e++ = 0;
        if (!strcmp(argv[i], "out"))
            out = fopen(e, "w");
        else if (!strcmp(argv[i], "mark_lo"))
            mark_lo = strtoull(e, 0, 0);
        else if (!strcmp(argv[i], "mark_hi"))
            mark_hi = strtoull(e, 0, 0);
        else if (!strcmp(argv[i], "area"))
            area = strtoull(e, 0, 0);
        else if (!strcmp(argv[i], "pcs"))
            pcs = atoi(e);
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_trans);
    qemu_plugin_register_atexit_cb(id, on_exit_, NULL);
    return 0;
}
