/* Convolutions over time of samples in blocks of channels: block of channels, row, moment, channel of the block. Such a block
   is a vector of the processor. */
#pragma once

#include <stddef.h>

enum {
  /* Multiplications for the samples of one tile, with each part of the taps. */
  VECTOR_CONVOLUTION_PRODUCTS = 7,
};

/* Only the padding and the slopes may be 0. */
struct vector_convolution {
  /* Channels of a block, as `vector_convolution_block` says. */
  size_t block;
  size_t input_blocks, output_blocks;
  /* Rows do not touch each other. */
  size_t rows, length;
  /* Output samples that are computed together: 5 with at most three taps, 3 with five, 4 with parts of four taps each. */
  size_t samples, parts;
  size_t dilation;
  /* Samples before the first one that are read; they and those after the end are 0. */
  size_t padding;
  /* The output has so many samples for each one: output blocks are block of channels, phase. */
  size_t phases;
  /* What a number below 0 is multiplied by, before and after; 1 leaves it. At most 1. */
  float input_slope, output_slope;
  const float *input;
  /* Product, pair of output blocks, part, input channel, channel of the pair. The last pair may be one block. */
  const float *weights;
  const float *bias;
  /* Added to the output, before its slope is applied; may be NULL. */
  const float *summand;
  float *output;
  /* Set to 1 if there was no memory for a piece. */
  int *is_incomplete;
  /* For `vector_convolve_integers`, in place of samples and parts. Its weights: pair of output blocks, tap, four input channels,
     block of the pair, output channel, channel of the four. The last pair may be one block. */
  size_t taps;
};

/* Hidden, so that a plugin does not export them. */
#pragma GCC visibility push(hidden)

/* Channels of a block on this processor; 0 if it has no vectors for which these functions are made. */
size_t vector_convolution_block(void);

/* Into how many pieces a convolution is cut. They may be computed in any order, by several threads. */
size_t vector_convolution_pieces(const struct vector_convolution *call);

void vector_convolve(const struct vector_convolution *call, size_t piece);

/* The same with whole numbers of eight bits, which are multiplied and summed in 32. Each piece rounds its input to 255 steps
   between the least and the largest number of each channel, and then the weights, which the steps are folded into, to 127 on
   both sides of 0 for each output channel. */

/* Channels of a block if this processor has instructions for it, which are the same as above; else 0. */
size_t vector_integer_block(void);

size_t vector_integer_pieces(const struct vector_convolution *call);

void vector_convolve_integers(const struct vector_convolution *call, size_t piece);

#pragma GCC visibility pop
