/* Quantisation arithmetic at compile time: the formulas of LiteRT's reference kernels, in double and float exactly as
 * they form them. */
#ifndef OP_QUANT_H
#define OP_QUANT_H

#include <helia_aot/op.h>

typedef enum Activation { ACT_NONE, ACT_RELU, ACT_RELU_N1_TO_1, ACT_RELU6, ACT_TANH, ACT_SIGN_BIT } Activation;
extern const char *const activation_names[]; /* for HeliaField.names; NULL-terminated */
typedef enum Padding { PADDING_SAME, PADDING_VALID } Padding;
extern const char *const padding_names[];

/* d ~ m * 2^(e - 31), 2^30 <= |m| < 2^31: frexp, rounded to nearest with ties away from zero. */
void quantize_multiplier(double d, int32_t *m, int32_t *e);
float scale_of(const AirTensor *t); /* per-tensor or first channel; 0 if not quantised */
int32_t zero_of(const AirTensor *t);
void type_range(AirType type, int32_t *lo, int32_t *hi); /* s8, u8, s16, s32 */
/* Fused activation on a quantised output: numerics of CalculateActivationRangeQuantized. */
void activation_range(Activation act, const AirTensor *out, int32_t *lo, int32_t *hi);
void activation_range_float(Activation act, float *lo, float *hi);
/* Largest |x| that a k-integer-bit fixed-point function distinguishes: floor((2^k - 1) * 2^(31-k) / 2^e). */
int32_t input_radius(int k, int e);
/* int8 table of f: entry for q is f(scale_in * (q - zero_in)) requantised; f in double, rounded to float once. */
void lut8(const AirTensor *in, const AirTensor *out, double (*f)(double x, const void *user), const void *user,
          int8_t table[256]); /* table[q + 128] */
/* int16 table of 513 entries for interpolation at steps of 128 input units, in single precision; each entry is moved so
 * that the middle between two is off by as much as the ends. */
typedef struct Scale16 {
    float scale;
    int32_t zero;
} Scale16;
void lut16(Scale16 in, Scale16 out, float (*f)(float x), int16_t table[513]);

/* Per-channel multipliers and shifts of a weighted operator as constants: scale_in * scale_w[c] / scale_out, all in
 * double. n channels (a per-tensor weight scale is repeated). */
void channel_multipliers(const HeliaOpContext *c, const AirNode *node, const AirTensor *in, const AirTensor *weights,
                         const AirTensor *out, uint32_t n, AirTensor **multipliers, AirTensor **shifts);
/* The bytes of an int4 constant as int8, low nibble first; a new constant tensor. */
AirTensor *unpack_int4(const HeliaOpContext *c, const AirTensor *weights);

#endif
