/*
 * product.h: dense layers with 8-bit weights. A tile is HB_MR rows by HB_NR panels of 16 outputs. Each instruction set has
 * its own tile_sums; all produce the same integer sums.
 */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

INLINE int32_t load_quad(const uint8_t *p) {
  int32_t x;
  memcpy(&x, p, 4);
  return x;
}

#if HB_ISA == 512
enum { HB_MR = 6, HB_NR = 4 };
/* vpdpbusd: adds four products of unsigned activations and signed weights to each 32-bit lane, without saturation. */
INLINE void tile_sums(int mr, int nr, const uint8_t *q, int ldq, const int8_t *w, size_t panel, int k, vi *acc) {
  __m512i a[HB_MR * HB_NR];
  UNROLL for (int i = 0; i < mr * nr; i++) a[i] = _mm512_setzero_si512();
  for (int i = 0; i < k; i += 4) {
    __m512i b[HB_NR];
    UNROLL for (int p = 0; p < nr; p++) b[p] = _mm512_loadu_si512(w + p * panel + (size_t)i * 16);
    UNROLL for (int r = 0; r < mr; r++) {
      __m512i x = _mm512_set1_epi32(load_quad(q + (size_t)r * ldq + i));
      UNROLL for (int p = 0; p < nr; p++) a[r * nr + p] = _mm512_dpbusd_epi32(a[r * nr + p], x, b[p]);
    }
  }
  UNROLL for (int i = 0; i < mr * nr; i++) acc[i] = (vi)a[i];
}
#elif HB_ISA == 2
enum { HB_MR = 2, HB_NR = 1 };
/* vpmaddubsw saturates, so widen weights and activations to 16 bits: vpmaddwd is exact for them. */
INLINE void tile_sums(int mr, int nr, const uint8_t *q, int ldq, const int8_t *w, size_t panel, int k, vi *acc) {
  (void)nr;
  (void)panel;
  __m256i a[HB_MR][4];
  UNROLL for (int r = 0; r < mr; r++) { UNROLL for (int c = 0; c < 4; c++) a[r][c] = _mm256_setzero_si256(); }
  for (int i = 0; i < k; i += 4) {
    __m256i x[HB_MR];
    UNROLL for (int r = 0; r < mr; r++) x[r] = _mm256_cvtepu8_epi16(_mm_set1_epi32(load_quad(q + (size_t)r * ldq + i)));
    UNROLL for (int c = 0; c < 4; c++) {
      __m256i b = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(w + (size_t)i * 16 + c * 16)));
      UNROLL for (int r = 0; r < mr; r++) a[r][c] = _mm256_add_epi32(a[r][c], _mm256_madd_epi16(x[r], b));
    }
  }
  UNROLL for (int r = 0; r < mr; r++) {
    v_parts out;
    UNROLL for (int h = 0; h < 2; h++) {
      __m256i s = _mm256_hadd_epi32(a[r][2 * h], a[r][2 * h + 1]); /* columns 0 1 4 5 | 2 3 6 7 */
      out.h[h] = _mm256_castsi256_ps(_mm256_permute4x64_epi64(s, 0xd8));
    }
    acc[r] = (vi)out.v;
  }
}
#elif HB_ISA == 64
/* Subtracting 128 makes the activations signed bytes; the column sums compensate for that. */
#if defined(HB_DOT)
enum { HB_MR = 4, HB_NR = 1 };
typedef int32x4_t HB_NAME(partial);
INLINE HB_NAME(partial) nothing(void) { return vdupq_n_s32(0); }
INLINE HB_NAME(partial) add_quads(HB_NAME(partial) sum, int8x16_t x, int8x16_t w) { return vdotq_s32(sum, x, w); }
INLINE int32x4_t columns(HB_NAME(partial) sum) { return sum; }
#else
enum { HB_MR = 2, HB_NR = 1 };
typedef struct {
  int32x4_t low, high;
} HB_NAME(partial); /* For each of four columns, the two halves of the sum. */
INLINE HB_NAME(partial) nothing(void) { return (HB_NAME(partial)){vdupq_n_s32(0), vdupq_n_s32(0)}; }
INLINE HB_NAME(partial) add_quads(HB_NAME(partial) sum, int8x16_t x, int8x16_t w) {
  sum.low = vpadalq_s16(sum.low, vmull_s8(vget_low_s8(x), vget_low_s8(w)));
  sum.high = vpadalq_s16(sum.high, vmull_high_s8(x, w));
  return sum;
}
INLINE int32x4_t columns(HB_NAME(partial) sum) { return vpaddq_s32(sum.low, sum.high); }
#endif
INLINE void tile_sums(int mr, int nr, const uint8_t *q, int ldq, const int8_t *w, size_t panel, int k, vi *acc) {
  (void)nr;
  (void)panel;
  HB_NAME(partial) a[HB_MR][4];
  UNROLL for (int r = 0; r < mr; r++) { UNROLL for (int c = 0; c < 4; c++) a[r][c] = nothing(); }
  for (int i = 0; i < k; i += 4) {
    int8x16_t x[HB_MR];
    UNROLL for (int r = 0; r < mr; r++) x[r] =
        vreinterpretq_s8_s32(vdupq_n_s32(load_quad(q + (size_t)r * ldq + i) ^ (int32_t)0x80808080));
    UNROLL for (int c = 0; c < 4; c++) {
      int8x16_t b = vld1q_s8(w + (size_t)i * 16 + c * 16);
      UNROLL for (int r = 0; r < mr; r++) a[r][c] = add_quads(a[r][c], x[r], b);
    }
  }
  UNROLL for (int r = 0; r < mr; r++) {
    union {
      vi v;
      int32x4_t q[4];
    } out;
    UNROLL for (int c = 0; c < 4; c++) out.q[c] = columns(a[r][c]);
    acc[r] = out.v;
  }
}
#define HB_OFFSET 128
#else
enum { HB_MR = 2, HB_NR = 1 };
/* The product of an activation and a weight fits in 16 bits; pairs of products are added in 32 bits. Any vector unit
   can do this. */
