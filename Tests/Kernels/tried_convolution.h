/* A convolution for a test, and its result in double precision. */
#pragma once

#include <math.h>

#include "check.h"
#include "vector_convolution.h"

struct tried {
  size_t taps, dilation, inputs, outputs, rows, length, phases, padding;
  float input_slope, output_slope, scale;
  int has_summand;
};

static inline size_t place_of(size_t channel, size_t row, size_t moment, size_t rows, size_t length, size_t block) {
  return ((channel / block * rows + row) * length + moment) * block + channel % block;
}

static inline double expected(
    const struct vector_convolution *call, const struct tried *tried, const float *weights, size_t output, size_t row,
    size_t moment, size_t to) {
  size_t block = call->block, inputs = tried->inputs * block;
  double sum = call->bias[output];
  for (size_t tap = 0; tap < tried->taps; tap++) {
    ptrdiff_t from = (ptrdiff_t)(moment + tap * tried->dilation) - (ptrdiff_t)tried->padding;
    if (from < 0 || from >= (ptrdiff_t)tried->length) continue;
    const float *weight = weights + output * inputs * tried->taps + tap;
    for (size_t first = 0; first < inputs; first += block) {
      const float *samples = call->input + place_of(first, row, (size_t)from, tried->rows, tried->length, block);
      for (size_t channel = 0; channel < block; channel++, weight += tried->taps) {
        double sample = samples[channel];
        sum += (sample < 0 ? sample * tried->input_slope : sample) * *weight;
      }
    }
  }
  if (call->summand) sum += call->summand[to];
  return sum < 0 ? sum * tried->output_slope : sum;
}

static inline double error_of(const struct vector_convolution *call, const struct tried *tried, const float *weights) {
  size_t block = call->block, phases = tried->phases;
  double error = 0, peak = 0;
  for (size_t output = 0; output < call->output_blocks * block; output++)
    for (size_t row = 0; row < tried->rows; row++)
      for (size_t moment = 0; moment < tried->length; moment++) {
        /* Output channels are ordered by block of channels, phase, channel in the block. */
        size_t channel = output / block / phases * block + output % block, phase = output / block % phases;
        size_t to = place_of(channel, row, moment * phases + phase, tried->rows, tried->length * phases, block);
        double wanted = expected(call, tried, weights, output, row, moment, to);
        double difference = fabs(call->output[to] - wanted);
        if (!(difference <= error)) error = difference;
        if (fabs(wanted) > peak) peak = fabs(wanted);
      }
  return peak > 0 ? error / peak : error;
}

static inline struct tried usual(size_t taps, size_t dilation, size_t length) {
  return (struct tried){
    .taps = taps, .dilation = dilation, .inputs = 1, .outputs = 1, .rows = 1, .length = length, .phases = 1,
    .padding = (taps - 1) * dilation / 2, .input_slope = 1, .output_slope = 1, .scale = 1};
}
