#include "vector_convolution.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_parts.h"

/* A vector contains one sum per output channel of a block, and one instruction adds the products of four input channels
   to all sums. AVX-512 VNNI, AVX-VNNI and ARM's dot product extension have such instructions. Without them, the float
   method in `toom_cook.c` is as fast as integers. */

#if defined(__clang__) && defined(__x86_64__)
#define HAS_X86 1
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#define HAS_ARM 1
#include <arm_neon.h>
#include <sys/auxv.h>
#endif

enum {
  /* The number of time steps that are multiplied together. The number of time steps in a piece is a multiple of this. */
  MOMENT_STEP = 12,
  /* The minimum number of time steps in a piece. Each piece quantizes the weights again, which
     costs as much as about thirty time steps. */
  LEAST_MOMENTS = 240,
  MOST_MOMENTS = 480,
  STEPS = 255,
  LARGEST_WEIGHT = 127,
  /* The number of input channels per instruction. */
  FOUR = 4,
};

/* Adding this constant to a number close to 0 rounds the number to an integer in the lowest
   bits. */
static const float ROUNDING = 0x1.8p23f;
enum { ROUNDING_BITS = 0x4b400000 };

/* A range of time steps in a row. The taps also read time steps before and after it. */
struct piece {
  size_t row, start, moments, inputs;
};

/* A piece's working memory. */
struct scratch {
  /* The quantized input, ordered by time step, channel. */
  uint8_t *samples;
  /* The quantized weights of a pair of output blocks. */
  int8_t *weights;
  /* The step size, its inverse, and the zero point of each input channel. */
  float *scales, *factors, *zeros;
};

PART size_t reach(const struct vector_convolution *call) { return (call->taps - 1) * call->dilation; }

/* The number of time steps in a piece, chosen so that every thread gets a piece. */
PART size_t moment_limit(const struct vector_convolution *call) {
  size_t fair = divided_up(divided_up(call->length, 2), MOMENT_STEP) * MOMENT_STEP;
  return fair < LEAST_MOMENTS ? LEAST_MOMENTS : fair < MOST_MOMENTS ? fair : MOST_MOMENTS;
}

#ifdef HAS_X86
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,avx2,fma"))), apply_to = function)
#define BLOCK 16
#define TILES 12
#define NAMED(name) name##_16
#define VECTORS 1
#define WHOLE __m512i
#define READ(from) _mm512_loadu_si512(from)
#define REPEATED(number) _mm512_set1_epi32(number)
#define DOT(sum, samples, weights) _mm512_dpbusd_epi32(sum, samples, weights)
#define LEAST 0
#include "integer_convolution.h"
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avxvnni,avx2,fma"))), apply_to = function)
#define BLOCK 8
#define TILES 6
#define NAMED(name) name##_8
#define VECTORS 1
#define WHOLE __m256i
#define READ(from) _mm256_loadu_si256((const __m256i *)(from))
#define REPEATED(number) _mm256_set1_epi32(number)
#define DOT(sum, samples, weights) _mm256_dpbusd_avx_epi32(sum, samples, weights)
#define LEAST 0
#include "integer_convolution.h"
#pragma clang attribute pop
#elif defined(HAS_ARM)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("arch=armv8.2-a+dotprod")
#endif
#define BLOCK 8
#define TILES 6
#define NAMED(name) name##_8
#define VECTORS 2
#define WHOLE int32x4_t
#define READ(from) vreinterpretq_s32_s8(vld1q_s8((const int8_t *)(from)))
#define REPEATED(number) vdupq_n_s32(number)
#define DOT(sum, samples, weights) vdotq_s32(sum, vreinterpretq_s8_s32(samples), vreinterpretq_s8_s32(weights))
/* The lowest sample value. The instruction requires signed operands. */
#define LEAST -128
#include "integer_convolution.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

#ifdef HAS_X86
/* Some compiler versions have no built-in check for AVX-VNNI. */
static int has_avx_vnni(void) {
  unsigned a, b, c, d;
  return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & (1u << 4));
}
#endif

size_t vector_integer_block(void) {
#if defined(HAS_X86)
  size_t block = vector_convolution_block();
  if (block == 16)
    return __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
        ? 16
        : 0;
  return block == 8 && has_avx_vnni() ? 8 : 0;
#elif defined(HAS_ARM)
  return getauxval(AT_HWCAP) & (1ul << 20) /* ASIMDDP */ ? 8 : 0;
#else
  return 0;
#endif
}

size_t vector_integer_pieces(const struct vector_convolution *call) {
  return call->rows * divided_up(call->length, moment_limit(call));
}

void vector_convolve_integers(const struct vector_convolution *call, size_t number) {
  size_t limit = moment_limit(call), pieces = divided_up(call->length, limit);
  struct piece piece = {.row = number / pieces, .start = number % pieces * limit};
  size_t rest = call->length - piece.start;
  piece.moments = rest < limit ? rest : limit;
  piece.inputs = divided_up(piece.moments, MOMENT_STEP) * MOMENT_STEP + reach(call);
  size_t channels = call->input_blocks * call->block;
  size_t bytes = (piece.inputs + call->taps * 2 * call->block) * channels;
  void *memory = malloc(3 * channels * sizeof(float) + bytes);
  if (!memory) {
    __atomic_store_n(call->is_incomplete, 1, __ATOMIC_RELAXED);
    return;
  }
  float *floats = memory;
  uint8_t *samples = (uint8_t *)(floats + 3 * channels);
  struct scratch scratch = {
    samples, (int8_t *)(samples + piece.inputs * channels), floats, floats + channels, floats + 2 * channels};
#if defined(HAS_X86)
  if (call->block == 16) convolve_16(call, &piece, &scratch);
  else convolve_8(call, &piece, &scratch);
#elif defined(HAS_ARM)
  convolve_8(call, &piece, &scratch);
#endif
  free(memory);
}
