/* Compares vector_convolve_integers with a plain convolution in double precision. */
#include "tried_convolution.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* Integers that quantization does not change: each channel ranges from -100 to 155 everywhere, and each output channel has
   a weight of 127. The result is exact. */
static const float LEAST = -100, MOST = 155, LARGEST = 127;

static float whole_number(float least, float most) {
  return roundf(least + (most - least) * (random_number() * 0.5f + 0.5f));
}

/* Reorders weights from [output channel][input channel][tap] to
   [pair of output blocks][tap][group of four input channels][output channel][channel in the group]. */
static void order(const float *weights, float *to, size_t outputs, size_t inputs, size_t taps, size_t block) {
  for (size_t first = 0; first < outputs; first += 2 * block)
    for (size_t tap = 0; tap < taps; tap++)
      for (size_t four = 0; four < inputs; four += 4)
        for (size_t output = first; output < first + 2 * block && output < outputs; output++)
          for (size_t input = four; input < four + 4; input++) *to++ = weights[(output * inputs + input) * taps + tap];
}

/* `most` is the maximum error, relative to the largest number; NAN permits any error. */
static void try_convolution(const struct tried *tried, int is_exact, double most, size_t block, enum edge edge) {
  size_t inputs = tried->inputs * block, outputs = tried->outputs * tried->phases * block;
  size_t moments = tried->rows * tried->length;
  struct placed input = place_random(inputs * moments, edge, tried->scale, 0);
  struct placed weights = place_random(outputs * inputs * tried->taps, edge, 1, 0);
  if (is_exact) {
    for (size_t i = 0; i < inputs * moments; i++) {
      size_t turn = i / block % 4;
      input.numbers[i] = turn == 0 ? LEAST : turn == 1 ? MOST : whole_number(LEAST, MOST);
    }
    for (size_t i = 0; i < outputs * inputs * tried->taps; i++)
      weights.numbers[i] = i % (inputs * tried->taps) == 3 ? LARGEST : whole_number(-LARGEST, LARGEST);
  }
  struct placed ordered = place(tried->taps * inputs * outputs, edge);
  struct placed bias = place_random(outputs, edge, tried->scale, 0);
  struct placed summand = place_random(outputs * moments, edge, tried->scale, 0);
  struct placed output = place_random(outputs * moments, edge, NAN, 0);
  int is_incomplete = 0;
  order(weights.numbers, ordered.numbers, outputs, inputs, tried->taps, block);
  struct vector_convolution call = {
    .block = block, .input_blocks = tried->inputs, .output_blocks = tried->outputs * tried->phases,
    .rows = tried->rows, .length = tried->length, .taps = tried->taps, .dilation = tried->dilation,
    .padding = tried->padding, .phases = tried->phases, .input_slope = tried->input_slope,
    .output_slope = tried->output_slope, .input = input.numbers, .weights = ordered.numbers, .bias = bias.numbers,
    .summand = tried->has_summand ? summand.numbers : NULL, .output = output.numbers,
    .is_incomplete = &is_incomplete};
  /* Pieces may be computed in any order. */
  for (size_t piece = vector_integer_pieces(&call); piece-- > 0;) vector_convolve_integers(&call, piece);
  CHECK(!is_incomplete, "there is enough memory");
  double error = error_of(&call, tried, weights.numbers);
  CHECK(
      isnan(most) || error < most, "%g with blocks of %zu, %zu taps, dilation %zu, %zu time steps, numbers up to %g",
      error, block, tried->taps, tried->dilation, tried->length, tried->scale);
  struct placed all[] = {input, weights, ordered, bias, summand, output};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) release(all[i]);
}

/* Whether this processor supports both block sizes. */
static int has_both_blocks(void) {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  return vector_integer_block() > 8 && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & (1u << 4));
#else
  return 0;
#endif
}

/* Tries each block size, alternating between the two edges. */
static void try_all_ways(struct tried tried, int is_exact, double most) {
  static int turn;
  enum edge edge = turn++ % 2 ? AT_START : AT_END;
  try_convolution(&tried, is_exact, most, vector_integer_block(), edge);
  if (has_both_blocks()) try_convolution(&tried, is_exact, most, 8, edge);
}

/* Two or more pieces, each of which is quantized separately. */
static void whole_numbers(void) {
  static const size_t taps[] = {1, 2, 3, 5, 7, 11};
  for (size_t i = 0; i < sizeof taps / sizeof *taps; i++)
    for (size_t length = 4; length <= 1200; length = length * 3 / 2 + 1)
      try_all_ways(usual(taps[i], 1 + length % 5, length), 1, 1e-6);
}

static void shapes(void) {
  for (size_t inputs = 1; inputs <= 3; inputs++)
    for (size_t outputs = 1; outputs <= 3; outputs++)
      for (size_t rows = 1; rows <= 2; rows++)
        for (size_t phases = 1; phases <= 3; phases++) {
          struct tried tried = usual(3 + outputs, inputs, 29);
          tried.inputs = inputs, tried.outputs = outputs, tried.rows = rows, tried.phases = phases;
          tried.has_summand = phases % 2, tried.padding = inputs * phases;
          tried.output_slope = phases == 2 ? 1 : 0.25f;
          try_all_ways(tried, 1, 1e-6);
          tried.input_slope = 0.1f * (float)rows;
          try_all_ways(tried, 0, 0.03);
        }
}

/* Arbitrary numbers, which are quantized to 8 bits. */
static void scales(void) {
  static const float scales[] = {1e-20f, 1e-10f, 1, 1e10f, 1e20f};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
    for (size_t taps = 1; taps <= 8; taps++)
      for (size_t length = 1; length <= 41; length += 8) {
        struct tried tried = usual(taps, 2, length);
        tried.scale = scales[i], tried.has_summand = 1, tried.input_slope = 0.5f, tried.output_slope = 0.5f;
        try_all_ways(tried, 0, 0.03);
      }
  /* Silence results in the bias, and numbers that are far too large do not cause a hang. */
  struct tried silent = usual(3, 1, 30), huge = silent;
  silent.scale = 0, huge.scale = INFINITY;
  try_all_ways(silent, 0, 1e-6);
  try_all_ways(huge, 0, NAN);
}

int main(void) {
  if (vector_integer_block() == 0) {
    printf("integer_convolution: skipped, because this processor lacks the required instructions\n");
    return 0;
  }
  whole_numbers();
  shapes();
  scales();
  return checks_end("integer_convolution");
}
