/* Convolutions over time. The samples are in blocks of channels, ordered by block, row, time step, channel in the
   block. The channels of a block fill one vector register. */
#pragma once

#include <stddef.h>

enum {
  /* Products per tile and tap group. */
  VECTOR_CONVOLUTION_PRODUCTS = 7,
};

/* The arguments of a convolution. Only `padding` and the slopes may be 0. */
struct vector_convolution {
  /* Channels per block, as returned by `vector_convolution_block`. */
  size_t block;
  size_t input_blocks, output_blocks;
  /* The number of rows, which are independent of each other, and their length in samples. */
  size_t rows, length;
  /* The number of output samples per tile: 5 for up to three taps, 3 for five taps, 4 for groups of four taps. `parts`
     is the number of tap groups. */
  size_t samples, parts;
  size_t dilation;
  /* The number of zeros before the first sample. Samples after the end are also 0. */
  size_t padding;
  /* The number of output samples per input sample. The output blocks are ordered by block of
     channels, then by phase. */
  size_t phases;
  /* Factors for negative numbers before and after the convolution, at most 1; 1 has no effect. */
  float input_slope, output_slope;
  const float *input;
  /* The weights, ordered by product, pair of output blocks, tap group, input channel, channel in the pair. The last
     pair may consist of a single block. */
  const float *weights;
  const float *bias;
  /* A tensor that is added to the output before the slope is applied to the output; may be NULL. */
  const float *summand;
  float *output;
  /* Set to 1 if a piece could not allocate memory. */
  int *is_incomplete;
  /* The number of taps, which is used only by `vector_convolve_integers`. That function does not use `samples` and
     `parts`, and its weights are ordered by pair of output blocks, tap, group of four input channels, block in the
     pair, output channel, channel in the group. The last pair may consist of a single block. */
  size_t taps;
};

/* Hide these functions so that plugins do not export them. */
#pragma GCC visibility push(hidden)

/* Channels per block on this processor; 0 if its vectors are not supported. */
size_t vector_convolution_block(void);

/* The number of pieces in a convolution. Pieces may be computed in any order and on several threads. */
size_t vector_convolution_pieces(const struct vector_convolution *call);

void vector_convolve(const struct vector_convolution *call, size_t piece);

/* Computes a piece with 8-bit integers, whose products are summed in 32 bits. Each piece quantizes its input to 255
   steps between each channel's minimum and maximum. It then folds the step sizes into the weights and quantizes the
   weights per output channel, to 127 steps on either side of 0. */

/* Returns `vector_convolution_block` if this processor has instructions for integer products;
   otherwise 0. */
size_t vector_integer_block(void);

size_t vector_integer_pieces(const struct vector_convolution *call);

void vector_convolve_integers(const struct vector_convolution *call, size_t piece);

#pragma GCC visibility pop
