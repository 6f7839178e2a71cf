/*
 * kernels.h: the inner loops, as one function table per instruction set. All matrices are row-major; `ld` is the row
 * stride in elements. Parameters named `width`, `n` or `k` are multiples of 16 unless a comment states otherwise. The
 * results for a row never depend on other rows in the same call.
 */
#ifndef HB_KERNELS_H
#define HB_KERNELS_H

#include <stdint.h>

enum { HB_LANES = 16 };

/* A dense layer with 8-bit weights: y[n] = scale[n] * sum_k x[k] w[k][n] + bias[n]. */
typedef struct {
  int k, n;                  /* k inputs; n outputs, a multiple of 16 */
  const int8_t *w;           /* packed: [n / 16][k / 4][16][4] */
  const int32_t *column_sum; /* [n], sum of each output's weights */
  const float *scale, *bias; /* [n] */
} hb_linear;

typedef enum { HB_STORE, HB_GELU, HB_RESIDUAL } hb_finish_kind;

/* How a dense layer writes its outputs: store, GELU, or out += gamma * y (NULL means a gamma of 1). */
typedef struct {
  hb_finish_kind kind;
  float *out;
  int ld;
  const float *gamma;
} hb_finish;

/* Tables for the spectral computations; see tables.c. */
typedef struct {
  float analysis[1200];    /* Hann / 300 */
  float synthesis[1200];   /* Hann / (1200 * 1.5) */
  float edge[3][300];      /* Correction of the first, second-to-last and last hop. */
  float twiddle[2 * 1200]; /* Twiddle factors of the 600-point transform's stages, in order of use. */
  float split[2 * 301];    /* cos, sin of 2 pi k / 1200 */
} hb_tables;

/* Buffer layout for the spectral computations. Each lane is a frame or a hop. */
enum {
  HB_PART = 608, /* floats of one of the five parts of a head row */
  HB_HEAD = 5 * HB_PART,
  HB_POINTS = 600, /* complex points of the packed real transform */
  HB_COLUMNS = 48  /* columns of the excitation and overlap buffers, [300][HB_COLUMNS] */
};

typedef struct {
  const char *name;
  int (*available)(void);

  /* Layer normalization with epsilon 1e-5. */
  void (*normalize)(
      const float *x, int ldx, int rows, int width, const float *weight, const float *bias, float *out, int ldo);

  /* q = round(x / scale) + zero in 0 .. 255, with one scale and zero per row; q has rows of `width` bytes. */
  void (*quantize)(const float *x, int ldx, int rows, int width, uint8_t *q, float *scale, int32_t *zero);

  /* Dense layer with quantized rows. */
  void (*product)(const hb_linear *layer, const uint8_t *q, const float *scale, const int32_t *zero, int rows,
      const hb_finish *finish);

  /*
   * Like quantize and product, but with 16-bit activations: q = 256 high + low, with zero in multiples of 256; q has two
   * rows per row of x, first the high bytes and then the low bytes. Compared with 8-bit activations, this takes twice
   * the work but has 1/256 of the error.
   */
  void (*quantize_wide)(const float *x, int ldx, int rows, int width, uint8_t *q, float *scale, int32_t *zero);
  void (*product_wide)(const hb_linear *layer, const uint8_t *q, const float *scale, const int32_t *zero, int rows,
      const hb_finish *finish);

  /* Computes only the integer sums, out[rows][n]; used only by tests. */
  void (*sums)(const hb_linear *layer, const uint8_t *q, int rows, int32_t *out);

  /* Dense layer with float rows. */
  void (*product_exact)(const hb_linear *layer, const float *x, int ldx, int rows, const hb_finish *finish);

  /* c[m][n] = a[m][k] b[k][n]; k need not be a multiple of 16. */
  void (*matmul)(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int m, int n, int k);

  /* Depthwise convolution: out row r = bias + sum_t weight[t] * x row (r + t * dilation). weight is [taps][width]. */
  void (*depthwise)(
      const float *x, int rows, int width, int taps, int dilation, const float *weight, const float *bias, float *out);

  /*
   * One output row of the decoder's first convolution: out = bias + sum over t of taps[t] + e[2t] a[t] + e[2t + 1] b[t],
   * where the weights are [2][7][width] (a, then b). A NULL tap is outside the sentence and is skipped.
   */
  void (*first_row)(
      const float *const *taps, const float *e, const float *weight, const float *bias, int width, float *out);

  /* Per row: x = gelu(x + bias). */
  void (*bias_gelu)(float *x, int ld, int rows, int width, const float *bias);

  /* Per row: x[0 .. n) = softmax(scale * x[0 .. n)); n need not be a multiple of 16, but x must have space up to the next
   * multiple. */
  void (*softmax)(float *x, int ld, int rows, int n, float scale);

  /*
   * Pulse train of 16 hops: out[300][HB_COLUMNS], lane = hop. f[3][16] is f0 in Hz of the frames before, at and after each
   * hop; phase[16] is the phase at the start of each hop in units of 2^-64 cycles. advance[16] receives the phase advance of
   * each hop. If `out` is NULL, only the phase advances are computed.
   */
  void (*pulses)(const float *f, const uint64_t *phase, uint64_t *advance, float *out);

  /* Forward transform of 600 complex points in 16 lanes: x, y are [600][2][16]; the result is in x. */
  void (*transform)(const hb_tables *tables, float *x, float *y);

  /* Windows the pulse train for 16 frames into packed points: z[600][2][16]. Frame l starts in column l. */
  void (*window)(const hb_tables *tables, const float *excitation, float *z);

  /*
   * Converts the transformed pulse train z to the input of the inverse transform, in place. parts is [5][HB_PART][16].
   * keys[2][16] are the noise keys of the frames; noise, if not NULL, is [601][2][16] and replaces the generator.
   */
  void (*spectrum)(const hb_tables *tables, const float *parts, const uint32_t *keys, const float *noise, float *z);

  /* Adds the windowed frames to sums[300][HB_COLUMNS]; lanes >= `frames` are ignored. Frame l starts in column l. */
  void (*overlap)(const hb_tables *tables, const float *z, int frames, float *sums);

  /* out[n][16] = x[16][n] transposed; input rows >= `rows` are treated as zero. */
  void (*transpose)(const float *x, int ldx, int rows, int n, float *out);
} hb_kernels;

extern const hb_kernels hb_kernels_plain;
#if defined(__x86_64__)
extern const hb_kernels hb_kernels_avx512, hb_kernels_avx2;
#elif defined(__aarch64__)
extern const hb_kernels hb_kernels_neon, hb_kernels_neon_dot;
#endif

/* hb_kernels_best returns the fastest kernels for this processor; hb_kernels_named returns the
 * kernels with this name, or NULL. */
const hb_kernels *hb_kernels_best(void);
const hb_kernels *hb_kernels_named(const char *name);

#endif
