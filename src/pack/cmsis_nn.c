/* What CMSIS-NN's MVE builds want to be computed from weights once. */
#include "pack/cmsis_nn.h"

#include "helia_math.h"

void cmsis_nn_add_sums(const HeliaOpContext *c, AirNode *n, int32_t channels, int32_t next, int32_t taps, int32_t step)
{
    AirTensor *constant = NULL;
    if (c->target->isa & HELIA_ISA_MVE) {
        const int8_t *weights = weights_as_int8(c, n)->data;
        int32_t *sums = HELIA_NEW_N(c->arena, int32_t, (size_t)channels);
        for (int32_t i = 0; i < channels; i++) {
            sums[i] = channel_bias(n, i);
            for (int32_t k = 0; k < taps; k++)
                sums[i] = helia_wrap_sub(sums[i], weights[(size_t)i * (size_t)next + (size_t)k * (size_t)step] *
                                                      zero_of(n->in[0]));
        }
        constant = air_constant_new(c->graph, helia_format(c->arena, "%s_sums", n->cname), AIR_S32, 1, &channels, sums);
    }
    const AirArg last = n->args.at[n->args.len - 1];
    n->args.len--;
    air_arg(n, c->graph, constant, false);
    air_arg(n, c->graph, last.tensor, last.written);
}
