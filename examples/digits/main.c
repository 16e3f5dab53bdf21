/* Shows handwritten digits as text and what the generated module makes of them. It knows the module by digits_model.h
 * alone; firmware would do the same with pixels of a camera. */
#include <stdio.h>
#include <string.h>

#include "digits_model.h"
#include "digits_samples.h"

#define SAMPLES ((int)(sizeof(digit_samples) / sizeof(digit_samples[0])))
#define PER_LINE 4
#define SIDE 8
#define CLASSES ((int)DIGITS_OUTPUT_scores_COUNT)

typedef struct answer {
    int digit;
    float confidence;
    int exact; /* all scores are those of TensorFlow Lite Micro */
} answer_t;

static digits_model_context_t ctx; /* zero-initialised, as digits_model_init wants it */

/* Returns the module's status. */
static int32_t classify(const digit_sample_t *sample, answer_t *answer)
{
    int8_t *image = ctx.inputs[DIGITS_INPUT_image].data;
    for (int i = 0; i < SIDE * SIDE; i++)
        image[i] = digits_quantize_input_image((float)sample->grey[i] / 16.0f);

    const int32_t status = digits_model_run(&ctx);
    if (status != DIGITS_STATUS_OK)
        return status;

    const int8_t *scores = ctx.outputs[DIGITS_OUTPUT_scores].data;
    answer->digit = 0;
    for (int i = 1; i < CLASSES; i++)
        if (scores[i] > scores[answer->digit])
            answer->digit = i;
    answer->confidence = digits_dequantize_output_scores(scores[answer->digit]);
    answer->exact = memcmp(scores, sample->scores, sizeof(sample->scores)) == 0;
    return status;
}

/* One row of pixels, two characters each. */
static void print_row(const uint8_t *grey)
{
    static const char shades[] = " .:-=+*#@";
    for (int i = 0; i < SIDE; i++) {
        const char shade = shades[grey[i] / 2];
        printf("%c%c", shade, shade);
    }
}

/* Digits side by side, the answers below. */
static void print_line(const digit_sample_t *samples, const answer_t *answers, int count)
{
    for (int row = 0; row < SIDE; row++) {
        for (int i = 0; i < count; i++) {
            print_row(&samples[i].grey[row * SIDE]);
            fputs(i + 1 < count ? "    " : "\n", stdout);
        }
    }
    for (int i = 0; i < count; i++) {
        char text[32];
        const double percent = 100.0 * (double)answers[i].confidence;
        if (answers[i].digit == samples[i].label)
            snprintf(text, sizeof(text), "%d, %.1f %%, right", answers[i].digit, percent);
        else
            snprintf(text, sizeof(text), "%d, %.1f %%, is a %d", answers[i].digit, percent, samples[i].label);
        printf("%-20s", text);
    }
    fputs("\n\n", stdout);
}

int main(void)
{
    const int32_t status = digits_model_init(&ctx);
    if (status != DIGITS_STATUS_OK) {
        fprintf(stderr, "digits_model_init: status %d\n", (int)status);
        return 1;
    }

    int right = 0, exact = 0;
    for (int first = 0; first < SAMPLES; first += PER_LINE) {
        answer_t answers[PER_LINE];
        const int count = SAMPLES - first < PER_LINE ? SAMPLES - first : PER_LINE;
        for (int i = 0; i < count; i++) {
            const int32_t run = classify(&digit_samples[first + i], &answers[i]);
            if (run != DIGITS_STATUS_OK) {
                fprintf(stderr, "digits_model_run: status %d\n", (int)run);
                return 1;
            }
            right += answers[i].digit == digit_samples[first + i].label;
            exact += answers[i].exact;
        }
        print_line(&digit_samples[first], answers, count);
    }
    printf("%d of %d digits right; the scores of %d equal TensorFlow Lite Micro's bit for bit.\n", right, SAMPLES,
           exact);
    return exact == SAMPLES ? 0 : 1;
}
