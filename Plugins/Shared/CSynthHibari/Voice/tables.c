/* tables.c: windows and twiddles of the spectral part. */
#include <math.h>
#include "model.h"

static const double pi = 3.14159265358979323846;

void hb_tables_fill(hb_tables *t) {
  double window[1200], square[1200];
  for (int i = 0; i < 1200; i++) {
    window[i] = 0.5 - 0.5 * cos(2 * pi * i / 1200);
    square[i] = window[i] * window[i];
    t->analysis[i] = (float)(window[i] / 300);
    t->synthesis[i] = (float)(window[i] / (1200 * 1.5));
  }
  /* The squares of the four windows over a sample add up to 1.5; near the ends, fewer windows overlap. */
  for (int j = 0; j < 300; j++) {
    t->edge[0][j] = (float)(1.5 / (square[j] + square[300 + j] + square[600 + j]));
    t->edge[1][j] = (float)(1.5 / (square[300 + j] + square[600 + j] + square[900 + j]));
    t->edge[2][j] = (float)(1.5 / fmax(square[600 + j] + square[900 + j], 1e-11));
  }
  static const int radix[3] = {5, 5, 4};
  float *w = t->twiddle;
  for (int s = 0, n = 600; s < 3; n /= radix[s], s++)
    for (int p = 0; p < n / radix[s]; p++)
      for (int j = 1; j < radix[s]; j++) {
        *w++ = (float)cos(2 * pi * p * j / n);
        *w++ = (float)-sin(2 * pi * p * j / n);
      }
  for (int k = 0; k <= 300; k++) {
    t->split[2 * k] = (float)cos(2 * pi * k / 1200);
    t->split[2 * k + 1] = (float)sin(2 * pi * k / 1200);
  }
}
