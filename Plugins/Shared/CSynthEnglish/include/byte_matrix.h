#pragma once

#include <stddef.h>
#include <stdint.h>

/* Numbers that are summed side by side: a row has a multiple of them. */
enum { SYNTH_BYTE_MATRIX_LANES = 16 };

/* Adds the product of a matrix and a vector to `sums`, which has one number for each row.
 * `numbers` has rows of `columns` signed bytes; `scales` has the factor of each row. */
void synth_byte_matrix_add_product(const int8_t *numbers, const float *scales, size_t rows, size_t columns, const float *vector,
                                   float *sums);
