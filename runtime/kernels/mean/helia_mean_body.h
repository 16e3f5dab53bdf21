/* Body of MEAN. The file that includes it defines HELIA_KERNEL, the function's name; HELIA_PARAMS, its parameters'
 * type; HELIA_T, the element type; and HELIA_MEAN, a function HELIA_T mean(const HELIA_PARAMS *p, const HELIA_T *in)
 * that reduces the elements which begin at `in`. */
void HELIA_KERNEL(const HELIA_PARAMS *p, const HELIA_T *restrict in, HELIA_T *restrict out)
{
    const int32_t *n = p->loops.kept, *stride = p->loops.kept_stride;
    for (int32_t i = 0; i < n[0]; i++)
        for (int32_t j = 0; j < n[1]; j++)
            for (int32_t k = 0; k < n[2]; k++)
                *out++ = HELIA_MEAN(p, in + i * stride[0] + j * stride[1] + k * stride[2]);
}
