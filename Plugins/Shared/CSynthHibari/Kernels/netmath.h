/* netmath.h: normalization, quantization, float products, depthwise convolution, softmax. */

static void HB_NAME(normalize)(
    const float *x, int ldx, int rows, int width, const float *weight, const float *bias, float *out, int ldo) {
  for (int r = 0; r < rows; r++, x += ldx, out += ldo) {
    vf sum = v_set(0), square = v_set(0);
    for (int i = 0; i < width; i += VW) sum += v_load(x + i);
    vf mean = v_set(v_sum(sum) / (float)width);
    for (int i = 0; i < width; i += VW) {
      vf d = v_load(x + i) - mean;
      square = v_fma(d, d, square);
    }
    vf factor = v_set(1.0f / sqrtf(v_sum(square) / (float)width + 1e-5f));
    for (int i = 0; i < width; i += VW)
      v_store(out + i, v_fma((v_load(x + i) - mean) * factor, v_load(weight + i), v_load(bias + i)));
  }
}

/* Finds a row's range, extended to include 0 as in DynamicQuantizeLinear. Returns 0 if it is empty or not finite. */
INLINE int row_range(const float *x, int width, float *least, float *range) {
  vf low = v_set(0), high = v_set(0);
  for (int i = 0; i < width; i += VW) {
    vf v = v_load(x + i);
    low = v_min(v, low);
    high = v_max(v, high);
  }
  *least = v_least(low);
  *range = v_largest(high) - *least;
  return *range > 1e-30f && *range < 3e38f;
}

typedef uint8_t HB_NAME(bytes) __attribute__((vector_size(16)));

static void HB_NAME(quantize)(const float *x, int ldx, int rows, int width, uint8_t *q, float *scale, int32_t *zero) {
  for (int r = 0; r < rows; r++, x += ldx, q += width) {
    float least, range;
    if (!row_range(x, width, &least, &range)) {
      memset(q, 0, (size_t)width);
      scale[r] = 0;
      zero[r] = 0;
      continue;
    }
    float inverse = 255.0f / range;
    int32_t z = (int32_t)(-least * inverse + 0.5f);
    scale[r] = range / 255.0f;
    zero[r] = z;
    for (int i = 0; i < width; i += VW) {
      vf v = v_fma(v_load(x + i), v_set(inverse), v_set((float)z));
      HB_NAME(bytes) b = __builtin_convertvector(v_round_i(v_min(v_max(v, v_set(0)), v_set(255.0f))), HB_NAME(bytes));
      memcpy(q + i, &b, 16);
    }
  }
}

static void HB_NAME(quantize_wide)(
    const float *x, int ldx, int rows, int width, uint8_t *q, float *scale, int32_t *zero) {
  for (int r = 0; r < rows; r++, x += ldx, q += 2 * width) {
    float least, range;
    if (!row_range(x, width, &least, &range)) {
      memset(q, 0, (size_t)width * 2);
      scale[r] = 0;
      zero[r] = 0;
      continue;
    }
    float inverse = 65024.0f / range; /* 254 * 256: still in range after the zero point is rounded up to a multiple of 256. */
    int32_t z = (int32_t)(-least * inverse / 256.0f) + 1;
    scale[r] = range / 65024.0f;
    zero[r] = z;
    for (int i = 0; i < width; i += VW) {
      vf v = v_fma(v_load(x + i), v_set(inverse), v_set((float)z * 256.0f));
      vi n = v_round_i(v_min(v_max(v, v_set(0)), v_set(65535.0f)));
      HB_NAME(bytes)
      high = __builtin_convertvector(n >> 8, HB_NAME(bytes)),
      low = __builtin_convertvector(n & 255, HB_NAME(bytes));
      memcpy(q + i, &high, 16);
      memcpy(q + width + i, &low, 16);
    }
  }
}

#if HB_ISA == 512
enum { HB_FR = 6, HB_FN = 4 };
#elif HB_ISA == 64
enum { HB_FR = 3, HB_FN = 2 };
#elif HB_ISA == 2
enum { HB_FR = 3, HB_FN = 2 };
#else
enum { HB_FR = 1, HB_FN = 2 };
#endif

