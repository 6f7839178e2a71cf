/* Loops over samples that are compiled for several kinds of x86 processors. The loader selects the best one. */
#pragma once

#include <stddef.h>

/* Hidden, so that a plugin does not export it. */
#pragma GCC visibility push(hidden)

/* Writes y + sin(y)² of y = (x - mean) / sqrt(variance + epsilon) * scale + bias for one channel. Mean and variance are
   computed from the input. The output must not be the input. */
void vector_norm_sine(
    const float *restrict input, float *restrict output, size_t count, float epsilon, float scale, float bias);

#pragma GCC visibility pop
