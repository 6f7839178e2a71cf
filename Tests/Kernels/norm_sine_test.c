/* Compares vector_norm_sine with the formula in double precision. */
#include "vector_norm_sine.h"

#include <float.h>
#include <math.h>

#include "check.h"

static const float EPSILON = 1e-3f;

/* The maximum error, relative to the largest angle, because the angle itself is rounded. */
static double error_of(const float *input, const float *output, size_t count, float scale, float bias) {
  double mean = 0, variance = 0, largest = 0, error = 0;
  for (size_t i = 0; i < count; i++) mean += input[i];
  mean /= (double)count;
  for (size_t i = 0; i < count; i++) variance += (input[i] - mean) * (input[i] - mean);
  variance /= (double)count;
  for (size_t i = 0; i < count; i++) {
    double normed = (input[i] - mean) / sqrt(variance + EPSILON) * scale + bias;
    double difference = fabs(output[i] - (normed + sin(normed) * sin(normed)));
    if (!(difference <= error)) error = difference;
    if (fabs(normed) > largest) largest = fabs(normed);
  }
  return error / fmax(1, largest);
}

static void try_numbers(size_t count, enum edge edge, float spread, float center, float scale, float bias) {
  struct placed input = place_random(count, edge, spread, center), output = place(count, edge);
  vector_norm_sine(input.numbers, output.numbers, count, EPSILON, scale, bias);
  if (count) {
    double error = error_of(input.numbers, output.numbers, count, scale, bias);
    CHECK(
        error <= 2e-6, "%g with %zu numbers around %g up to %g, scale %g, bias %g", error, count, center, spread, scale,
        bias);
  }
  release(input);
  release(output);
}

static void lengths(void) {
  for (size_t count = 0; count <= 260; count++)
    for (int edge = AT_START; edge <= AT_END; edge++) try_numbers(count, (enum edge)edge, 5, 100, -3, 0.25f);
  static const size_t long_ones[] = {1008, 1023, 1024, 1025, 1040, 4111, 20000, 65537};
  for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++) try_numbers(long_ones[i], AT_END, 5, 100, 1, 0);
}

static void scales(void) {
  static const float factors[] = {0, 1, -0.5f, 3, 40, -250};
  static const float spreads[] = {0, 1e-40f, 1e-20f, 1e-3f, 1, 1e6f, 1e18f};
  for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
    for (size_t j = 0; j < sizeof spreads / sizeof *spreads; j++)
      for (int bias = -90; bias <= 90; bias += 45) try_numbers(77, AT_END, spreads[j], 0, factors[i], (float)bias);
}

/* All positions in a vector, with values that do not occur in audio. */
static void strange(void) {
  enum { COUNT = 53 };
  static const float values[] = {1e36f, -1e36f, 1e30f, FLT_MIN, -0.0f};
  struct placed input = place(COUNT, AT_END), output = place(COUNT, AT_END);
  for (int at = 0; at < COUNT; at++) {
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
      memset(input.numbers, 0, COUNT * sizeof(float));
      input.numbers[at] = values[i];
      vector_norm_sine(input.numbers, output.numbers, COUNT, EPSILON, 2, 1);
      for (int j = 0; j < COUNT; j++)
        CHECK(fabsf(output.numbers[j]) < 20, "%g at %d after %g at %d", output.numbers[j], j, values[i], at);
    }
    memset(input.numbers, 0, COUNT * sizeof(float));
    input.numbers[at] = at % 2 ? NAN : INFINITY;
    vector_norm_sine(input.numbers, output.numbers, COUNT, EPSILON, 2, 1);
    for (int j = 0; j < COUNT; j++) CHECK(isnan(output.numbers[j]), "%g at %d", output.numbers[j], j);
  }
  /* Angles too large for a meaningful sine produce bounded results. */
  for (int j = 0; j < COUNT; j++) input.numbers[j] = j % 2 ? 4 : -4;
  vector_norm_sine(input.numbers, output.numbers, COUNT, EPSILON, 3e7f, 0);
  for (int j = 0; j < COUNT; j++)
    CHECK(fabsf(fabsf(output.numbers[j]) - 3e7f) < 1e6f, "%g at %d", output.numbers[j], j);
  release(input);
  release(output);
}

int main(void) {
  lengths();
  scales();
  strange();
  return checks_end("norm_sine");
}
