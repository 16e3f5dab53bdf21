/* Body of DEQUANTIZE. The reference multiplies in double precision and rounds once; the operands are short enough that
 * the product in single precision rounds the same exact value. The file that includes it defines HELIA_KERNEL, the
 * function's name, and HELIA_T, the input's type. */
#include "helia_quantize.h"

void HELIA_KERNEL(const helia_dequantize_params *p, const HELIA_T *in, float *out)
{
    for (int32_t i = 0; i < p->count; i++)
        out[i] = p->scale * (float)(in[i] - p->zero);
}
