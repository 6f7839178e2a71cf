/* What the convolutions have in common. */
#pragma once

#include <stddef.h>

/* So that it is built for the processor of its caller. */
#define PART static inline __attribute__((always_inline))
/* Other compilers build them, too, so that they can be tried with them. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

PART size_t divided_up(size_t number, size_t by) { return (number + by - 1) / by; }
