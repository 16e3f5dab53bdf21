/* Constants for kernels of the DSP extension. */
#include "pack/dsp.h"

#include "helia_math.h"

DspLayer dsp_layer(const AirNode *n, int32_t min, int32_t max)
{
    int32_t out_zero = zero_of(n->out[0]);
    return (DspLayer){zero_of(n->in[0]), out_zero, min, max, min >= out_zero};
}

static int32_t result(const DspLayer *layer, int64_t acc, int32_t m, int32_t e)
{
    return helia_clamp(helia_wrap_add(helia_requantize((int32_t)acc, m, e), layer->out_zero), layer->min, layer->max);
}

const char *dsp_channel(HeliaArena *arena, const DspLayer *layer, const int8_t *weights, int32_t taps, int32_t step,
                        int32_t bias, double scale, int32_t min_k, DspChannel *out)
{
    int32_t m, e;
    quantize_multiplier(scale, &m, &e);
    int64_t folded = bias, low = bias, high = bias; /* inputs from -128 to 127 */
    for (int32_t k = 0; k < taps; k++) {
        int32_t w = weights[k * step], at_min = w * (-128 - layer->in_zero), at_max = w * (127 - layer->in_zero);
        folded -= (int64_t)w * layer->in_zero;
        low += at_min < at_max ? at_min : at_max;
        high += at_min < at_max ? at_max : at_min;
    }
    if (low < INT32_MIN || high > INT32_MAX)
        return "an accumulator can leave 32 bits";
    if (e > 0)
        return helia_format(arena, "a channel's scale is %g; supported are scales below 1", scale);
    *out = (DspChannel){.bias = (int32_t)folded, .low = low, .high = high, .m = m};
    int32_t first = result(layer, low, m, e), last = result(layer, high, m, e);
    if (first == last) { /* requantisation keeps the order, so everything between is the same */
        *out = (DspChannel){.constant = true, .low = low, .high = high, .k = 8, .c = first * 128, .r = 7};
        return NULL;
    }
    enum { LARGEST_R = 22 }; /* so that c and the product's upper half add up in 32 bits */
    int32_t rs = -e;
    int64_t largest = -low > high ? -low : high;
    out->k = LARGEST_R + 1 - rs < 8 ? LARGEST_R + 1 - rs : 8;
    if (out->k < min_k)
        return helia_format(arena, "a channel's scale is %g; supported are scales above 2^%d", scale,
                            min_k - LARGEST_R - 1);
    while (out->k > min_k && largest >= INT64_C(1) << (31 - out->k))
        out->k--;
    if (largest >= INT64_C(1) << (31 - out->k))
        return helia_format(arena, "an accumulator is not proven to stay below 2^%d", 31 - min_k);
    out->rs = rs;
    dsp_channel_set_k(layer, out->k, out);
    return NULL;
}

void dsp_channel_set_k(const DspLayer *layer, int32_t k, DspChannel *ch)
{
    ch->k = k;
    if (ch->constant)
        return;
    ch->r = k - 1 + ch->rs;
    ch->c = (1 << (k - 2)) + (ch->rs > 0 ? 1 << (ch->r - 1) : 0) + layer->out_zero * (1 << ch->r);
    ch->n = ch->rs > 0 ? 1 << (k - 1) : 0;
}

uint32_t *dsp_record(const DspLayer *layer, const DspChannel *channel, uint32_t *words)
{
    *words++ = (uint32_t)channel->m;
    *words++ = (uint32_t)channel->c;
    *words++ = (uint32_t)channel->r;
    if (!layer->relu)
        *words++ = (uint32_t)channel->n;
    return words;
}

bool dsp_pair_fits(int32_t a, int32_t b)
{
    return 256 * a + b >= INT16_MIN && 256 * a + b <= INT16_MAX;
}
