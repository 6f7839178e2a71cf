/* text.c: the text encoders and the durations, computed once per sentence. */
#include <math.h>
#include <string.h>
#include "layers.h"

/* The row stride of keys and scores is not a power of two; otherwise, all rows would compete for the same cache
   sets. */
enum { ROWS = HB_MAX_SYMBOLS, SCORE_ROWS = 24, PITCH = ROWS + 16, ROW_TILE = 8 };

/* With fewer symbols than this, one thread is faster than two. */
enum { SHARED_ROWS = 64, PARTS = 4 };

int hb_text_is_long(int count) { return count >= SHARED_ROWS; }

static int parts_of(const hb_text *t, int count) { return t->team.active && hb_text_is_long(count) ? PARTS : 1; }

static int larger(int a, int b) { return a > b ? a : b; }

int hb_text_create(hb_text *t, hb_arena *arena, const hb_model *m) {
  int width = larger(m->content.width, m->prosody.width), hidden = larger(m->content.hidden, m->prosody.hidden);
  size_t w = (size_t)width;
  t->padded = hb_arena_take(arena, (ROWS + HB_MAX_TAPS - 1) * w, 4);
  t->norm = hb_arena_take(arena, ROWS * w, 4);
  t->qkv = hb_arena_take(arena, ROWS * w * 3, 4);
  t->merged = hb_arena_take(arena, ROWS * w, 4);
  for (int i = 0; i < 2; i++) {
    t->keys[i] = hb_arena_take(arena, PITCH * w, 4);
    t->scores[i] = hb_arena_take(arena, SCORE_ROWS * PITCH, 4);
  }
  t->wide = hb_arena_take(arena, ROWS * w, 4);
  return t->padded && t->norm && t->qkv && t->merged && t->keys[1] && t->scores[1] && t->keys[0] && t->scores[0] && t->wide &&
         hb_scratch_create(&t->scratch, arena, ROWS, width, hidden);
}

/* One step of an encoder, on `count` rows. */
typedef struct {
  hb_text *text;
  const hb_encoder *encoder;
  int count, parts, block;
  float *out;
} step;

/* The rows of one part. Each part begins at a tile boundary of the matrix products. */
typedef struct {
  int first, count;
} rows;

static rows part_of(int count, int parts, int part) {
  int first = count * part / parts / ROW_TILE * ROW_TILE;
  int end = part + 1 == parts ? count : count * (part + 1) / parts / ROW_TILE * ROW_TILE;
  return (rows){first, end - first};
}

static void apply_block(void *context, int part, int worker) {
  (void)worker;
  const step *s = context;
  rows r = part_of(s->count, s->parts, part);
  hb_scratch scratch = hb_scratch_at(&s->text->scratch, r.first);
  size_t start = (size_t)r.first * (size_t)s->encoder->width;
  hb_block_apply(&scratch, &s->encoder->block[s->block], s->text->padded + start, r.count, s->out + start);
}

/* Computes the queries, keys and values of the rows. */
static void ask(void *context, int part, int worker) {
  (void)worker;
  const step *s = context;
  const hb_encoder *e = s->encoder;
  hb_text *t = s->text;
  rows r = part_of(s->count, s->parts, part);
  hb_scratch scratch = hb_scratch_at(&t->scratch, r.first);
  int w = e->width;
  size_t start = (size_t)r.first * (size_t)w;
  scratch.kernels->normalize(s->out + start, w, r.count, w, e->norm1_weight, e->norm1_bias, t->norm + start, w);
  hb_dense(&scratch, &e->in, t->norm + start, w, r.count, (hb_finish){HB_STORE, t->qkv + 3 * start, 3 * w, NULL});
}

