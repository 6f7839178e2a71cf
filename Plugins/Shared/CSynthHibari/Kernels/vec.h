/*
 * vec.h: 16 lanes of float or int32, as GCC and clang vector types, and operations that have no operator. Each kernel
 * file sets HB_ISA before including this file. If the registers are shorter than the vectors, the compiler splits the
 * vectors.
 */
#define VW 16
typedef float vf __attribute__((vector_size(64)));
typedef int32_t vi __attribute__((vector_size(64)));
typedef uint32_t vu __attribute__((vector_size(64)));
typedef float vf_any __attribute__((vector_size(64), aligned(4)));
typedef int32_t vi_any __attribute__((vector_size(64), aligned(4)));
#define INLINE static inline __attribute__((always_inline))

INLINE vf v_set(float x) { return (vf){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x}; }
INLINE vi v_seti(int32_t x) { return (vi){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x}; }
INLINE vf v_load(const float *p) { return *(const vf_any *)p; }
INLINE void v_store(float *p, vf x) { *(vf_any *)p = x; }
INLINE vi v_loadi(const int32_t *p) { return *(const vi_any *)p; }
INLINE void v_storei(int32_t *p, vi x) { *(vi_any *)p = x; }
INLINE vf v_fma(vf a, vf b, vf c) { return a * b + c; }
INLINE vi v_select_i(vi mask, vi a, vi b) { return (mask & a) | (~mask & b); }
INLINE vf v_select(vi mask, vf a, vf b) { return (vf)v_select_i(mask, (vi)a, (vi)b); }
INLINE vf v_to_float(vi x) { return __builtin_convertvector(x, vf); }

/* The nearest integer, ties to even, for |x| < 2^22, as a float and as an integer. */
INLINE vf v_round(vf x) {
  vf m = v_set(12582912.0f);
  return (x + m) - m;
}
INLINE vi v_round_i(vf x) {
  vf m = v_set(12582912.0f);
  return (vi)(x + m) - (vi)m;
}

#if HB_ISA == 512
INLINE vf v_min(vf a, vf b) { return (vf)_mm512_min_ps((__m512)a, (__m512)b); }
INLINE vf v_max(vf a, vf b) { return (vf)_mm512_max_ps((__m512)a, (__m512)b); }
INLINE vf v_sqrt(vf a) { return (vf)_mm512_sqrt_ps((__m512)a); }
#elif HB_ISA == 2
typedef union {
  vf v;
  __m256 h[2];
} v_parts;
INLINE vf v_min(vf a, vf b) {
  v_parts x = {a}, y = {b};
  x.h[0] = _mm256_min_ps(x.h[0], y.h[0]);
  x.h[1] = _mm256_min_ps(x.h[1], y.h[1]);
  return x.v;
}
INLINE vf v_max(vf a, vf b) {
  v_parts x = {a}, y = {b};
  x.h[0] = _mm256_max_ps(x.h[0], y.h[0]);
  x.h[1] = _mm256_max_ps(x.h[1], y.h[1]);
  return x.v;
}
INLINE vf v_sqrt(vf a) {
  v_parts x = {a};
  x.h[0] = _mm256_sqrt_ps(x.h[0]);
  x.h[1] = _mm256_sqrt_ps(x.h[1]);
  return x.v;
}
#else
/* Comparison and selection. Compilers do not always fuse the two into a single instruction, but that costs little. */
INLINE vf v_min(vf a, vf b) { return v_select(a < b, a, b); }
INLINE vf v_max(vf a, vf b) { return v_select(a > b, a, b); }
INLINE vf v_sqrt(vf a) {
  for (int i = 0; i < VW; i++) a[i] = sqrtf(a[i]);
  return a;
}
#endif

/* Sums, minima and maxima over the lanes, always in the same order. */
INLINE float v_sum(vf a) {
  float t[VW];
  v_store(t, a);
  for (int n = 8; n > 0; n /= 2)
    for (int i = 0; i < n; i++) t[i] += t[i + n];
  return t[0];
}
INLINE float v_least(vf a) {
  float t[VW];
  v_store(t, a);
  for (int n = 8; n > 0; n /= 2)
    for (int i = 0; i < n; i++) t[i] = t[i] < t[i + n] ? t[i] : t[i + n];
  return t[0];
}
INLINE float v_largest(vf a) {
  float t[VW];
  v_store(t, a);
  for (int n = 8; n > 0; n /= 2)
    for (int i = 0; i < n; i++) t[i] = t[i] > t[i + n] ? t[i] : t[i + n];
  return t[0];
}
