/* The part of a test image that is the same for every module and machine. */
#include "driver.h"

#include <string.h>

static void put_line(const char *word, uint32_t number)
{
    char text[32], digits[11];
    size_t n = strlen(word), i = sizeof(digits);
    memcpy(text, word, n);
    text[n++] = ' ';
    do {
        digits[--i] = (char)('0' + number % 10u);
        number /= 10u;
    } while (number);
    memcpy(text + n, digits + i, sizeof(digits) - i);
    n += sizeof(digits) - i;
    text[n++] = '\n';
    text[n] = 0;
    port_puts(text);
}

static void write_word(int out, uint32_t word)
{
    port_write(out, &word, sizeof(word));
}

static void write_padded(int out, const void *bytes, uint32_t n)
{
    static const uint32_t zero;
    if (n)
        port_write(out, bytes, n);
    if (n % 4u)
        port_write(out, &zero, 4u - n % 4u);
}

static void write_view(int out, DriverView view)
{
    const uint32_t words[] = {view.dtype, view.nbytes, view.rank};
    port_write(out, words, sizeof(words));
    port_write(out, view.shape, view.rank * sizeof(int32_t));
}

static int32_t feed(const DriverCase *c, int in)
{
    for (uint32_t i = 0; i < c->inputs; i++) {
        DriverView view = c->input(i);
        uint32_t n, padding;
        if (port_read(in, &n, sizeof(n)) != sizeof(n))
            return DRIVER_NO_INPUT;
        if (n != view.nbytes)
            return DRIVER_BAD_INPUT_SIZE;
        if ((n && port_read(in, view.data, n) != n) || (n % 4u && port_read(in, &padding, 4u - n % 4u) != 4u - n % 4u))
            return DRIVER_NO_INPUT;
    }
    return 0;
}

static int32_t run_by_operator(const DriverCase *c)
{
    for (uint32_t calls = 0; calls <= c->operators; calls++) {
        uint32_t done = 0;
        int32_t status = c->run_steps(1, &done);
        if (status || done)
            return status;
    }
    return DRIVER_NEVER_DONE;
}

static void run_pass(const DriverCase *c, int in, int out, int by_operator)
{
    uint32_t steps;
    if (port_read(in, &steps, sizeof(steps)) != sizeof(steps))
        return;
    for (uint32_t s = 0; s < steps; s++) {
        int32_t status = feed(c, in);
        if (!status)
            status = by_operator ? run_by_operator(c) : c->run();
        write_word(out, (uint32_t)status);
        if (status)
            return;
        for (uint32_t i = 0; i < c->outputs; i++) {
            DriverView view = c->output(i);
            write_padded(out, view.data, view.nbytes);
        }
    }
}

static int open_beside(const char *id, const char *suffix, const char *mode)
{
    char path[256];
    size_t n = strlen(id);
    if (n + strlen(suffix) >= sizeof(path))
        return -1;
    memcpy(path, id, n);
    strcpy(path + n, suffix);
    return port_open(path, mode);
}

static void run_case(const DriverCase *c)
{
    int out = open_beside(c->id, ".out", "wb");
    if (out < 0)
        return;
    int32_t status = c->init();
    const uint32_t head[] = {DRIVER_MAGIC, (uint32_t)status, c->inputs, c->outputs};
    port_write(out, head, sizeof(head));
    if (!status) {
        for (uint32_t i = 0; i < c->inputs; i++)
            write_view(out, c->input(i));
        for (uint32_t i = 0; i < c->outputs; i++)
            write_view(out, c->output(i));
    }
    for (int pass = 0; !status && pass < DRIVER_PASSES; pass++) {
        int in = open_beside(c->id, ".in", "rb");
        if (in < 0)
            break;
        if (pass > 0)
            status = c->init();
        if (!status)
            run_pass(c, in, out, pass > 0);
        port_close(in);
    }
    port_close(out);
}

int driver_main(uint32_t first)
{
    for (uint32_t i = first; i < driver_case_count; i++) {
        put_line("run", i);
        run_case(driver_cases[i]);
        put_line("end", i);
    }
    port_puts("all done\n");
    return 0;
}
