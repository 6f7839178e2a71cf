/* kernels_neon_dot.c: kernels for ARM processors with the dot product instructions (Cortex-A75, Raspberry Pi 5 and later). */
#if defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>
#include "kernels_begin.h"

static int available(void) { return (getauxval(AT_HWCAP) & (1ul << 20)) != 0; } /* HWCAP_ASIMDDP */

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("arch=armv8.2-a+dotprod")
#endif
#define HB_ISA 64
#define HB_DOT
#define HB_NAME(x) x##_neon_dot
#define HB_TITLE "neon-dot"
#define HB_AVAILABLE available
#include "kernels_all.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#else
typedef int hb_no_neon_dot;
#endif
