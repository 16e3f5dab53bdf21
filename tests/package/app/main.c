/* Two modules of one model in a program, with different prefixes and schedules: both give the recorded scores. */
#include <string.h>

#include "digits_model.h"
#include "digits_samples.h"
#include "other_model.h"

static digits_model_context_t one;
static other_model_context_t other;

int main(void)
{
    int i;
    if (digits_model_init(&one) != 0 || other_model_init(&other) != 0)
        return 1;
    for (i = 0; i < 64; i++) {
        ((int8_t *)one.inputs[0].data)[i] = digits_quantize_input_image((float)digit_samples[0].grey[i] / 16.0f);
        ((int8_t *)other.inputs[0].data)[i] = ((int8_t *)one.inputs[0].data)[i];
    }
    if (digits_model_run(&one) != 0 || other_model_run(&other) != 0)
        return 2;
    if (memcmp(one.outputs[0].data, digit_samples[0].scores, sizeof(digit_samples[0].scores)) != 0)
        return 3;
    return memcmp(other.outputs[0].data, one.outputs[0].data, sizeof(digit_samples[0].scores)) != 0 ? 4 : 0;
}
