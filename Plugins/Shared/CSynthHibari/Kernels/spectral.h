/*
 * spectral.h: pulse train, transforms, and mixing of the five spectral parts. A lane is a frame (or a hop of the pulse
 * train), so 16 transforms run in parallel, and only the transposition of the head moves data between lanes.
 */
typedef int64_t vl __attribute__((vector_size(128)));
typedef uint64_t vul __attribute__((vector_size(128)));
typedef uint64_t vul_any __attribute__((vector_size(128), aligned(8)));

/* sin(pi x) for |x| <= 1. */
INLINE vf v_sinpi(vf x) {
  vi sign = (vi)x & v_seti((int32_t)0x80000000);
  vf a = (vf)((vi)x ^ sign);
  return (vf)((vi)v_sinpi_half(v_min(a, v_set(1.0f) - a)) ^ sign);
}

/*
 * One sample of the pulse train: sum over h = 1 .. H of cos(2 pi h p) = sin(pi (2H + 1) p) / (2 sin(pi p)) - 1/2, where H is
 * the number of harmonics below 11 kHz. Phases are integers, so multiplication by 2H + 1 is exact.
 */
INLINE vf pulse(vul phase, vl step, vl voiced64) {
  vf f = v_to_float(__builtin_convertvector(step >> 32, vi)) * v_set(24000.0f / 4294967296.0f);
  vi harmonics = __builtin_convertvector(v_set(11000.0f) / f, vi), voiced = __builtin_convertvector(voiced64, vi);
  vu p = (vu) __builtin_convertvector((vl)(phase >> 33), vi);
  vu turns = p * (vu)(harmonics + harmonics + 1);
  vf s = v_sinpi(v_to_float((vi)turns) * v_set(1.0f / 2147483648.0f));
  vu folded = (vu)v_select_i((vi)p > v_seti(1 << 30), (vi)(0x80000000u - p), (vi)p);
  vf d = v_sinpi_half(v_to_float((vi)folded) * v_set(1.0f / 2147483648.0f)) * v_set(2.0f);
  vf e = v_select(d <= v_set(2e-3f), v_to_float(harmonics) + v_set(0.5f), s / d) - v_set(0.5f);
  return (vf)((vi)e & voiced);
}

static void HB_NAME(pulses)(const float *f, const uint64_t *phase, uint64_t *advance, float *out) {
  const double unit = 18446744073709551616.0 / 24000.0;
  const int64_t least = (int64_t)(40.0 * unit);
  vl first[2], slope[2], floor40;
  for (int l = 0; l < VW; l++) {
    double a = f[l], b = f[16 + l], c = f[32 + l];
    slope[0][l] = (int64_t)((b - a) / 300 * unit);
    first[0][l] = (int64_t)((a + (b - a) * (0.5 + 0.5 / 300)) * unit);
    slope[1][l] = (int64_t)((c - b) / 300 * unit);
    first[1][l] = (int64_t)((b + (c - b) * (0.5 / 300)) * unit);
    floor40[l] = least;
  }
  vul sum = {0};
  if (out) sum = *(const vul_any *)phase;
  for (int half = 0; half < 2; half++) {
    vl step = first[half];
    for (int j = 0; j < 150; j++, step += slope[half]) {
      vl voiced = step > floor40, used = (voiced & step) | (~voiced & floor40);
      sum += (vul)used;
      if (out) v_store(out + (half * 150 + j) * HB_COLUMNS, pulse(sum, used, voiced));
    }
  }
  if (!out) *(vul_any *)advance = sum;
}

/* Discrete transforms of 4, 5 and 6 points, in place. */
INLINE void dft4(vf *r, vf *i) {
  vf ar = r[0] + r[2], ai = i[0] + i[2], br = r[0] - r[2], bi = i[0] - i[2];
  vf cr = r[1] + r[3], ci = i[1] + i[3], dr = r[1] - r[3], di = i[1] - i[3];
  r[0] = ar + cr;
  i[0] = ai + ci;
  r[2] = ar - cr;
  i[2] = ai - ci;
  r[1] = br + di;
  i[1] = bi - dr;
  r[3] = br - di;
  i[3] = bi + dr;
}

INLINE void dft5(vf *r, vf *i) {
  const vf c1 = v_set(0.309016994f), c2 = v_set(-0.809016994f), s1 = v_set(0.951056516f), s2 = v_set(0.587785252f);
  vf ar = r[1] + r[4], ai = i[1] + i[4], br = r[1] - r[4], bi = i[1] - i[4];
  vf cr = r[2] + r[3], ci = i[2] + i[3], dr = r[2] - r[3], di = i[2] - i[3];
  vf pr = v_fma(c2, cr, v_fma(c1, ar, r[0])), pi = v_fma(c2, ci, v_fma(c1, ai, i[0]));
  vf qr = v_fma(c1, cr, v_fma(c2, ar, r[0])), qi = v_fma(c1, ci, v_fma(c2, ai, i[0]));
  vf ur = v_fma(s2, dr, s1 * br), ui = v_fma(s2, di, s1 * bi);
  vf vr = v_fma(-s1, dr, s2 * br), vi_ = v_fma(-s1, di, s2 * bi);
  r[0] = r[0] + ar + cr;
  i[0] = i[0] + ai + ci;
  r[1] = pr + ui;
  i[1] = pi - ur;
  r[4] = pr - ui;
  i[4] = pi + ur;
  r[2] = qr + vi_;
  i[2] = qi - vr;
  r[3] = qr - vi_;
  i[3] = qi + vr;
}