/* merged = softmax(Q K^T / sqrt(channels per head)) V for one head, computed in blocks of rows. */
static void attend(void *context, int head, int worker) {
  const step *s = context;
  hb_text *t = s->text;
  const hb_kernels *k = t->scratch.kernels;
  float *keys = t->keys[worker], *scores = t->scores[worker];
  int w = s->encoder->width, channels = w / s->encoder->heads, count = s->count, padded = (count + 15) / 16 * 16;
  const float *q = t->qkv + head * channels, *key = q + w, *value = q + 2 * w;
  for (int r = 0; r < padded; r += 16)
    for (int c = 0; c < channels; c++)
      for (int i = 0; i < 16; i++)
        keys[(size_t)c * PITCH + (size_t)(r + i)] =
            r + i < count ? key[(size_t)(r + i) * 3 * (size_t)w + (size_t)c] : 0;
  for (int r = 0; r < count; r += SCORE_ROWS) {
    int n = count - r < SCORE_ROWS ? count - r : SCORE_ROWS;
    k->matmul(q + (size_t)r * 3 * (size_t)w, 3 * w, keys, PITCH, scores, PITCH, n, padded, channels);
    k->softmax(scores, PITCH, n, count, 1.0f / sqrtf((float)channels));
    k->matmul(scores, PITCH, value, 3 * w, t->merged + (size_t)r * (size_t)w + head * channels, w, n, channels, count);
  }
}

/* Computes everything that follows the attention. */
static void answer(void *context, int part, int worker) {
  (void)worker;
  const step *s = context;
  const hb_encoder *e = s->encoder;
  hb_text *t = s->text;
  rows r = part_of(s->count, s->parts, part);
  hb_scratch scratch = hb_scratch_at(&t->scratch, r.first);
  int w = e->width;
  size_t start = (size_t)r.first * (size_t)w;
  float *out = s->out + start, *norm = t->norm + start;
  hb_dense(&scratch, &e->out, t->merged + start, w, r.count, (hb_finish){HB_RESIDUAL, out, w, NULL});
  scratch.kernels->normalize(out, w, r.count, w, e->norm2_weight, e->norm2_bias, norm, w);
  hb_dense(&scratch, &e->ff1, norm, w, r.count, (hb_finish){HB_GELU, scratch.hidden, e->ff1.n, NULL});
  hb_dense(&scratch, &e->ff2, scratch.hidden, e->ff1.n, r.count, (hb_finish){HB_RESIDUAL, out, w, NULL});
}

void hb_encode(hb_text *t, const hb_encoder *e, const int32_t *ids, int count, float *out) {
  int w = e->width;
  step s = {t, e, count, parts_of(t, count), 0, out};
  for (int i = 0; i < count; i++)
    memcpy(out + (size_t)i * (size_t)w, e->embedding + (size_t)ids[i] * (size_t)w, (size_t)w * 4);
  for (s.block = 0; s.block < e->blocks; s.block++) {
    /* A block needs zeros before and after the rows. Adding the residual in place is safe, because the convolution has
       already read the rows. */
    int before = e->block[s.block].taps / 2;
    size_t edge = (size_t)before * (size_t)w, body = (size_t)count * (size_t)w;
    memset(t->padded, 0, edge * 4);
    memcpy(t->padded + edge, out, body * 4);
    memset(t->padded + edge + body, 0, edge * 4);
    hb_team_do(&t->team, s.parts, apply_block, &s);
  }
  for (int layer = 0; layer < e->layers; layer++) {
    hb_team_do(&t->team, s.parts, ask, &s);
    hb_team_do(&t->team, e->heads, attend, &s);
    hb_team_do(&t->team, s.parts, answer, &s);
  }
  t->scratch.kernels->normalize(out, w, count, w, e->norm_weight, e->norm_bias, out, w);
}

/* A product of float matrices, computed in parts of several rows. */
typedef struct {
  const hb_kernels *kernels;
  const float *x, *weight;
  int width, inputs, count, parts; /* row stride of `x` and the result; inputs per row of the product */
  float *out;
} product;

static void multiply(void *context, int part, int worker) {
  (void)worker;
  const product *p = context;
  rows r = part_of(p->count, p->parts, part);
  size_t start = (size_t)r.first * (size_t)p->width;
  p->kernels->matmul(p->x + start, p->width, p->weight, p->width, p->out + start, p->width, r.count, p->width, p->inputs);
}

void hb_text_multiply(
    hb_text *t, const float *x, int width, const float *weight, int inputs, int count, float *out) {
  product p = {t->scratch.kernels, x, weight, width, inputs, count, parts_of(t, count), out};
  hb_team_do(&t->team, p.parts, multiply, &p);
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
  /* Three adjacent rows are contiguous in memory, so the convolution is a product with overlapping rows. */
  hb_text_multiply(t, t->padded, w, m->dur0_weight, 3 * w, count, t->wide);
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
