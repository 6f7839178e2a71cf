#include "byte_matrix.h"

/* The function that selects a clone for the processor runs before ThreadSanitizer is initialized, so a program with
   clones would crash under ThreadSanitizer. */
#if defined(__clang__) && defined(__x86_64__)
#if !__has_feature(thread_sanitizer)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#endif
#ifndef FOR_EACH_PROCESSOR
#define FOR_EACH_PROCESSOR
#endif
#define PART static inline __attribute__((always_inline))

enum { LANES = SYNTH_BYTE_MATRIX_LANES };

typedef int8_t bytes __attribute__((vector_size(LANES)));
typedef float floats __attribute__((vector_size(4 * LANES)));

PART void add_part(const int8_t *row, const floats *vector, floats *lanes) {
  bytes part;
  __builtin_memcpy(&part, row, sizeof part);
  *lanes += __builtin_convertvector(part, floats) * *vector;
}

PART float sum(const floats *lanes) {
  /* Add pairwise, which compilers can vectorize. */
  float total[LANES];
  for (int lane = 0; lane < LANES; lane++) total[lane] = (*lanes)[lane];
  for (int half = LANES / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; lane++) total[lane] += total[lane + half];
  return total[0];
}

FOR_EACH_PROCESSOR
void synth_byte_matrix_add_product(const int8_t *numbers, const float *scales, size_t rows, size_t columns, const float *vector,
                                   float *sums) {
  size_t row = 0;
  /* Processes four rows at a time so that each part of the vector is loaded only once and the sums are independent. */
  for (; row + 4 <= rows; row += 4) {
    const int8_t *start = numbers + row * columns;
    floats one = {0}, two = {0}, three = {0}, four = {0};
    for (size_t column = 0; column < columns; column += LANES) {
      floats part;
      __builtin_memcpy(&part, vector + column, sizeof part);
      add_part(start + column, &part, &one);
      add_part(start + columns + column, &part, &two);
      add_part(start + 2 * columns + column, &part, &three);
      add_part(start + 3 * columns + column, &part, &four);
    }
    sums[row] += scales[row] * sum(&one);
    sums[row + 1] += scales[row + 1] * sum(&two);
    sums[row + 2] += scales[row + 2] * sum(&three);
    sums[row + 3] += scales[row + 3] * sum(&four);
  }
  for (; row < rows; row++) {
    floats one = {0};
    for (size_t column = 0; column < columns; column += LANES) {
      floats part;
      __builtin_memcpy(&part, vector + column, sizeof part);
      add_part(numbers + row * columns + column, &part, &one);
    }
    sums[row] += scales[row] * sum(&one);
  }
}
