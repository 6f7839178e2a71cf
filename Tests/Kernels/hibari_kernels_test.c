/* Tests the inner loops for every instruction set that this processor supports. Integer sums are bit-identical to those of
   the plain loops; the errors of functions are below the limits in vecmath.h. */
#include <math.h>
#include <stdbool.h>

#include "check.h"

/* Vectors are passed only to inlined functions. */
#pragma GCC diagnostic ignored "-Wpsabi"
#define HB_ISA 0
#include "Kernels/vec.h"
#include "Kernels/vecmath.h"
#include "Voice/model.h"

static uint32_t chance(void) {
  random_number();
  return (uint32_t)(random_state >> 32);
}

static double uniform(double low, double high) { return low + (high - low) * (chance() / 4294967296.0); }

/* The index of a weight in the core's layout. */
static size_t packed(int inputs, int input, int output) {
  return (size_t)(output / 16) * 16 * (size_t)inputs + (size_t)(input / 4) * 64 + (size_t)(output % 16) * 4 +
         (size_t)(input % 4);
}

/* Layers of random sizes, some with the largest possible weights and activations. */
static void sums(const hb_kernels *k) {
  for (int round = 0; round < 60; round++) {
    bool is_extreme = round % 3 == 0;
    int inputs = 16 * (1 + (int)(chance() % 48)), outputs = 16 * (1 + (int)(chance() % 13)), rows = 1 + (int)(chance() % 23);
    int8_t *weights = malloc((size_t)(inputs * outputs)), *raw = malloc((size_t)(inputs * outputs));
    uint8_t *q = malloc((size_t)(inputs * rows));
    int32_t *column = calloc((size_t)outputs, 4), *out = malloc((size_t)(rows * outputs) * 4);
    for (int i = 0; i < inputs * rows; i++) q[i] = (uint8_t)(is_extreme ? 255 * (chance() & 1) : chance());
    for (int i = 0; i < inputs; i++)
      for (int o = 0; o < outputs; o++) {
        int8_t v = (int8_t)(is_extreme ? (chance() & 1 ? -128 : 127) : (int)(chance() % 256) - 128);
        weights[packed(inputs, i, o)] = raw[i * outputs + o] = v;
        column[o] += v;
      }
    hb_linear layer = {inputs, outputs, weights, column, NULL, NULL};
    k->sums(&layer, q, rows, out);
    int wrong = 0;
    for (int r = 0; r < rows; r++)
      for (int o = 0; o < outputs; o++) {
        int32_t sum = 0;
        for (int i = 0; i < inputs; i++) sum += q[r * inputs + i] * raw[i * outputs + o];
        wrong += sum != out[r * outputs + o];
      }
    CHECK(wrong == 0, "%s: %d sums of %d by %d by %d differ", k->name, wrong, rows, inputs, outputs);
    free(weights), free(raw), free(q), free(column), free(out);
  }
}

/* 8-bit and 16-bit activations, compared with floats. */
static void products(const hb_kernels *k) {
  enum { IN = 192, OUT = 80, ROWS = 13 };
  static int8_t weights[IN * OUT];
  static int32_t column[OUT], zero[ROWS];
  static float scale[OUT], bias[OUT], x[ROWS * IN], s[ROWS], y[3][ROWS * OUT];
  static uint8_t q[2 * ROWS * IN];
  memset(column, 0, sizeof column);
  for (int i = 0; i < IN; i++)
    for (int o = 0; o < OUT; o++) column[o] += weights[packed(IN, i, o)] = (int8_t)((int)(chance() % 255) - 127);
  for (int o = 0; o < OUT; o++) scale[o] = (float)uniform(0.001, 0.01), bias[o] = (float)uniform(-1, 1);
  for (int i = 0; i < ROWS * IN; i++) x[i] = (float)uniform(-3, 5);
  hb_linear layer = {IN, OUT, weights, column, scale, bias};
  hb_finish finish = {HB_STORE, y[0], OUT, NULL};
  k->product_exact(&layer, x, IN, ROWS, &finish);
  k->quantize(x, IN, ROWS, IN, q, s, zero);
  finish.out = y[1];
  k->product(&layer, q, s, zero, ROWS, &finish);
  k->quantize_wide(x, IN, ROWS, IN, q, s, zero);
  finish.out = y[2];
  k->product_wide(&layer, q, s, zero, ROWS, &finish);
  double power = 0, narrow = 0, wide = 0;
  for (int i = 0; i < ROWS * OUT; i++) {
    power += y[0][i] * y[0][i];
    narrow += pow(y[1][i] - y[0][i], 2);
    wide += pow(y[2][i] - y[0][i], 2);
  }
  CHECK(sqrt(narrow / power) < 1e-2, "%s: 8 bits differ by %g", k->name, sqrt(narrow / power));
  CHECK(sqrt(wide / power) < 5e-5, "%s: 16 bits differ by %g", k->name, sqrt(wide / power));
}