INLINE void tile_sums(int mr, int nr, const uint8_t *q, int ldq, const int8_t *w, size_t panel, int k, vi *acc) {
  (void)nr;
  (void)panel;
  typedef int8_t weights __attribute__((vector_size(16), aligned(1)));
  typedef uint8_t bytes __attribute__((vector_size(16)));
  typedef uint32_t quads __attribute__((vector_size(16)));
  typedef int16_t products __attribute__((vector_size(32)));
  typedef int32_t pairs __attribute__((vector_size(32)));
  pairs a[HB_MR][4];
  UNROLL for (int r = 0; r < mr; r++) { UNROLL for (int c = 0; c < 4; c++) a[r][c] = (pairs){0}; }
  for (int i = 0; i < k; i += 4) {
    products x[HB_MR];
    UNROLL for (int r = 0; r < mr; r++) {
      uint32_t quad = (uint32_t)load_quad(q + (size_t)r * ldq + i);
      x[r] = __builtin_convertvector((bytes)(quads){quad, quad, quad, quad}, products);
    }
    UNROLL for (int c = 0; c < 4; c++) {
      products b = __builtin_convertvector(*(const weights *)(w + (size_t)i * 16 + c * 16), products);
      UNROLL for (int r = 0; r < mr; r++) {
        pairs p = (pairs)(x[r] * b);
        a[r][c] += ((p << 16) >> 16) + (p >> 16);
      }
    }
  }
  UNROLL for (int r = 0; r < mr; r++) for (int c = 0; c < VW; c++) acc[r][c] =
      a[r][c / 4][c % 4 * 2] + a[r][c / 4][c % 4 * 2 + 1];
}
#endif
#ifndef HB_OFFSET
#define HB_OFFSET 0
#endif

INLINE void finish_store(const hb_finish *f, int row, int column, vf y, int fast) {
  float *out = f->out + (size_t)row * f->ld + column;
  switch (f->kind) {
  case HB_STORE: v_store(out, y); break;
  case HB_GELU: v_store(out, fast ? v_gelu_fast(y) : v_gelu(y)); break;
  case HB_RESIDUAL: v_store(out, f->gamma ? v_fma(v_load(f->gamma + column), y, v_load(out)) : v_load(out) + y); break;
  }
}

/* If `raw` is not NULL, the integer sums are written to it, and `finish` is not used. With `wide`, q has two rows per row
   of x: high bytes and low bytes. */
typedef struct {
  const hb_linear *layer;
  const uint8_t *q;
  const float *scale;
  const int32_t *zero;
  const hb_finish *finish;
  int32_t *raw;
  int wide;
} HB_NAME(job);

