/* kernels_plain.c: kernels for any processor, and kernel selection. */
#include "kernels_begin.h"

static int available(void) { return 1; }

#define HB_ISA 0
#define HB_NAME(x) x##_plain
#define HB_TITLE "plain"
#define HB_AVAILABLE available
#include "kernels_all.h"

static const hb_kernels *const all[] = {
#if defined(__x86_64__)
    &hb_kernels_avx512,
    &hb_kernels_avx2,
#elif defined(__aarch64__)
    &hb_kernels_neon_dot,
    &hb_kernels_neon,
#endif
    &hb_kernels_plain,
};

const hb_kernels *hb_kernels_best(void) {
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i]->available()) return all[i];
  return &hb_kernels_plain;
}

const hb_kernels *hb_kernels_named(const char *name) {
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!strcmp(all[i]->name, name)) return all[i]->available() ? all[i] : NULL;
  return NULL;
}