INLINE void float_tile(int mr, int nr, const float *a, int lda, const float *b, int ldb, float *c, int ldc, int k) {
  vf acc[HB_FR * HB_FN];
  UNROLL for (int i = 0; i < mr * nr; i++) acc[i] = v_set(0);
  for (int i = 0; i < k; i++) {
    vf x[HB_FN];
    UNROLL for (int p = 0; p < nr; p++) x[p] = v_load(b + (size_t)i * ldb + p * VW);
    UNROLL for (int r = 0; r < mr; r++) {
      vf y = v_set(a[(size_t)r * lda + i]);
      UNROLL for (int p = 0; p < nr; p++) acc[r * nr + p] = v_fma(y, x[p], acc[r * nr + p]);
    }
  }
  UNROLL for (int r = 0; r < mr; r++) {
    UNROLL for (int p = 0; p < nr; p++) v_store(c + (size_t)r * ldc + p * VW, acc[r * nr + p]);
  }
}

INLINE void float_rows(int nr, const float *a, int lda, const float *b, int ldb, float *c, int ldc, int m, int k) {
  int r = 0;
  for (; r + HB_FR <= m; r += HB_FR)
    float_tile(HB_FR, nr, a + (size_t)r * lda, lda, b, ldb, c + (size_t)r * ldc, ldc, k);
  for (; r < m; r++) float_tile(1, nr, a + (size_t)r * lda, lda, b, ldb, c + (size_t)r * ldc, ldc, k);
}

static void HB_NAME(matmul)(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int m, int n, int k) {
  int p = 0;
  for (; p + HB_FN * VW <= n; p += HB_FN * VW) float_rows(HB_FN, a, lda, b + p, ldb, c + p, ldc, m, k);
  for (; p + 2 * VW <= n; p += 2 * VW) float_rows(2, a, lda, b + p, ldb, c + p, ldc, m, k);
  for (; p < n; p += VW) float_rows(1, a, lda, b + p, ldb, c + p, ldc, m, k);
}

INLINE void taps_column(
    int taps, const float *x, int rows, int width, int dilation, const float *weight, vf bias, float *out) {
  vf w[7];
  UNROLL for (int t = 0; t < taps; t++) w[t] = v_load(weight + (size_t)t * width);
  for (int r = 0; r < rows; r++) {
    vf y = bias;
    UNROLL for (int t = 0; t < taps; t++) y = v_fma(v_load(x + ((size_t)r + (size_t)t * dilation) * width), w[t], y);
    v_store(out + (size_t)r * width, y);
  }
}

static void HB_NAME(depthwise)(
    const float *x, int rows, int width, int taps, int dilation, const float *weight, const float *bias, float *out) {
  for (int c = 0; c < width; c += VW) {
    if (taps == 7) taps_column(7, x + c, rows, width, dilation, weight + c, v_load(bias + c), out + c);
    else if (taps == 5) taps_column(5, x + c, rows, width, dilation, weight + c, v_load(bias + c), out + c);
    else if (taps == 3) taps_column(3, x + c, rows, width, dilation, weight + c, v_load(bias + c), out + c);
  }
}

static void HB_NAME(first_row)(
    const float *const *taps, const float *e, const float *weight, const float *bias, int width, float *out) {
  for (int c = 0; c < width; c += VW) {
    vf y = v_load(bias + c);
    for (int t = 0; t < 7; t++) {
      if (!taps[t]) continue;
      y += v_load(taps[t] + c);
      y = v_fma(v_load(weight + t * width + c), v_set(e[2 * t]), y);
      y = v_fma(v_load(weight + (7 + t) * width + c), v_set(e[2 * t + 1]), y);
    }
    v_store(out + c, y);
  }
}

static void HB_NAME(bias_gelu)(float *x, int ld, int rows, int width, const float *bias) {
  for (int r = 0; r < rows; r++)
    for (int i = 0; i < width; i += VW) {
      float *p = x + (size_t)r * ld + i;
      v_store(p, v_gelu(v_load(p) + v_load(bias + i)));
    }
}

static void HB_NAME(softmax)(float *x, int ld, int rows, int n, float scale) {
  for (int r = 0; r < rows; r++, x += ld) {
    for (int i = n; i % VW; i++) x[i] = -1e30f;
    vf top = v_set(-1e30f), sum = v_set(0);
    for (int i = 0; i < n; i += VW) top = v_max(v_load(x + i), top);
    vf s = v_set(scale), shift = v_set(v_largest(top) * scale);
    for (int i = 0; i < n; i += VW) {
      vf e = v_exp(v_fma(v_load(x + i), s, -shift));
      v_store(x + i, e);
      sum += e;
    }
    for (int i = n; i % VW; i++) { x[i] = 0; }
    vf inverse = v_set(1.0f / v_sum(sum));
    for (int i = 0; i < n; i += VW) v_store(x + i, v_load(x + i) * inverse);
  }
}
