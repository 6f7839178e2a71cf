/* Definitions shared by the convolutions. */
#pragma once

#include <stddef.h>

/* An inlined function is compiled for the instruction set of its caller. */
#define PART static inline __attribute__((always_inline))
/* With compilers other than clang, the kernels are built only for tests. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

PART size_t divided_up(size_t number, size_t by) { return (number + by - 1) / by; }
