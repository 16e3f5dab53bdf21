/* Features of tones: the loudest channel is the one whose filter has its peak at the tone, and the same audio after a
 * reset gives the same features. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "frontend_model.h"

enum { RATE = 16000, WINDOW = 480, STEP = 320, CHANNELS = 40, FRAMES = 5 };

static frontend_model_context_t ctx;

/* The filters' peaks divide 125 to 7500 Hz into equal steps of the mel scale. */
static double peak(int channel)
{
    double low = log(1.0 + 125.0 / 700.0), high = log(1.0 + 7500.0 / 700.0);
    return 700.0 * (exp(low + (channel + 1) * (high - low) / (CHANNELS + 1)) - 1.0);
}

/* Several frames of the tone, 20 ms apart; the features of the last. */
static int hear(double frequency, int16_t features[CHANNELS])
{
    int frame, i;
    for (frame = 0; frame < FRAMES; frame++) {
        int16_t *audio = (int16_t *)ctx.inputs[0].data;
        for (i = 0; i < WINDOW; i++)
            audio[i] = (int16_t)(8000.0 * sin(2.0 * 3.14159265358979 * frequency * (frame * STEP + i) / RATE));
        if (frontend_model_run(&ctx) != 0)
            return 1;
    }
    memcpy(features, ctx.outputs[0].data, CHANNELS * sizeof(*features));
    return 0;
}

static int loudest(const int16_t features[CHANNELS])
{
    int best = 0, i;
    for (i = 1; i < CHANNELS; i++)
        if (features[i] > features[best])
            best = i;
    return best;
}

int main(void)
{
    static const int channels[] = {2, 8, 16, 28, 38}; /* the noise estimate of odd ones takes up a tone faster */
    int16_t features[CHANNELS], again[CHANNELS];
    size_t i;
    if (frontend_model_init(&ctx) != 0)
        return 1;
    for (i = 0; i < sizeof(channels) / sizeof(channels[0]); i++) {
        double tone = peak(channels[i]);
        if (frontend_state_reset(&ctx) != 0 || hear(tone, features) != 0)
            return 2;
        printf("audio-frontend: %4.0f Hz, channel %d has %d\n", tone, loudest(features), features[loudest(features)]);
        if (loudest(features) != channels[i])
            return 3;
        /* The noise estimate has learnt the tone by now; a reset makes it forget. */
        if (hear(tone, again) != 0 || memcmp(features, again, sizeof(features)) == 0)
            return 4;
        if (frontend_state_reset(&ctx) != 0 || hear(tone, again) != 0 || memcmp(features, again, sizeof(features)) != 0)
            return 5;
    }
    return 0;
}
