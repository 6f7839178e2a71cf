/* Convolutions over time on samples in blocks of channels: block of channels, row, time step, channel of the block. Such a
   block is a vector of the processor. */
#pragma once

#include <stddef.h>

enum {
  /* Multiplications for the samples of one tile with each part of the taps. */
  VECTOR_CONVOLUTION_PRODUCTS = 7,
};

/* The arguments of a convolution. Only the padding and the slopes may be 0. */
struct vector_convolution {
  /* Channels per block, as returned by `vector_convolution_block`. */
  size_t block;
  size_t input_blocks, output_blocks;
  /* The rows are independent of each other. */
  size_t rows, length;
  /* Output samples that are computed together: 5 with up to three taps, 3 with five, 4 with parts of four taps each. */
  size_t samples, parts;
  size_t dilation;
  /* Samples before the first one that are read; they and the samples after the end are 0. */
  size_t padding;
  /* Output samples per input sample: output blocks are block of channels, phase. */
  size_t phases;
  /* The factors for numbers below 0 before and after the convolution, at most 1; 1 leaves them unchanged. */
  float input_slope, output_slope;
  const float *input;
  /* The weights in the order product, pair of output blocks, part, input channel, channel of the pair. The last pair may be a
     single block. */
  const float *weights;
  const float *bias;
  /* Added to the output, before its slope is applied; may be NULL. */
  const float *summand;
  float *output;
  /* Set to 1 if a piece could not allocate memory. */
  int *is_incomplete;
  /* The number of taps for `vector_convolve_integers`, instead of samples and parts. Its weights are in the order pair of
     output blocks, tap, four input channels, block of the pair, output channel, channel of the four. The last pair may be a
     single block. */
  size_t taps;
};

/* Hidden, so that a plugin does not export them. */
#pragma GCC visibility push(hidden)

/* Channels per block on this processor; 0 if it has no supported vectors. */
size_t vector_convolution_block(void);

/* The number of pieces of a convolution. They may be computed in any order and by several threads. */
size_t vector_convolution_pieces(const struct vector_convolution *call);

void vector_convolve(const struct vector_convolution *call, size_t piece);

/* The same with 8-bit integers, which are multiplied and summed in 32 bits. Each piece rounds its input to 255 steps between
   the smallest and the largest number of each channel. Then it folds the step sizes into the weights and rounds these to 127
   on either side of 0 for each output channel. */

/* Channels per block if this processor has instructions for it, the same number as above; otherwise 0. */
size_t vector_integer_block(void);

size_t vector_integer_pieces(const struct vector_convolution *call);

void vector_convolve_integers(const struct vector_convolution *call, size_t piece);

#pragma GCC visibility pop
