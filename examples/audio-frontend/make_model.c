/* Writes a model that turns 30 ms of audio at 16 kHz into 40 features: operators of TensorFlow Lite Micro's audio front
 * end in a row, with constants and options as for keyword spotting. make_model OUT.tflite */
#include <math.h>

#include "flex.h"
#include "models.h"

enum { TYPE_INT16 = 7, TYPE_UINT64 = 12, TYPE_UINT32 = 15 }; /* of the schema, beside those of models.h */
enum {
    RATE = 16000,
    WINDOW = 480,
    FFT = 512,
    BINS = FFT / 2 + 1,
    CHANNELS = 40,
    LOWEST = 125, /* Hz, of the filters */
    HIGHEST = 7500,
    GAINS = 125
};
static const double pi = 3.14159265358979323846;

/* ---- building --------------------------------------------------------------------------------- */
static int32_t vector(Builder *b, const char *name, int32_t type, int32_t n)
{
    return builder_tensor(b, name, type, INTS(b, n), 0.0f, 0);
}

static int32_t constant(Builder *b, const char *name, const int16_t *values, int32_t n)
{
    int32_t tensor = vector(b, name, TYPE_INT16, n);
    builder_values(b, tensor, values, (size_t)n * sizeof(*values));
    return tensor;
}

#define COUNT(...) (sizeof((const FlexEntry[]){__VA_ARGS__}) / sizeof(FlexEntry))
#define OPTIONS(b, op, ...) set_options((b), (op), (const FlexEntry[]){__VA_ARGS__}, COUNT(__VA_ARGS__))

static void set_options(Builder *b, LitertOp *op, const FlexEntry *entries, uint32_t n)
{
    uint8_t bytes[FLEX_MAX];
    size_t size = flex_map(bytes, entries, n);
    op->custom_options = (LitertBytes){(const uint8_t *)helia_memdup(b->arena, bytes, size), size};
}

/* ---- constants -------------------------------------------------------------------------------- */
/* Hann, 12 fractional bits. */
static int32_t window(Builder *b)
{
    int16_t values[WINDOW];
    for (int i = 0; i < WINDOW; i++)
        values[i] = (int16_t)lround(4096.0 * (0.5 - 0.5 * cos(2.0 * pi * (i + 0.5) / WINDOW)));
    return constant(b, "window", values, WINDOW);
}

static double mel(double frequency)
{
    return 1127.0 * log(1.0 + frequency / 700.0);
}

typedef struct FilterBank {
    int16_t weights[BINS], unweights[BINS], starts[CHANNELS + 1], weight_starts[CHANNELS + 1], widths[CHANNELS + 1];
    int32_t first, end; /* the bins that are used */
} FilterBank;

/* Triangles of equal width on the mel scale. Channel c has the bins from the peak of its own filter, the falling side
 * of which the weights are, to the peak of the next one, the rising side of which the unweights are. */
static void filter_bank(FilterBank *f)
{
    const double low = mel(LOWEST), spacing = (mel(HIGHEST) - low) / (CHANNELS + 1);
    int32_t bin = 0, weight = 0;
    while (mel((double)bin * RATE / FFT) <= low)
        bin++;
    f->first = bin;
    for (int c = 0; c <= CHANNELS; c++) {
        const double next_peak = low + spacing * (c + 1);
        f->starts[c] = (int16_t)bin;
        f->weight_starts[c] = (int16_t)weight;
        for (double at; bin < BINS && (at = mel((double)bin * RATE / FFT)) <= next_peak; bin++, weight++) {
            f->weights[weight] = (int16_t)(4096.0 * (next_peak - at) / spacing);
            f->unweights[weight] = (int16_t)(4096.0 * (1.0 - (next_peak - at) / spacing));
        }
        f->widths[c] = (int16_t)(bin - f->starts[c]);
    }
    f->end = bin;
}

static double pcan_gain(double noise)
{
    const double gain = 2097152.0 * pow(noise / 128.0 + 80.0, -0.95);
    return gain > 32767.0 ? 32767.0 : floor(gain + 0.5);
}

/* For each bit length of the noise estimate, the parabola through the gains of its first value, of its middle and of
 * the next length's first value. */
static int32_t gains(Builder *b)
{
    int16_t table[GAINS + 3] = {(int16_t)pcan_gain(0), (int16_t)pcan_gain(1)};
    for (int bits = 2; bits <= 32; bits++) {
        const double x = ldexp(1.0, bits - 1), y = pcan_gain(x);
        const double middle = pcan_gain(1.5 * x) - y, end = pcan_gain(bits < 32 ? 2.0 * x : 4294967295.0) - y;
        int16_t *entry = &table[4 * bits - 6];
        entry[0] = (int16_t)y;
        entry[1] = (int16_t)(4.0 * middle - end);
        entry[2] = (int16_t)(2.0 * end - 4.0 * middle);
    }
    return constant(b, "gains", table, GAINS);
}