static void transform(const hb_kernels *k) {
  static hb_tables tables;
  static float x[600 * 32], y[600 * 32], in[600 * 32], rows[16 * 3040], turned[16 * 3040];
  const double pi = 3.14159265358979323846;
  hb_tables_fill(&tables);
  for (int i = 0; i < 600 * 32; i++) in[i] = x[i] = (float)uniform(-1, 1);
  k->transform(&tables, x, y);
  double worst = 0;
  for (int lane = 0; lane < 16; lane += 5)
    for (int f = 0; f < 600; f += 7) {
      double re = 0, im = 0;
      for (int n = 0; n < 600; n++) {
        double angle = -2 * pi * (f * n % 600) / 600, c = cos(angle), s = sin(angle);
        re += in[n * 32 + lane] * c - in[n * 32 + 16 + lane] * s;
        im += in[n * 32 + lane] * s + in[n * 32 + 16 + lane] * c;
      }
      worst = fmax(worst, fmax(fabs(re - x[f * 32 + lane]), fabs(im - x[f * 32 + 16 + lane])));
    }
  CHECK(worst < 5e-5, "%s: the transform differs by %g of up to 60", k->name, worst);
  for (int i = 0; i < 16 * 3040; i++) rows[i] = (float)i;
  k->transpose(rows, 3040, 11, 3040, turned);
  int wrong = 0;
  for (int r = 0; r < 16; r++)
    for (int c = 0; c < 3040; c++) wrong += turned[c * 16 + r] != (r < 11 ? rows[r * 3040 + c] : 0);
  CHECK(wrong == 0, "%s: %d numbers are in the wrong place", k->name, wrong);
}

/* If only noise remains, the spectrum is Gaussian, white, and independent between frames. */
static void noise(const hb_kernels *k) {
  enum { BATCHES = 100 };
  static hb_tables tables;
  static float parts[HB_HEAD * 16], z[600 * 32], y[600 * 32];
  hb_tables_fill(&tables);
  for (int i = 0; i < HB_PART * 16; i++) parts[i] = parts[3 * HB_PART * 16 + i] = -80;
  double sum = 0, square = 0, fourth = 0, next = 0, lane = 0;
  for (int batch = 0; batch < BATCHES; batch++) {
    uint32_t keys[32];
    for (uint32_t i = 0; i < 32; i++) keys[i] = ((uint32_t)batch * 16 + i % 16) * 2654435761u + i / 16 * 77777u;
    memset(z, 0, sizeof z);
    k->spectrum(&tables, parts, keys, NULL, z);
    k->transform(&tables, z, y); /* per lane, 1200 real samples with variance 2 * 1200 */
    for (int i = 0; i < 600; i++)
      for (int l = 0; l < 16; l++) {
        double v = z[i * 32 + l] / sqrt(2400);
        sum += v, square += v * v, fourth += v * v * v * v;
        next += v * z[i * 32 + 16 + l] / sqrt(2400);
        lane += v * z[i * 32 + (l + 1) % 16] / sqrt(2400);
      }
  }
  double n = BATCHES * 600.0 * 16, e = 4 / sqrt(n);
  CHECK(fabs(sum / n) < e, "%s: mean %g", k->name, sum / n);
  CHECK(fabs(square / n - 1) < 2 * e, "%s: variance %g", k->name, square / n);
  CHECK(fabs(fourth / n - 3) < 10 * e, "%s: kurtosis %g", k->name, fourth / n);
  CHECK(fabs(next / n) < e, "%s: neighbors correlate by %g", k->name, next / n);
  CHECK(fabs(lane / n) < e, "%s: frames correlate by %g", k->name, lane / n);
}

INLINE vf sine(vf x) {
  vf s, c;
  v_sincospi(x, &s, &c);
  return s;
}

INLINE vf cosine(vf x) {
  vf s, c;
  v_sincospi(x, &s, &c);
  return c;
}

/* Checks that the maximum error of FUNCTION(x), relative to NORM, is below LIMIT. */
#define MEASURE(limit, low, high, FUNCTION, EXACT, NORM) \
  do { \
    double worst = 0; \
    for (int i = 0; i < 100000; i++) { \
      vf lanes = v_set((float)uniform(low, high)); \
      double x = lanes[0], exact = EXACT, error = fabs(FUNCTION(lanes)[0] - exact) / (NORM); \
      if (!(error <= worst)) worst = error; \
    } \
    CHECK(worst < (limit), #FUNCTION " from %g to %g: %g", (double)(low), (double)(high), worst); \
  } while (0)

static void functions(void) {
  const double pi = 3.14159265358979323846, root = 0.70710678118654752440;
  MEASURE(3e-7, -60, 60, v_exp, exp(x), exact);
  MEASURE(3e-7, -12, 12, v_tanh, tanh(x), 1);
  MEASURE(3e-7, -100, 100, sine, sin(pi * fmod(x, 2)), 1);
  MEASURE(3e-7, -100, 100, cosine, cos(pi * fmod(x, 2)), 1);
  MEASURE(2e-7, 0, 0.5, v_sinpi_half, sin(pi * x), 1);
  MEASURE(1e-6, 1e-7, 1, v_log, log(x), 1);
  MEASURE(1e-6, 1, 1000, v_log, log(x), 1);
  MEASURE(4e-7, -8, 8, v_gelu, x * 0.5 * (1 + erf(x * root)), fmax(1, fabs(x)));
  MEASURE(3e-4, -20, 20, v_gelu_fast, x * 0.5 * (1 + erf(x * root)), 1);
}

int main(void) {
  static const char *const names[] = {"avx512-vnni", "avx2", "neon-dot", "neon", "plain"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const hb_kernels *k = hb_kernels_named(names[i]);
    if (!k) continue;
    printf("%s\n", names[i]);
    sums(k);
    products(k);
    transform(k);
    noise(k);
  }
  functions();
  return checks_end("hibari_kernels");
}
