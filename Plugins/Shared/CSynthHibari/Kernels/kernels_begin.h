/* kernels_begin.h: includes that must precede the target attribute of a file. */
#include <math.h>
#include <string.h>
#include "kernels.h"
#pragma GCC diagnostic ignored "-Wpsabi" /* Vectors are only passed to inlined functions. */