/* ---- the model -------------------------------------------------------------------------------- */
static int32_t spectrum_energy(Builder *b, int32_t audio, const FilterBank *f, int32_t *scale_bits)
{
    int32_t windowed = vector(b, "windowed", TYPE_INT16, WINDOW), scaled = vector(b, "scaled", TYPE_INT16, WINDOW);
    int32_t spectrum = vector(b, "spectrum", TYPE_INT16, 2 * BINS), energy = vector(b, "energy", TYPE_UINT32, BINS);
    *scale_bits = builder_tensor(b, "scale_bits", TYPE_INT32, (LitertInts){NULL, 0}, 0.0f, 0);
    LitertOp *op = builder_op(b, NULL, "SignalWindow", INTS(b, audio, window(b)), INTS(b, windowed));
    OPTIONS(b, op, {"shift", FLEX_INT, 12});
    builder_op(b, NULL, "SignalFftAutoScale", INTS(b, windowed), INTS(b, scaled, *scale_bits));
    op = builder_op(b, NULL, "SignalRfft", INTS(b, scaled), INTS(b, spectrum));
    OPTIONS(b, op, {"T", FLEX_INT, TYPE_INT16}, {"fft_length", FLEX_INT, FFT});
    op = builder_op(b, NULL, "SignalEnergy", INTS(b, spectrum), INTS(b, energy));
    OPTIONS(b, op, {"end_index", FLEX_INT, (uint32_t)f->end}, {"start_index", FLEX_INT, (uint32_t)f->first});
    return energy;
}

static int32_t channel_amplitudes(Builder *b, int32_t energy, int32_t scale_bits, const FilterBank *f)
{
    int32_t weights = constant(b, "weights", f->weights, BINS),
            unweights = constant(b, "unweights", f->unweights, BINS);
    int32_t starts = constant(b, "starts", f->starts, CHANNELS + 1);
    int32_t weight_starts = constant(b, "weight_starts", f->weight_starts, CHANNELS + 1);
    int32_t widths = constant(b, "widths", f->widths, CHANNELS + 1);
    int32_t powers = vector(b, "powers", TYPE_UINT64, CHANNELS), roots = vector(b, "amplitudes", TYPE_UINT32, CHANNELS);
    LitertOp *op = builder_op(b, NULL, "SignalFilterBank",
                              INTS(b, energy, weights, unweights, starts, weight_starts, widths), INTS(b, powers));
    OPTIONS(b, op, {"num_channels", FLEX_INT, CHANNELS});
    builder_op(b, NULL, "SignalFilterBankSquareRoot", INTS(b, powers, scale_bits), INTS(b, roots));
    return roots;
}

static int32_t features(Builder *b, int32_t amplitudes)
{
    int32_t clean = vector(b, "clean", TYPE_UINT32, CHANNELS), noise = vector(b, "noise", TYPE_UINT32, CHANNELS);
    int32_t normal = vector(b, "normal", TYPE_UINT32, CHANNELS), out = vector(b, "features", TYPE_INT16, CHANNELS);
    LitertOp *op = builder_op(b, NULL, "SignalFilterBankSpectralSubtraction", INTS(b, amplitudes),
                              INTS(b, clean, noise));
    OPTIONS(b, op, {"alternate_one_minus_smoothing", FLEX_INT, 15401}, {"alternate_smoothing", FLEX_INT, 983},
            {"clamping", FLEX_BOOL, 0}, {"min_signal_remaining", FLEX_INT, 819}, {"num_channels", FLEX_INT, CHANNELS},
            {"one_minus_smoothing", FLEX_INT, 15975}, {"smoothing", FLEX_INT, 409}, {"smoothing_bits", FLEX_INT, 10},
            {"spectral_subtraction_bits", FLEX_INT, 14});
    op = builder_op(b, NULL, "SignalPCAN", INTS(b, clean, noise, gains(b)), INTS(b, normal));
    OPTIONS(b, op, {"snr_shift", FLEX_INT, 6});
    op = builder_op(b, NULL, "SignalFilterBankLog", INTS(b, normal), INTS(b, out));
    OPTIONS(b, op, {"input_correction_bits", FLEX_INT, 3}, {"output_scale", FLEX_INT, 1600});
    return out;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    FilterBank f = {.first = 0};
    Builder b = builder_new("audio features");
    int32_t audio = vector(&b, "audio", TYPE_INT16, WINDOW), scale_bits;
    filter_bank(&f);
    int32_t energy = spectrum_energy(&b, audio, &f, &scale_bits);
    int32_t out = features(&b, channel_amplitudes(&b, energy, scale_bits, &f));
    builder_interface(&b, INTS(&b, audio), INTS(&b, out));
    return builder_finish(&b, argv[1]);
}
