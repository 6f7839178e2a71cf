/* kernels_neon.c: kernels for every 64-bit ARM processor. */
#if defined(__aarch64__)
#include <arm_neon.h>
#include "kernels_begin.h"

static int available(void) { return 1; }

#define HB_ISA 64
#define HB_NAME(x) x##_neon
#define HB_TITLE "neon"
#define HB_AVAILABLE available
#include "kernels_all.h"
#else
typedef int hb_no_neon;
#endif
