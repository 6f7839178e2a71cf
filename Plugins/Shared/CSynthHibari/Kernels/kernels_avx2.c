/* kernels_avx2.c: kernels for AVX2 with FMA (Haswell, Zen and later). */
#if defined(__x86_64__)
#include <immintrin.h>
#include "kernels_begin.h"

static int available(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
#define HB_ISA 2
#define HB_NAME(x) x##_avx2
#define HB_TITLE "avx2"
#define HB_AVAILABLE available
#include "kernels_all.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#else
typedef int hb_no_avx2;
#endif
