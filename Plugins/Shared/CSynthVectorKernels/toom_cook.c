#include "vector_convolution.h"

#include <stdlib.h>
#include <string.h>

#include "kernel_parts.h"

/* The transposed Toom-Cook method: samples are combined with the polynomials that are 0 at all points except one, and
   multiplied by the weights; each result is a sum of these products, weighted by powers of their points. The points are
   0, 1, -1, 1/2, -1/2, 2 and infinity. The method replaces multiplications with additions. For each point, the products
   of all channels form one matrix product. */

/* Compilers other than clang build the kernels for a single block size. */
#if defined(__clang__) && defined(__x86_64__)
#define HAS_BOTH_BLOCKS 1
#endif

enum {
  PRODUCTS = VECTOR_CONVOLUTION_PRODUCTS,
  MOST_SAMPLES = 5,
  /* The number of tiles that are multiplied together. The number of tiles in a piece is a multiple of this. */
  TILE_STEP = 12,
  /* The approximate number of floats for a piece's tiles, chosen to fit in the processor's cache. */
  SCRATCH = 192 * 1024 / sizeof(float),
  /* The approximate number of pieces per row, chosen so that every thread gets a piece. */
  PIECES = 8,
};

/* A range of tiles in a row. A tile consists of output samples that are computed together; they are `dilation` samples
   apart. */
struct piece {
  size_t row, start, tiles, padded_tiles;
  /* The number of tiles to read, including the tiles after the piece that later tap groups read. */
  size_t input_tiles, padded_input_tiles;
};

/* The tiles of a group are interleaved, so their samples have no gaps. The next group starts after the last of these
   samples. */
PART size_t first_sample(const struct vector_convolution *call, size_t tile) {
  return tile / call->dilation * call->dilation * call->samples + tile % call->dilation;
}

PART size_t tiles_of_row(const struct vector_convolution *call) {
  return divided_up(divided_up(call->length, call->dilation), call->samples) * call->dilation;
}

/* The maximum number of tiles in a piece. */
PART size_t tile_limit(const struct vector_convolution *call) {
  size_t each = PRODUCTS * (call->input_blocks + call->output_blocks) * call->block;
  size_t most = SCRATCH / each / TILE_STEP * TILE_STEP;
  size_t fair = divided_up(divided_up(tiles_of_row(call), PIECES), TILE_STEP) * TILE_STEP;
  size_t limit = most < fair ? most : fair;
  return limit < TILE_STEP ? TILE_STEP : limit;
}

#ifdef HAS_BOTH_BLOCKS
#pragma clang attribute push(__attribute__((target("avx512f,avx2,fma"))), apply_to = function)
#define BLOCK 16
#define TILES 12
#define NAMED(name) name##_16
#include "toom_cook.h"
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define BLOCK 8
#define TILES 6
#define NAMED(name) name##_8
#include "toom_cook.h"
#pragma clang attribute pop
#else
#define BLOCK 8
#define TILES 6
#define NAMED(name) name##_8
#include "toom_cook.h"
#endif

size_t vector_convolution_block(void) {
#ifdef HAS_BOTH_BLOCKS
  if (__builtin_cpu_supports("avx512f")) return 16;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 8 : 0;
#else
  return 8;
#endif
}

size_t vector_convolution_pieces(const struct vector_convolution *call) {
  return call->rows * divided_up(tiles_of_row(call), tile_limit(call));
}

void vector_convolve(const struct vector_convolution *call, size_t number) {
  size_t tiles = tiles_of_row(call), limit = tile_limit(call);
  size_t pieces = divided_up(tiles, limit);
  struct piece piece = {.row = number / pieces, .start = number % pieces * limit};
  size_t rest = tiles - piece.start;
  size_t later = (call->parts - 1) * call->dilation;
  piece.tiles = rest < limit ? rest : limit;
  piece.padded_tiles = divided_up(piece.tiles, TILE_STEP) * TILE_STEP;
  piece.input_tiles = piece.tiles + later;
  piece.padded_input_tiles = piece.padded_tiles + later;
  size_t inputs = call->input_blocks * call->block, outputs = call->output_blocks * call->block;
  size_t count = PRODUCTS * (piece.padded_input_tiles * inputs + piece.padded_tiles * outputs);
  float *scratch = malloc(count * sizeof(float));
  if (!scratch) {
    __atomic_store_n(call->is_incomplete, 1, __ATOMIC_RELAXED);
    return;
  }
  /* Padding tiles are also multiplied, so their memory must be initialized. */
  for (size_t product = 0; product < PRODUCTS; product++)
    memset(
        scratch + (product * piece.padded_input_tiles + piece.input_tiles) * inputs, 0,
        (piece.padded_input_tiles - piece.input_tiles) * inputs * sizeof(float));
#ifdef HAS_BOTH_BLOCKS
  if (call->block == 16) convolve_16(call, &piece, scratch);
  else
#endif
    convolve_8(call, &piece, scratch);
  free(scratch);
}
