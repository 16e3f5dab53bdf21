/* Replaces one function of CONV_2D: pointwise convolutions become two loops written for the operator's own numbers.
 *
 * The class is a copy of the built-in one with another `emit`, so checks, kernel selection, constants and scratch stay
 * as they are; where the portable int8 kernel was not selected, or the window is not 1x1, the built-in's emit goes on.
 */
#include <helia_aot/plugin.h>

#include <string.h>

#include "helia_conv_2d.h" /* the parameters of the built-in kernel, from the runtime */

static const HeliaOpClass *builtin;

static bool is_pointwise(const AirNode *n)
{
    const helia_conv_2d_s8_params *p = n->params;
    if (strcmp(n->kernel->symbol, "helia_conv_2d_s8_c") != 0)
        return false;
    const helia_conv_window *w = &p->window;
    return w->kernel_h == 1 && w->kernel_w == 1 && w->stride_h == 1 && w->stride_w == 1 && p->filter_c == w->in_c;
}

/* args: input, weights, bias (may be absent), multipliers, shifts, output. */
static bool emit_pointwise(HeliaEmitter *e, const AirNode *n)
{
    const helia_conv_2d_s8_params *p = n->params;
    const char *arg[6], *prefix = helia_emit_prefix(e);
    HeliaOut *o = helia_emit_operator(e, n);
    if (!o || !helia_emit_kernel_file(e, "helia_math.h"))
        return false;
    for (uint32_t i = 0; i < 6; i++)
        arg[i] = helia_emit_tensor(e, n->args.at[i].tensor);
    helia_out_line(o, "#include \"%s\"", helia_emit_symbol(e, "helia_math.h"));
    helia_out_line(o, "%s", "");
    helia_out_line(o, "int32_t %s_%s_run(%s_model_context_t *ctx)", prefix, n->cname, prefix);
    helia_out_line(o, "{");
    helia_out_line(o, "    const int8_t *in = %s, *weights = %s;", arg[0], arg[1]);
    helia_out_line(o, "    const int32_t *bias = %s, *multiplier = %s, *shift = %s;", arg[2], arg[3], arg[4]);
    helia_out_line(o, "    int8_t *out = %s;", arg[5]);
    helia_out_line(o, "    int32_t pixel, c, i;");
    helia_out_line(o, "    for (pixel = 0; pixel < %d; pixel++, in += %d) {",
                   p->window.batches * p->window.out_h * p->window.out_w, p->window.in_c);
    helia_out_line(o, "        for (c = 0; c < %d; c++) {", p->window.out_c);
    helia_out_line(o, "            int32_t sum = %s;", n->args.at[2].tensor ? "bias[c]" : "0");
    helia_out_line(o, "            for (i = 0; i < %d; i++)", p->window.in_c);
    helia_out_line(o, "                sum += weights[c * %d + i] * (in[i] - (%d));", p->window.in_c, p->in_zero);
    helia_out_line(o, "            sum = %s(sum, multiplier[c], shift[c]) + (%d);",
                   helia_emit_symbol(e, "helia_requantize"), p->out_zero);
    helia_out_line(o, "            *out++ = (int8_t)%s(sum, %d, %d);", helia_emit_symbol(e, "helia_clamp"), p->min,
                   p->max);
    helia_out_line(o, "        }");
    helia_out_line(o, "    }");
    if (!n->args.at[2].tensor)
        helia_out_line(o, "    (void)bias;");
    helia_out_line(o, "    return %s_STATUS_OK;", helia_emit_PREFIX(e));
    helia_out_line(o, "}");
    return true;
}

static bool emit(HeliaEmitter *e, const AirNode *n)
{
    return is_pointwise(n) ? emit_pointwise(e, n) : builtin->emit(e, n);
}

static bool customize(HeliaRegistryContext *context, void *user)
{
    (void)user;
    builtin = helia_registry_get(context->aot_operator_classes, "CONV_2D");
    HeliaOpClass *copy = helia_memdup(context->arena, builtin, sizeof(*builtin));
    copy->emit = emit;
    return helia_registry_register(context->aot_operator_classes, "CONV_2D", copy, true);
}

HELIA_PLUGIN("pointwise", "1.0", customize)
