/* Body of a pooling kernel. The file that includes it defines HELIA_KERNEL, the function's name; HELIA_PARAMS, its
 * parameters' type; HELIA_T, the element type; and HELIA_REDUCE, a function
 *     HELIA_T reduce(const HELIA_PARAMS *p, const HELIA_T *in, helia_pool_2d_area area)
 * that gives the result of one window for the channel at which `in`, the image, begins. */
void HELIA_KERNEL(const HELIA_PARAMS *p, const HELIA_T *restrict in, HELIA_T *restrict out)
{
    const helia_pool_2d_window *w = &p->window;
    for (int32_t b = 0; b < w->batches; b++) {
        for (int32_t out_y = 0; out_y < w->out_h; out_y++) {
            for (int32_t out_x = 0; out_x < w->out_w; out_x++) {
                const helia_pool_2d_area area = helia_pool_2d_clip(w, out_y, out_x);
                for (int32_t ch = 0; ch < w->channels; ch++)
                    *out++ = HELIA_REDUCE(p, in + ch, area);
            }
        }
        in += w->in_h * w->in_w * w->channels;
    }
}
