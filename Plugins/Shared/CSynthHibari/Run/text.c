/* text.c: the text encoders and the durations, computed once for a sentence. */
#include <math.h>
#include <string.h>
#include "layers.h"

/* Rows of keys and scores are not a power of two apart, since such rows would share few places in the cache. */
enum { ROWS = HB_MAX_SYMBOLS, SCORE_ROWS = 24, PITCH = ROWS + 16 };

static int larger(int a, int b) { return a > b ? a : b; }

int hb_text_create(hb_text *t, hb_arena *arena, const hb_model *m) {
  int width = larger(m->content.width, m->prosody.width), hidden = larger(m->content.hidden, m->prosody.hidden);
  size_t w = (size_t)width;
  t->padded = hb_arena_take(arena, (ROWS + HB_MAX_TAPS - 1) * w, 4);
  t->norm = hb_arena_take(arena, ROWS * w, 4);
  t->qkv = hb_arena_take(arena, ROWS * w * 3, 4);
  t->merged = hb_arena_take(arena, ROWS * w, 4);
  t->keys = hb_arena_take(arena, PITCH * w, 4);
  t->scores = hb_arena_take(arena, SCORE_ROWS * PITCH, 4);
  t->wide = hb_arena_take(arena, ROWS * w, 4);
  return t->padded && t->norm && t->qkv && t->merged && t->keys && t->scores && t->wide &&
         hb_scratch_create(&t->scratch, arena, ROWS, width, hidden);
}

/* merged = softmax(Q K^T / sqrt(channels of a head)) V, head by head, in blocks of rows. */
static void attend(hb_text *t, const hb_encoder *e, int count) {
  const hb_kernels *k = t->scratch.kernels;
  int w = e->width, channels = w / e->heads, padded = (count + 15) / 16 * 16;
  for (int h = 0; h < e->heads; h++) {
    const float *q = t->qkv + h * channels, *key = q + w, *value = q + 2 * w;
    for (int r = 0; r < padded; r += 16)
      for (int c = 0; c < channels; c++)
        for (int i = 0; i < 16; i++)
          t->keys[(size_t)c * PITCH + (size_t)(r + i)] =
              r + i < count ? key[(size_t)(r + i) * 3 * (size_t)w + (size_t)c] : 0;
    for (int r = 0; r < count; r += SCORE_ROWS) {
      int rows = count - r < SCORE_ROWS ? count - r : SCORE_ROWS;
      k->matmul(q + (size_t)r * 3 * (size_t)w, 3 * w, t->keys, PITCH, t->scores, PITCH, rows, padded, channels);
      k->softmax(t->scores, PITCH, rows, count, 1.0f / sqrtf((float)channels));
      k->matmul(
          t->scores, PITCH, value, 3 * w, t->merged + (size_t)r * (size_t)w + h * channels, w, rows, channels, count);
    }
  }
}

void hb_encode(hb_text *t, const hb_encoder *e, const int32_t *ids, int count, float *out) {
  const hb_kernels *k = t->scratch.kernels;
  int w = e->width;
  for (int i = 0; i < count; i++)
    memcpy(out + (size_t)i * (size_t)w, e->embedding + (size_t)ids[i] * (size_t)w, (size_t)w * 4);
  for (int b = 0; b < e->blocks; b++) {
    /* A block needs zeros around the rows; the residual is added in place, since the convolution comes first. */
    int before = e->block[b].taps / 2;
    size_t edge = (size_t)before * (size_t)w, body = (size_t)count * (size_t)w;
    memset(t->padded, 0, edge * 4);
    memcpy(t->padded + edge, out, body * 4);
    memset(t->padded + edge + body, 0, edge * 4);
    hb_block_apply(&t->scratch, &e->block[b], t->padded, count, out);
  }
  for (int layer = 0; layer < e->layers; layer++) {
    k->normalize(out, w, count, w, e->norm1_weight, e->norm1_bias, t->norm, w);
    hb_dense(&t->scratch, &e->in, t->norm, w, count, (hb_finish){HB_STORE, t->qkv, 3 * w, NULL});
    attend(t, e, count);
    hb_dense(&t->scratch, &e->out, t->merged, w, count, (hb_finish){HB_RESIDUAL, out, w, NULL});
    k->normalize(out, w, count, w, e->norm2_weight, e->norm2_bias, t->norm, w);
    hb_dense(&t->scratch, &e->ff1, t->norm, w, count, (hb_finish){HB_GELU, t->scratch.hidden, e->ff1.n, NULL});
    hb_dense(&t->scratch, &e->ff2, t->scratch.hidden, e->ff1.n, count, (hb_finish){HB_RESIDUAL, out, w, NULL});
  }
  k->normalize(out, w, count, w, e->norm_weight, e->norm_bias, out, w);
}

hb_status hb_durations(
    hb_text *t, const hb_model *m, const float *encoded, int count, int32_t *durations, hb_error *error) {
  const hb_kernels *k = t->scratch.kernels;
  int w = m->prosody.width;
  size_t edge = (size_t)w, body = (size_t)count * (size_t)w;
  memset(t->padded, 0, edge * 4);
  memcpy(t->padded + edge, encoded, body * 4);
  memset(t->padded + edge + body, 0, edge * 4);
  int all = 0;
  /* Three neighbouring rows lie one after the other, so the convolution is a product with overlapping rows. */
  k->matmul(t->padded, w, m->dur0_weight, w, t->wide, w, count, w, 3 * w);
  k->bias_gelu(t->wide, w, count, w, m->dur0_bias);
  for (int i = 0; i < count; i++) {
    double sum = m->dur1_bias;
    for (int c = 0; c < w; c++) sum += (double)t->wide[(size_t)i * (size_t)w + (size_t)c] * m->dur1_weight[c];
    float units = rintf(expf((float)sum) - 1.0f);
    if (isnan(units)) return hb_fail(error, HB_ERROR_NUMERIC, "The duration of symbol %d is not a number.", i);
    if (units > HB_MAX_UNITS)
      return hb_fail(error, HB_ERROR_MODEL, "Symbol %d lasts longer than %d s.", i, HB_MAX_UNITS / 40);
    durations[i] = units > 1 ? (int32_t)units : 1;
    all += durations[i];
  }
  if (all > HB_MAX_OWN) return hb_fail(error, HB_ERROR_MODEL, "A sentence lasts longer than %d s.", HB_MAX_OWN / 40);
  return HB_OK;
}
