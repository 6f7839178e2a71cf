/* Loops over samples, compiled for several generations of x86 processors. The loader selects the fastest
   version that the processor supports. */
#pragma once

#include <stddef.h>

/* Hide this function so that plugins do not export it. */
#pragma GCC visibility push(hidden)

/* Writes y + sin(y)², where y = (x - mean) / sqrt(variance + epsilon) * scale + bias, for one channel. The mean and the
   variance are computed from the input. Input and output must not overlap. */
void vector_norm_sine(
    const float *restrict input, float *restrict output, size_t count, float epsilon, float scale, float bias);

#pragma GCC visibility pop
