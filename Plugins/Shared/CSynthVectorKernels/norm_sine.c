#include "vector_norm_sine.h"

#include "kernel_parts.h"

#include <math.h>

enum {
  /* The number of parallel sums, which is a multiple of every vector width. */
  LANES = 16,
  /* The number of samples that can be summed in a float with sufficient accuracy. */
  BLOCK = 64 * LANES,
};

PART float term(float sample, float center, int is_squared) {
  float distance = sample - center;
  return is_squared ? distance * distance : distance;
}

/* Returns the mean difference from a number, or the mean squared difference. */
PART double mean_distance(const float *input, size_t count, float center, int is_squared) {
  double total = 0;
  size_t place = 0;
  while (count - place >= LANES) {
    size_t end = count - place > BLOCK ? place + BLOCK : count - (count - place) % LANES;
    float sums[LANES] = {0};
    for (; place < end; place += LANES)
      for (int lane = 0; lane < LANES; lane++) sums[lane] += term(input[place + lane], center, is_squared);
    for (int lane = 0; lane < LANES; lane++) total += sums[lane];
  }
  for (; place < count; place++) total += term(input[place], center, is_squared);
  return total / count;
}

/* Returns sin(angle)². The error is below 1e-7 for angles below 1000. */
PART float squared_sine(float angle) {
  /* Adding this constant rounds to an integer, because floats of this magnitude have no fraction
     bits. */
  const float rounding = 0x1.8p23f;
  float turns = (angle * 0.318309886f + rounding) - rounding;
  /* Subtracts half turns as several terms, whose products with small integers are exact. */
  float rest = angle - turns * 0x1.92p+1f;
  rest -= turns * 0x1.fb4p-11f;
  rest -= turns * 0x1.4442d2p-23f;
  /* A float is too imprecise for the sine of a very large angle, so the result is merely clamped. */
  rest = rest > 1.6f ? 1.6f : rest < -1.6f ? -1.6f : rest;
  float square = rest * rest;
  /* The degree-4 polynomial with the lowest relative error, 5e-9, up to a quarter turn. */
  float quotient = -1.9811053e-4f + square * 2.6087892e-6f;
  quotient = 8.3330874e-3f + square * quotient;
  quotient = -1.6666660e-1f + square * quotient;
  float sine = rest + rest * (square * quotient);
  return sine * sine;
}

/* The function is static; otherwise, the resolver that selects a clone would be exported regardless of the clones'
   visibility. */
FOR_EACH_PROCESSOR
static void norm_sine(
    const float *restrict input, float *restrict output, size_t count, float epsilon, float scale, float bias) {
  if (count == 0) return;
  /* Subtract one of the samples first, because small differences lose little precision when they
     are summed. */
  double mean = input[0] + mean_distance(input, count, input[0], 0);
  float center = (float)mean;
  /* The rounding error of the mean as a float. */
  double rest = mean - center;
  double variance = mean_distance(input, count, center, 1) - rest * rest;
  float factor = (float)(scale / sqrt(variance + epsilon));
  float shift = (float)(bias - rest * factor);
  for (size_t place = 0; place < count; place++) {
    float normed = (input[place] - center) * factor + shift;
    output[place] = normed + squared_sine(normed);
  }
}

void vector_norm_sine(
    const float *restrict input, float *restrict output, size_t count, float epsilon, float scale, float bias) {
  norm_sine(input, output, count, epsilon, scale, bias);
}
