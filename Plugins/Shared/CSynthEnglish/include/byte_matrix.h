#pragma once

#include <stddef.h>
#include <stdint.h>

/* The number of parallel sums. The length of a row must be a multiple of this number. */
enum { SYNTH_BYTE_MATRIX_LANES = 16 };

/* Adds the product of a matrix and a vector to `sums`, which has one element per row. `numbers` contains rows of `columns`
 * signed bytes; `scales` contains one scale per row. */
void synth_byte_matrix_add_product(const int8_t *numbers, const float *scales, size_t rows, size_t columns, const float *vector,
                                   float *sums);
