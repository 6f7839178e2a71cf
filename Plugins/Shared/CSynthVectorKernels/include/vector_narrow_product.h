/* A matrix product for a small number of rows, compiled for several generations of x86 processors. The loader selects
   the fastest version that the processor supports. */
#pragma once

#include <stddef.h>

/* Hide this function so that plugins do not export it. */
#pragma GCC visibility push(hidden)

/* Multiplies `row_count` rows of `depth` numbers by a matrix with `columns` columns, and writes the columns from `first` to
   before `last` of each row of the output. The matrix is read once per eight rows and never copied, unlike in libraries
   that first arrange a copy for products of many rows.

   If `is_transposed` is 0, the matrix has `depth` rows; otherwise it has `columns` rows. The output must not overlap the
   inputs. */
void vector_narrow_product(
    const float *restrict rows, size_t row_count, size_t depth, const float *restrict matrix, size_t columns,
    int is_transposed, size_t first, size_t last, float *restrict output);

#pragma GCC visibility pop
