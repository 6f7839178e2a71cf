/* layers.c: dense layers, residual blocks, and chains of blocks computed piece by piece. */
#include <string.h>
#include "layers.h"

int hb_scratch_create(hb_scratch *s, hb_arena *arena, int rows, int width, int hidden) {
  size_t r = (size_t)rows, most = (size_t)(hidden > width ? hidden : width);
  s->rows = rows;
  s->width = width;
  s->hidden_width = hidden;
  s->conv = hb_arena_take(arena, r * (size_t)width, 4);
  s->hidden = hb_arena_take(arena, r * (size_t)hidden, 4);
  s->q = hb_arena_take(arena, 2 * r * most, 1);
  s->scale = hb_arena_take(arena, r, 4);
  s->zero = hb_arena_take(arena, r, 4);
  return s->conv && s->hidden && s->q && s->scale && s->zero;
}

hb_scratch hb_scratch_at(const hb_scratch *s, int row) {
  size_t r = (size_t)row, most = (size_t)(s->hidden_width > s->width ? s->hidden_width : s->width);
  hb_scratch part = *s;
  part.rows -= row;
  part.conv += r * (size_t)s->width;
  part.hidden += r * (size_t)s->hidden_width;
  part.q += 2 * r * most;
  part.scale += r;
  part.zero += r;
  return part;
}

void hb_dense(hb_scratch *s, const hb_linear *layer, const float *x, int ld, int rows, hb_finish finish) {
  const hb_kernels *k = s->kernels;
  switch (s->mode) {
  case HB_FLOAT: k->product_exact(layer, x, ld, rows, &finish); break;
  case HB_WIDE:
    k->quantize_wide(x, ld, rows, layer->k, s->q, s->scale, s->zero);
    k->product_wide(layer, s->q, s->scale, s->zero, rows, &finish);
    break;
  case HB_NARROW:
    k->quantize(x, ld, rows, layer->k, s->q, s->scale, s->zero);
    k->product(layer, s->q, s->scale, s->zero, rows, &finish);
    break;
  }
}

void hb_block_apply(hb_scratch *s, const hb_block *b, const float *x, int rows, float *out) {
  const hb_kernels *k = s->kernels;
  int w = b->width;
  k->depthwise(x, rows, w, b->taps, b->dilation, b->dw_weight, b->dw_bias, s->conv);
  k->normalize(s->conv, w, rows, w, b->norm_weight, b->norm_bias, s->conv, w);
  hb_dense(s, &b->pw1, s->conv, w, rows, (hb_finish){HB_GELU, s->hidden, b->hidden, NULL});
  hb_dense(s, &b->pw2, s->hidden, b->hidden, rows, (hb_finish){HB_RESIDUAL, out, w, b->gamma});
}

int hb_track_create(hb_track *t, hb_arena *arena, int width, int capacity) {
  *t = (hb_track){.width = width, .capacity = capacity};
  t->data = hb_arena_take(arena, (size_t)width * (size_t)capacity, 4);
  return t->data != NULL;
}

void hb_track_begin(hb_track *t, int zeros) {
  memset(t->data, 0, (size_t)zeros * (size_t)t->width * 4);
  t->first = t->keep = -zeros;
  t->end = 0;
}

float *hb_track_row(const hb_track *t, int64_t index) { return t->data + (index - t->first) * t->width; }

float *hb_track_append(hb_track *t, int rows) {
  if (t->end + rows - t->first > t->capacity) {
    int64_t kept = t->end - t->keep;
    if (kept < 0 || kept + rows > t->capacity) return NULL;
    memmove(t->data, hb_track_row(t, t->keep), (size_t)(kept * t->width) * 4);
    t->first = t->keep;
  }
  return hb_track_row(t, t->end);
}

static int reach(const hb_block *b) { return b->taps / 2 * b->dilation; }

int hb_stream_create(hb_stream *s, hb_arena *arena, const hb_chain *chain, int extra) {
  s->chain = chain;
  s->reach = 0;
  for (int i = 0; i < chain->blocks; i++) s->reach += reach(&chain->block[i]);
  for (int i = 0; i <= chain->blocks; i++) {
    int own = i < chain->blocks ? 3 * reach(&chain->block[i]) : extra;
    if (!hb_track_create(&s->tracks[i], arena, chain->width, own + s->reach + 2 * HB_CHUNK)) return 0;
  }
  return 1;
}

void hb_stream_begin(hb_stream *s, int64_t total) {
  s->total = total;
  for (int i = 0; i <= s->chain->blocks; i++) {
    hb_track_begin(&s->tracks[i], i < s->chain->blocks ? reach(&s->chain->block[i]) : 0);
    if (i < s->chain->blocks) s->done[i] = 0;
  }
}

int hb_stream_advance(hb_stream *s, hb_scratch *scratch) {
  for (int i = 0; i < s->chain->blocks; i++) {
    const hb_block *b = &s->chain->block[i];
    hb_track *in = &s->tracks[i], *out = &s->tracks[i + 1];
    int64_t limit = in->end - reach(b);
    if (in->end == s->total) { /* The sequence is complete; append zeros. */
      float *zeros = hb_track_append(in, reach(b));
      if (!zeros) return 0;
      memset(zeros, 0, (size_t)(reach(b) * b->width) * 4);
      limit = s->total;
    }
    while (s->done[i] < limit) {
      int rows = (int)(limit - s->done[i] < HB_CHUNK ? limit - s->done[i] : HB_CHUNK);
      float *to = hb_track_append(out, rows);
      if (!to) return 0;
      memcpy(to, hb_track_row(in, s->done[i]), (size_t)(rows * b->width) * 4);
      hb_block_apply(scratch, b, hb_track_row(in, s->done[i] - reach(b)), rows, to);
      s->done[i] += rows;
      out->end += rows;
      in->keep = s->done[i] - reach(b);
    }
  }
  return 1;
}
