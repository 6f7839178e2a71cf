/* kernels_avx512.c: kernels for AVX-512 with VNNI (Ice Lake, Zen 4 and later). */
#if defined(__x86_64__)
#include <immintrin.h>
#include "kernels_begin.h"

static int available(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("fma");
}

#if defined(__clang__)
#pragma clang attribute push(                                                                                          \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma")
#endif
#define HB_ISA 512
#define HB_NAME(x) x##_avx512
#define HB_TITLE "avx512-vnni"
#define HB_AVAILABLE available
#include "kernels_all.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#else
typedef int hb_no_avx512;
#endif