INLINE void dft3(vf r0, vf i0, vf r1, vf i1, vf r2, vf i2, vf *r, vf *i, int a, int b, int c) {
  const vf h = v_set(-0.5f), s = v_set(0.866025404f);
  vf tr = r1 + r2, ti = i1 + i2, dr = (r1 - r2) * s, di = (i1 - i2) * s;
  r[a] = r0 + tr;
  i[a] = i0 + ti;
  vf mr = v_fma(h, tr, r0), mi = v_fma(h, ti, i0);
  r[b] = mr + di;
  i[b] = mi - dr;
  r[c] = mr - di;
  i[c] = mi + dr;
}

INLINE void dft6(vf *r, vf *i) { /* 6 = 2 * 3 without twiddles (Good-Thomas) */
  vf x[6], y[6];
  for (int n = 0; n < 6; n++) {
    x[n] = r[n];
    y[n] = i[n];
  }
  dft3(x[0] + x[3], y[0] + y[3], x[2] + x[5], y[2] + y[5], x[4] + x[1], y[4] + y[1], r, i, 0, 4, 2);
  dft3(x[0] - x[3], y[0] - y[3], x[2] - x[5], y[2] - y[5], x[4] - x[1], y[4] - y[1], r, i, 3, 1, 5);
}

/* One stage of a Stockham transform: s interleaved sequences with n points left to transform each. */
INLINE const float *stage(int radix, int n, int s, const float *twiddle, const float *x, float *y) {
  int m = n / radix;
  for (int p = 0; p < m; p++, twiddle += 2 * (radix - 1)) {
    for (int q = 0; q < s; q++) {
      vf r[6], i[6];
      UNROLL for (int j = 0; j < radix; j++) {
        const float *from = x + (size_t)(q + s * (p + m * j)) * 32;
        r[j] = v_load(from);
        i[j] = v_load(from + 16);
      }
      if (radix == 4) dft4(r, i);
      else if (radix == 5) dft5(r, i);
      else dft6(r, i);
      UNROLL for (int j = 0; j < radix; j++) {
        float *to = y + (size_t)(q + s * (radix * p + j)) * 32;
        if (j == 0 || m == 1) {
          v_store(to, r[j]);
          v_store(to + 16, i[j]);
          continue;
        }
        vf c = v_set(twiddle[2 * j - 2]), d = v_set(twiddle[2 * j - 1]);
        v_store(to, v_fma(r[j], c, -(i[j] * d)));
        v_store(to + 16, v_fma(r[j], d, i[j] * c));
      }
    }
  }
  return twiddle;
}

static void HB_NAME(transform)(const hb_tables *tables, float *x, float *y) {
  const float *t = tables->twiddle;
  t = stage(5, 600, 1, t, x, y);
  t = stage(5, 120, 5, t, y, x);
  t = stage(4, 24, 25, t, x, y);
  stage(6, 6, 100, t, y, x);
}

static void HB_NAME(window)(const hb_tables *tables, const float *excitation, float *z) {
  for (int n = 0; n < HB_POINTS; n++) {
    const float *from = excitation + (2 * n % 300) * HB_COLUMNS + 2 * n / 300;
    v_store(z + n * 32, v_load(from) * v_set(tables->analysis[2 * n]));
    v_store(z + n * 32 + 16, v_load(from + HB_COLUMNS) * v_set(tables->analysis[2 * n + 1]));
  }
}

/* Two independent standard normal numbers per lane. */
INLINE void gauss(const uint32_t *keys, int bin, vf *a, vf *b) {
  vu k0 = (vu)v_loadi((const int32_t *)keys), k1 = (vu)v_loadi((const int32_t *)keys + 16);
  vu u = v_hash(k0 + (uint32_t)bin * 0x9e3779b9u), v = v_hash(k1 + (uint32_t)bin * 0x85ebca6bu);
  vf uniform = v_fma(v_to_float((vi)(u >> 8)), v_set(1.0f / 16777216.0f), v_set(0.5f / 16777216.0f));
  vf radius = v_sqrt(v_log(uniform) * v_set(-2.0f)), s, c;
  v_sincospi(v_to_float((vi)v) * v_set(1.0f / 2147483648.0f), &s, &c);
  *a = radius * c;
  *b = radius * s;
}

