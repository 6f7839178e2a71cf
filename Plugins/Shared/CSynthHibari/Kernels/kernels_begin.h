/*
 * kernels_begin.h: includes that must precede the target attribute, and the attribute itself (HB_TARGET). A file that
 * needs no attribute leaves HB_TARGET undefined.
 */
#include <math.h>
#include <string.h>
#include "kernels.h"
#pragma GCC diagnostic ignored "-Wpsabi" /* Vectors are only passed to inlined functions. */