/* Computes rows row .. row + mr - 1 of q and nr panels of outputs; with `wide`, these are mr / 2 rows of the result. */
INLINE void tile(const HB_NAME(job) * j, int mr, int nr, int row, int panel) {
  const hb_linear *l = j->layer;
  size_t step = (size_t)l->k * 16;
  vi acc[HB_MR * HB_NR];
  tile_sums(mr, nr, j->q + (size_t)row * l->k, l->k, l->w + panel * step, step, l->k, acc);
  for (int p = 0; p < nr; p++) {
    int column = (panel + p) * 16;
    vi sums = v_loadi(l->column_sum + column);
    if (j->raw) {
      for (int r = 0; r < mr; r++)
        v_storei(j->raw + (size_t)(row + r) * l->n + column, acc[r * nr + p] + HB_OFFSET * sums);
      continue;
    }
    vf s = v_load(l->scale + column), b = v_load(l->bias + column);
    if (j->wide) {
      for (int r = 0; r + 1 < mr; r += 2) {
        int to = (row + r) / 2;
        vf high = v_to_float(acc[r * nr + p] - (j->zero[to] - HB_OFFSET) * sums),
           low = v_to_float(acc[(r + 1) * nr + p] + HB_OFFSET * sums);
        finish_store(j->finish, to, column, v_fma(v_fma(high, v_set(256.0f), low), s * v_set(j->scale[to]), b), 0);
      }
      continue;
    }
    for (int r = 0; r < mr; r++) {
      vi exact = acc[r * nr + p] - (j->zero[row + r] - HB_OFFSET) * sums;
      finish_store(j->finish, row + r, column, v_fma(v_to_float(exact), s * v_set(j->scale[row + r]), b), 1);
    }
  }
}

INLINE void tile_rows(const HB_NAME(job) * j, int nr, int rows, int panel) {
  int r = 0;
  enum { EVEN = HB_MR & ~1 };
  if (j->wide)
    for (; r + EVEN <= rows; r += EVEN) tile(j, EVEN, nr, r, panel);
  else
    for (; r + HB_MR <= rows; r += HB_MR) tile(j, HB_MR, nr, r, panel);
  switch (rows - r) { /* Constant arguments let the compiler keep the sums in registers. */
#if HB_ISA == 512
  case 5: tile(j, 5, nr, r, panel); break;
  case 4: tile(j, 4, nr, r, panel); break;
#endif
#if HB_ISA == 512 || (HB_ISA == 64 && defined(HB_DOT))
  case 3: tile(j, 3, nr, r, panel); break;
#endif
#if HB_ISA != 0
  case 2: tile(j, 2, nr, r, panel); break;
#endif
  case 1: tile(j, 1, nr, r, panel); break;
  default: break;
  }
}

static void HB_NAME(run_job)(const HB_NAME(job) * j, int rows) {
  int panels = j->layer->n / 16, p = 0;
  for (; p + HB_NR <= panels; p += HB_NR) tile_rows(j, HB_NR, rows, p);
  for (; p < panels; p++) tile_rows(j, 1, rows, p);
}

static void HB_NAME(product)(const hb_linear *layer, const uint8_t *q, const float *scale, const int32_t *zero,
    int rows, const hb_finish *finish) {
  HB_NAME(job) j = {layer, q, scale, zero, finish, NULL, 0};
  HB_NAME(run_job)(&j, rows);
}

static void HB_NAME(product_wide)(const hb_linear *layer, const uint8_t *q, const float *scale, const int32_t *zero,
    int rows, const hb_finish *finish) {
  HB_NAME(job) j = {layer, q, scale, zero, finish, NULL, 1};
  HB_NAME(run_job)(&j, 2 * rows);
}

static void HB_NAME(sums)(const hb_linear *layer, const uint8_t *q, int rows, int32_t *out) {
  HB_NAME(job) j = {layer, q, NULL, NULL, NULL, out, 0};
  HB_NAME(run_job)(&j, rows);
}

INLINE void exact_tile(
    const hb_linear *l, const float *x, int ldx, int mr, int row, int panel, const hb_finish *finish) {
  const int8_t *w = l->w + (size_t)panel * l->k * 16;
  vf acc[4];
  UNROLL for (int r = 0; r < mr; r++) acc[r] = v_set(0);
  for (int i = 0; i < l->k; i += 4) {
    vi quad = v_loadi((const int32_t *)(const void *)(w + (size_t)i * 16));
    UNROLL for (int c = 0; c < 4; c++) {
      vf b = v_to_float((quad << (24 - 8 * c)) >> 24);
      UNROLL for (int r = 0; r < mr; r++) acc[r] = v_fma(v_set(x[(size_t)r * ldx + i + c]), b, acc[r]);
    }
  }
  for (int r = 0; r < mr; r++)
    finish_store(
        finish, row + r, panel * 16, v_fma(acc[r], v_load(l->scale + panel * 16), v_load(l->bias + panel * 16)), 0);
}

static void HB_NAME(product_exact)(const hb_linear *layer, const float *x, int ldx, int rows, const hb_finish *finish) {
  for (int p = 0; p < layer->n / 16; p++) {
    int r = 0;
    for (; r + 4 <= rows; r += 4) exact_tile(layer, x + (size_t)r * ldx, ldx, 4, r, p, finish);
    for (; r < rows; r++) exact_tile(layer, x + (size_t)r * ldx, ldx, 1, r, p, finish);
  }
}
