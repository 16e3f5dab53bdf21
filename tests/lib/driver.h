/* A test image: many generated modules in one program, on the host or under QEMU. For each case it feeds the inputs
 * from
 * "<id>.in", runs the steps, and writes what the module says and gives to "<id>.out"; the runner on the host compares.
 *
 * "<id>.in":  words: steps; then for each step and input: bytes, and so many bytes (padded to whole words).
 * "<id>.out": words: DRIVER_MAGIC, status of init, inputs, outputs; each input's and output's description (dtype,
 * bytes, rank, shape); then for each pass and step: status, and each output's bytes (padded to whole words). Two
 * passes: the second starts with init again and runs one operator at a time. */
#ifndef DRIVER_H
#define DRIVER_H

#include <stddef.h>
#include <stdint.h>

enum {
    DRIVER_MAGIC = 0x48415431,
    DRIVER_PASSES = 2,
    DRIVER_MAX_RANK = 8,
    /* The driver's own failures, in place of a step's status. */
    DRIVER_BAD_INPUT_SIZE = -1000, /* the file's bytes are not the view's */
    DRIVER_NO_INPUT = -1001,
    DRIVER_NEVER_DONE = -1002 /* run_steps did not finish after as many calls as there are operators */
};

/* A module's tensor view, without its prefix. */
typedef struct DriverView {
    const char *name;
    void *data;
    uint32_t nbytes, dtype, rank;
    const int32_t *shape;
} DriverView;

typedef struct DriverCase {
    const char *id;
    uint32_t inputs, outputs, operators;
    int32_t (*init)(void);
    int32_t (*run)(void);
    int32_t (*run_steps)(uint32_t n, uint32_t *done);
    DriverView (*input)(uint32_t i);
    DriverView (*output)(uint32_t i);
} DriverCase;

/* Made by the runner. */
extern const DriverCase *const driver_cases[];
extern const uint32_t driver_case_count;

/* ---- the machine: port_host.c or port_qemu.c -------------------------------------------------- */
void port_puts(const char *text);
/* Negative: it cannot be opened. */
int port_open(const char *path, const char *mode);
size_t port_read(int file, void *bytes, size_t n);
size_t port_write(int file, const void *bytes, size_t n);
void port_close(int file);

/* Runs the cases from index `first` on. Before each: a line "run <index>", after it "end <index>". */
int driver_main(uint32_t first);

#endif
