#include "vector_narrow_product.h"

#include "kernel_parts.h"

enum {
  /* The number of rows whose sums fit into the registers of AVX-512. Narrower vectors keep some of them in memory. */
  ROWS = 8,
  /* The number of parallel sums, which is a multiple of every vector width. */
  LANES = 16,
  /* The number of columns in a block if the matrix is not transposed. Neighboring columns share cache lines. */
  BLOCK = 2 * LANES,
};

typedef float lanes_t __attribute__((vector_size(LANES * sizeof(float))));
/* The same numbers at any address. */
typedef float loose_lanes_t __attribute__((vector_size(LANES * sizeof(float)), aligned(sizeof(float)), may_alias));
#define LANES_AT(place) (*(const loose_lanes_t *)(place))

/* Multiplies `count` rows by one column, whose numbers are adjacent. The caller passes a constant as `count`. */
PART void column_products(
    const float *rows, int count, size_t depth, const float *column, float *output, size_t columns) {
  lanes_t sums[ROWS] = {{0}};
  size_t place = 0;
  for (; depth - place >= LANES; place += LANES)
    UNROLL for (int row = 0; row < count; row++)
      sums[row] += LANES_AT(rows + row * depth + place) * LANES_AT(column + place);
  UNROLL for (int row = 0; row < count; row++) {
    float sum = 0;
    for (int lane = 0; lane < LANES; lane++) sum += sums[row][lane];
    for (size_t rest = place; rest < depth; rest++) sum += rows[row * depth + rest] * column[rest];
    output[row * columns] = sum;
  }
}

/* Multiplies `count` rows by `width` adjacent columns. The caller passes a constant as `count`. */
PART void block_products(
    const float *rows, int count, size_t depth, const float *matrix, size_t width, float *output, size_t columns) {
  if (width == BLOCK) {
    lanes_t sums[ROWS][2] = {{{0}}};
    for (size_t place = 0; place < depth; place++) {
      const float *numbers = matrix + place * columns;
      UNROLL for (int row = 0; row < count; row++) {
        sums[row][0] += rows[row * depth + place] * LANES_AT(numbers);
        sums[row][1] += rows[row * depth + place] * LANES_AT(numbers + LANES);
      }
    }
    UNROLL for (int row = 0; row < count; row++) {
      *(loose_lanes_t *)(output + row * columns) = sums[row][0];
      *(loose_lanes_t *)(output + row * columns + LANES) = sums[row][1];
    }
    return;
  }
  for (int row = 0; row < count; row++)
    for (size_t lane = 0; lane < width; lane++) {
      float sum = 0;
      for (size_t place = 0; place < depth; place++) sum += rows[row * depth + place] * matrix[place * columns + lane];
      output[row * columns + lane] = sum;
    }
}

PART void products(
    const float *rows, int count, size_t depth, const float *matrix, size_t columns, int is_transposed, size_t first,
    size_t last, float *output) {
  if (is_transposed) {
    for (size_t column = first; column < last; column++)
      column_products(rows, count, depth, matrix + column * depth, output + column, columns);
    return;
  }
  for (size_t column = first; column < last; column += BLOCK) {
    size_t width = last - column < BLOCK ? last - column : BLOCK;
    block_products(rows, count, depth, matrix + column, width, output + column, columns);
  }
}

/* The function is static; otherwise, the resolver that selects a clone would be exported regardless of the clones'
   visibility. */
FOR_EACH_PROCESSOR
static void narrow_product(
    const float *restrict rows, size_t row_count, size_t depth, const float *restrict matrix, size_t columns,
    int is_transposed, size_t first, size_t last, float *restrict output) {
#define PRODUCTS(count) products(rows, count, depth, matrix, columns, is_transposed, first, last, output)
  while (row_count > 0) {
    /* Each count has its own copy of the code. A search with five beams has up to five rows, and a prompt has many. */
    size_t count = row_count >= ROWS ? ROWS : row_count >= 5 ? 5 : row_count >= 3 ? 3 : 1;
    switch (count) {
      case 1: PRODUCTS(1); break;
      case 3: PRODUCTS(3); break;
      case 5: PRODUCTS(5); break;
      default: PRODUCTS(ROWS); break;
    }
    rows += count * depth;
    output += count * columns;
    row_count -= count;
  }
#undef PRODUCTS
}

void vector_narrow_product(
    const float *restrict rows, size_t row_count, size_t depth, const float *restrict matrix, size_t columns,
    int is_transposed, size_t first, size_t last, float *restrict output) {
  narrow_product(rows, row_count, depth, matrix, columns, is_transposed, first, last, output);
}
