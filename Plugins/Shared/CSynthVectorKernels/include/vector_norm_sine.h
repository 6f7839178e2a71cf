/* Loops over samples, compiled for several x86 processor generations. The loader selects the best version. */
#pragma once

#include <stddef.h>

/* Hidden, so that plugins do not export this function. */
#pragma GCC visibility push(hidden)

/* Writes y + sin(y)², where y = (x - mean) / sqrt(variance + epsilon) * scale + bias, for one channel. Mean and variance are
   computed from the input. Input and output must not overlap. */
void vector_norm_sine(
    const float *restrict input, float *restrict output, size_t count, float epsilon, float scale, float bias);

#pragma GCC visibility pop
