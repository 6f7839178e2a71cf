/*
 * vecmath.h: elementary functions on 16 lanes. The coefficients are minimax fits. Tests/Kernels/hibari_kernels_test.c checks
 * the stated errors over the stated ranges.
 */

/* e^x, relative error below 3e-7; x is clamped to -87 .. 88. */
INLINE vf v_exp(vf x) {
  x = v_min(v_max(x, v_set(-87.0f)), v_set(88.0f));
  vf n = v_round(x * v_set(1.44269504f));
  /* f = (x - n ln 2) / ln 2 with ln 2 split in two; the product with the first part is exact even without FMA. */
  vf f = v_fma(n, v_set(-0.693359375f), x);
  f = v_fma(n, v_set(2.12194440e-4f), f) * v_set(1.44269504f);
  vf p = v_set(0.00132764059f);
  p = v_fma(p, f, v_set(0.00967554081f));
  p = v_fma(p, f, v_set(0.0555071348f));
  p = v_fma(p, f, v_set(0.240221197f));
  p = v_fma(p, f, v_set(0.693146967f));
  p = v_fma(p, f, v_set(1.00000007f));
  return (vf)((vi)p + (v_round_i(n) << 23));
}

/* tanh x, absolute error below 3e-7. */
INLINE vf v_tanh(vf x) { return v_set(1.0f) - v_set(2.0f) / (v_exp(x + x) + v_set(1.0f)); }

/* sin(pi x) and cos(pi x), absolute error below 3e-7 for |x| < 1e5. */
INLINE void v_sincospi(vf x, vf *sine, vf *cosine) {
  vi n = v_round_i(x + x);
  vf r = v_fma(v_to_float(n), v_set(-0.5f), x), t = r * r;
  vf s = v_set(-0.589078643f);
  s = v_fma(s, t, v_set(2.5497673f));
  s = v_fma(s, t, v_set(-5.16770783f));
  s = v_fma(s, t, v_set(3.14159264f)) * r;
  vf c = v_set(0.231329712f);
  c = v_fma(c, t, v_set(-1.33504456f));
  c = v_fma(c, t, v_set(4.05870726f));
  c = v_fma(c, t, v_set(-4.93480216f));
  c = v_fma(c, t, v_set(1.0f));
  vi odd = -(n & 1);
  vi sign_s = (n & 2) << 30, sign_c = ((n + 1) & 2) << 30;
  *sine = (vf)(v_select_i(odd, (vi)c, (vi)s) ^ sign_s);
  *cosine = (vf)(v_select_i(odd, (vi)s, (vi)c) ^ sign_c);
}

/* sin(pi x) for 0 <= x <= 0.5, absolute error below 2e-7. */
INLINE vf v_sinpi_half(vf x) {
  vf t = x * x, s = v_set(-0.00702846802f);
  s = v_fma(s, t, v_set(0.0820504528f));
  s = v_fma(s, t, v_set(-0.599252209f));
  s = v_fma(s, t, v_set(2.55016332f));
  s = v_fma(s, t, v_set(-5.16771276f));
  return v_fma(s, t, v_set(3.14159265f)) * x;
}

/* ln x for positive normal x, absolute error below 1e-6 on 1e-10 .. 1e3. */
INLINE vf v_log(vf x) {
  vi bits = (vi)x - v_seti(0x3f3504f3); /* mantissa from sqrt(1/2) to sqrt(2) */
  vi e = bits >> 23;
  vf m = (vf)((bits & v_seti(0x007fffff)) + v_seti(0x3f3504f3)) - v_set(1.0f);
  vf p = v_set(-0.101008762f);
  p = v_fma(p, m, v_set(0.164194535f));
  p = v_fma(p, m, v_set(-0.173337006f));
  p = v_fma(p, m, v_set(0.198731284f));
  p = v_fma(p, m, v_set(-0.249593298f));
  p = v_fma(p, m, v_set(0.333361787f));
  p = v_fma(p, m, v_set(-0.500006677f));
  p = v_fma(p, m, v_set(0.999999814f)) * m;
  return v_fma(v_to_float(e), v_set(0.693147181f), p);
}

/* x (1 + erf(x / sqrt 2)) / 2, error below 4e-7 times max(1, |x|). */
INLINE vf v_gelu(vf x) {
  vf z = v_min(v_max(x * v_set(0.707106781f), v_set(-3.92f)), v_set(3.92f)), t = z * z;
  vf p = v_set(2.03474456e-06f), q = v_set(3.80706401e-05f);
  p = v_fma(p, t, v_set(0.000287477486f));
  q = v_fma(q, t, v_set(0.00118809694f));
  p = v_fma(p, t, v_set(0.00386825455f));
  q = v_fma(q, t, v_set(0.0151721509f));
  p = v_fma(p, t, v_set(0.0530602569f));
  q = v_fma(q, t, v_set(0.115083929f));
  p = v_fma(p, t, v_set(0.192762399f));
  q = v_fma(q, t, v_set(0.504162896f));
  p = v_fma(p, t, v_set(1.12837902f)) * z;
  q = v_fma(q, t, v_set(1.0f));
  vf h = x * v_set(0.5f);
  return v_fma(h, p / q, h);
}

/* Like v_gelu, but without a division. The absolute error is below 3e-4, far less than the step size of the 8-bit products
 * that follow. */
INLINE vf v_gelu_fast(vf x) {
  vf z = v_min(v_max(x, v_set(-3.8f)), v_set(3.8f)), t = z * z;
  vf p = v_set(3.93278223e-08f);
  p = v_fma(p, t, v_set(-2.42106908e-06f));
  p = v_fma(p, t, v_set(6.39801435e-05f));
  p = v_fma(p, t, v_set(-0.000968382558f));
  p = v_fma(p, t, v_set(0.00953189103f));
  p = v_fma(p, t, v_set(-0.0663276197f));
  p = v_fma(p, t, v_set(0.399298219f));
  return x * v_fma(p, z, v_set(0.5f));
}

/* A bijection on 32-bit integers whose outputs look random (two rounds of multiply and shift). */
INLINE vu v_hash(vu x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}
