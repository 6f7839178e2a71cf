/* kernels_begin.h: includes that must precede a file's target attribute. */
#include <math.h>
#include <string.h>
#include "kernels.h"
#pragma GCC diagnostic ignored "-Wpsabi" /* Vectors are passed only to inlined functions. */
