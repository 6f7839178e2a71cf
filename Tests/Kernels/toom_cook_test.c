/* Compares vector_convolve with a plain convolution in double precision. */
#include "tried_convolution.h"

enum { PRODUCTS = VECTOR_CONVOLUTION_PRODUCTS, MOST_TAPS = 16 };

/* The number of samples per tile. Five samples with three taps, three samples with five taps, and four samples with four
   taps need the same number of products. */
static size_t samples_for(size_t taps) { return taps <= 3 ? 5 : taps == 5 ? 3 : 4; }

/* The value of the taps' polynomial at a point, divided by the product of the differences between that point and the
   others. The last point is infinity. */
static double at_point(size_t product, const float *taps, size_t count, size_t most) {
  static const double points[PRODUCTS - 1] = {0, 1, -1, 0.5, -0.5, 2};
  if (product == PRODUCTS - 1) return count == most ? taps[most - 1] : 0;
  double divisor = 1, power = 1, sum = 0;
  for (size_t other = 0; other < PRODUCTS - 1; other++)
    if (other != product) divisor *= points[product] - points[other];
  for (size_t tap = 0; tap < count; tap++, power *= points[product]) sum += taps[tap] * power;
  return sum / divisor;
}

/* Reorders weights from [output channel][input channel][tap] to
   [product][pair of output blocks][part][input channel][channel in the pair]. */
static void evaluate(
    const float *weights, float *to, size_t outputs, size_t inputs, size_t taps, size_t parts, size_t block) {
  size_t most = PRODUCTS + 1 - samples_for(taps);
  for (size_t product = 0; product < PRODUCTS; product++)
    for (size_t first = 0; first < outputs; first += 2 * block)
      for (size_t part = 0; part < parts; part++)
        for (size_t input = 0; input < inputs; input++)
          for (size_t output = first; output < first + 2 * block && output < outputs; output++) {
            size_t start = part * most, rest = taps - start;
            const float *of = weights + (output * inputs + input) * taps + start;
            *to++ = (float)at_point(product, of, rest < most ? rest : most, most);
          }
}

static void try_convolution(const struct tried *tried, size_t block, enum edge edge) {
  size_t samples = samples_for(tried->taps), most = PRODUCTS + 1 - samples, parts = (tried->taps + most - 1) / most;
  size_t inputs = tried->inputs * block, outputs = tried->outputs * tried->phases * block;
  size_t moments = tried->rows * tried->length;
  struct placed input = place_random(inputs * moments, edge, tried->scale, 0);
  struct placed weights = place_random(outputs * inputs * tried->taps, edge, 1, 0);
  struct placed evaluated = place(PRODUCTS * parts * inputs * outputs, edge);
  struct placed bias = place_random(outputs, edge, tried->scale, 0);
  struct placed summand = place_random(outputs * moments, edge, tried->scale, 0);
  struct placed output = place_random(outputs * moments, edge, NAN, 0);
  int is_incomplete = 0;
  evaluate(weights.numbers, evaluated.numbers, outputs, inputs, tried->taps, parts, block);
  struct vector_convolution call = {
    .block = block, .input_blocks = tried->inputs, .output_blocks = tried->outputs * tried->phases,
    .rows = tried->rows, .length = tried->length, .samples = samples, .parts = parts, .dilation = tried->dilation,
    .padding = tried->padding, .phases = tried->phases, .input_slope = tried->input_slope,
    .output_slope = tried->output_slope, .input = input.numbers, .weights = evaluated.numbers, .bias = bias.numbers,
    .summand = tried->has_summand ? summand.numbers : NULL, .output = output.numbers,
    .is_incomplete = &is_incomplete};
  /* Pieces may be computed in any order. */
  for (size_t piece = vector_convolution_pieces(&call); piece-- > 0;) vector_convolve(&call, piece);
  CHECK(!is_incomplete, "there is enough memory");
  double error = error_of(&call, tried, weights.numbers);
  CHECK(
      error < 3e-6, "%g with blocks of %zu, %zu taps, dilation %zu, %zu time steps, numbers up to %g", error, block,
      tried->taps, tried->dilation, tried->length, tried->scale);
  struct placed all[] = {input, weights, evaluated, bias, summand, output};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) release(all[i]);
}

/* Tries each block size, alternating between the two edges. */
static void try_all_ways(struct tried tried) {
  static int turn;
  size_t widest = vector_convolution_block();
  for (size_t block = 8; block <= widest; block += 8) try_convolution(&tried, block, turn % 2 ? AT_START : AT_END);
  turn++;
}

static void lengths(void) {
  static const size_t taps[] = {1, 2, 3, 4, 5, 7, 11, 13};
  for (size_t i = 0; i < sizeof taps / sizeof *taps; i++) {
    for (size_t length = 1; length <= 40; length++) try_all_ways(usual(taps[i], 1 + length % 3, length));
    try_all_ways(usual(taps[i], 12, 401));
  }
}

static void shapes(void) {
  for (size_t inputs = 1; inputs <= 3; inputs++)
    for (size_t outputs = 1; outputs <= 3; outputs++)
      for (size_t rows = 1; rows <= 2; rows++)
        for (size_t phases = 1; phases <= 3; phases++) {
          struct tried tried = usual(3 + outputs, inputs, 29);
          tried.inputs = inputs, tried.outputs = outputs, tried.rows = rows, tried.phases = phases;
          tried.has_summand = phases % 2, tried.padding = inputs * phases;
          tried.input_slope = 0.1f * (float)rows, tried.output_slope = phases == 2 ? 1 : 0.25f;
          try_all_ways(tried);
        }
  struct tried wide = usual(7, 3, 100);
  wide.inputs = wide.outputs = 4;
  try_all_ways(wide);
}

static void scales(void) {
  static const float scales[] = {0, 1e-30f, 1e-10f, 1e10f, 1e30f};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
    for (size_t taps = 1; taps <= 8; taps++) {
      struct tried tried = usual(taps, 2, 37);
      tried.scale = scales[i], tried.has_summand = 1, tried.input_slope = 0, tried.output_slope = 0.5f;
      try_all_ways(tried);
    }
}

int main(void) {
  if (vector_convolution_block() == 0) {
    printf("toom_cook: skipped, because this processor lacks the required vector instructions\n");
    return 0;
  }
  lengths();
  shapes();
  scales();
  return checks_end("toom_cook");
}