/* S = e^min(lh,7) e^(i pi tanh theta) E + e^min(ln,7) Z + e^min(lr,7) e^(i phi) for one bin. */
INLINE void mix(const float *parts, const uint32_t *keys, const float *noise, int bin, vf er, vf ei, vf *sr, vf *si) {
  const float *p = parts + (size_t)bin * 16;
  const size_t step = (size_t)HB_PART * 16;
  vf seven = v_set(7.0f), s, c, zr, zi;
  vf lh = v_exp(v_min(v_load(p), seven)), ln = v_exp(v_min(v_load(p + 2 * step), seven)),
     lr = v_exp(v_min(v_load(p + 3 * step), seven));
  v_sincospi(v_tanh(v_load(p + step)), &s, &c);
  s *= lh;
  c *= lh;
  *sr = v_fma(er, c, -(ei * s));
  *si = v_fma(er, s, ei * c);
  if (noise) {
    zr = v_load(noise + (size_t)bin * 32);
    zi = v_load(noise + (size_t)bin * 32 + 16);
  } else gauss(keys, bin, &zr, &zi);
  *sr = v_fma(ln, zr, *sr);
  *si = v_fma(ln, zi, *si);
  v_sincospi(v_load(p + 4 * step) * v_set(0.318309886f), &s, &c);
  *sr = v_fma(lr, c, *sr);
  *si = v_fma(lr, s, *si);
}

static void HB_NAME(spectrum)(
    const hb_tables *tables, const float *parts, const uint32_t *keys, const float *noise, float *z) {
  for (int k = 0; k <= 300; k++) {
    float *low = z + k * 32, *high = z + (600 - k) % 600 * 32;
    vf c = v_set(tables->split[2 * k]), d = v_set(tables->split[2 * k + 1]), half = v_set(0.5f);
    vf xr = v_load(low), xi = v_load(low + 16), yr = v_load(high), yi = -v_load(high + 16);
    /* Even part a, odd part -i b; the odd part is rotated by e^(-i 2 pi k / 1200). */
    vf ar = (xr + yr) * half, ai = (xi + yi) * half, br = (xi - yi) * half, bi = (yr - xr) * half;
    vf tr = v_fma(br, c, bi * d), ti = v_fma(bi, c, -(br * d));
    vf pr, pi, qr, qi;
    mix(parts, keys, noise, k, ar + tr, ai + ti, &pr, &pi);
    mix(parts, keys, noise, 600 - k, ar - tr, ti - ai, &qr, &qi);
    if (k == 0) {
      pi = v_set(0);
      qi = v_set(0);
    } /* The first and last bins of a real signal's spectrum are real. */
    qi = -qi;
    vf er = pr + qr, ei = pi + qi, dr = pr - qr, di = pi - qi;
    vf gr = v_fma(dr, c, -(di * d)), gi = v_fma(dr, d, di * c);
    /* Swapping real and imaginary parts turns the forward transform into the inverse. */
    v_store(low + 16, er - gi);
    v_store(low, ei + gr);
    if (k != 0 && k != 300) {
      v_store(high + 16, er + gi);
      v_store(high, gr - ei);
    }
  }
}

static void HB_NAME(overlap)(const hb_tables *tables, const float *z, int frames, float *sums) {
  vi valid;
  for (int l = 0; l < VW; l++) valid[l] = l < frames ? -1 : 0;
  /* Descending block order adds the frames of a hop in ascending order, so the sums do not depend on how frames
   * are divided into batches. */
  for (int block = 3; block >= 0; block--)
    for (int j = 0; j < 300; j++) {
      int i = block * 300 + j;
      float *to = sums + j * HB_COLUMNS + block;
      vf y = (vf)((vi)v_load(z + i / 2 * 32 + (i % 2 ? 0 : 16)) & valid);
      v_store(to, v_fma(y, v_set(tables->synthesis[i]), v_load(to)));
    }
}

static void HB_NAME(transpose)(const float *x, int ldx, int rows, int n, float *out) {
  for (int c = 0; c < n; c += 16, out += 256) {
    vf r[16];
    UNROLL for (int i = 0; i < 16; i++) r[i] = i < rows ? v_load(x + (size_t)i * ldx + c) : v_set(0);
    UNROLL for (int i = 0; i < 8; i++) {
      vf a = r[i], b = r[i + 8];
      r[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
      r[i + 8] = __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    }
    UNROLL for (int i = 0; i < 16; i++) if (!(i & 4)) {
      vf a = r[i], b = r[i + 4];
      r[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27);
      r[i + 4] = __builtin_shufflevector(a, b, 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31);
    }
    UNROLL for (int i = 0; i < 16; i++) if (!(i & 2)) {
      vf a = r[i], b = r[i + 2];
      r[i] = __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
      r[i + 2] = __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    }
    UNROLL for (int i = 0; i < 16; i += 2) {
      vf a = r[i], b = r[i + 1];
      r[i] = __builtin_shufflevector(a, b, 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30);
      r[i + 1] = __builtin_shufflevector(a, b, 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31);
    }
    UNROLL for (int i = 0; i < 16; i++) v_store(out + i * 16, r[i]);
  }
}
