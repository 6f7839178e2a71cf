/* Compares vector_narrow_product with a product in double precision. */
#include "vector_narrow_product.h"

#include <math.h>

#include "check.h"

static void try_product(size_t rows, size_t depth, size_t columns, int is_transposed, enum edge edge) {
  struct placed input = place_random(rows * depth, edge, 1, 0), matrix = place_random(depth * columns, edge, 1, 0);
  struct placed output = place(rows * columns, edge);
  /* Two parts, as on two threads. */
  size_t middle = columns / 3;
  for (int part = 0; part < 2; part++)
    vector_narrow_product(
        input.numbers, rows, depth, matrix.numbers, columns, is_transposed, part ? middle : 0, part ? columns : middle,
        output.numbers);
  double worst = 0;
  for (size_t row = 0; row < rows; row++)
    for (size_t column = 0; column < columns; column++) {
      double sum = 0;
      for (size_t i = 0; i < depth; i++) {
        size_t at = is_transposed ? column * depth + i : i * columns + column;
        sum += (double)input.numbers[row * depth + i] * matrix.numbers[at];
      }
      double difference = fabs(output.numbers[row * columns + column] - sum);
      if (!(difference <= worst)) worst = difference;
    }
  CHECK(
      worst <= 1e-6 * (double)(depth + 8), "%g with %zu rows of %zu by %zu columns, transposed %d", worst, rows, depth,
      columns, is_transposed);
  release(input);
  release(matrix);
  release(output);
}

int main(void) {
  static const size_t sizes[][2] = {{1, 1}, {7, 40}, {16, 32}, {37, 101}, {48, 33}, {64, 96}, {130, 31}};
  for (size_t rows = 1; rows <= 17; rows++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
      for (int form = 0; form < 4; form++)
        try_product(rows, sizes[i][0], sizes[i][1], form & 1, (enum edge)(form >> 1));
  return checks_end("narrow_product");
}
