/* network.c: prosody net and decoder, computed piece by piece. */
#include <math.h>
#include <string.h>
#include "run.h"

static int larger(int a, int b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

int hb_network_create(hb_network *n, hb_arena *arena, const hb_model *m) {
  n->model = m;
  int width = larger(m->pro.width, m->dec.width), hidden = larger(m->pro.hidden, m->dec.hidden);
  n->content = hb_arena_take(arena, HB_MAX_SYMBOLS * (size_t)m->content.width, 4);
  n->pro_in = hb_arena_take(arena, HB_MAX_SYMBOLS * (size_t)m->pro.width, 4);
  n->pro_out = hb_arena_take(arena, HB_CHUNK * 16, 4);
  n->terms = hb_arena_take(arena, HB_TERMS * 7 * (size_t)m->dec.width, 4);
  if (!n->content || !n->pro_in || !n->pro_out || !n->terms ||
      !hb_scratch_create(&n->scratch, arena, HB_CHUNK, width, hidden) || !hb_stream_create(&n->pro, arena, &m->pro, 0))
    return 0;
  if (!hb_stream_create(&n->dec, arena, &m->dec, HB_AHEAD + 2 * HB_BATCH)) return 0;
  /* The decoder runs ahead of the audio, and the prosody net runs ahead of the decoder by complete
     chunks. */
  int frames = 2 * (2 * HB_CHUNK + n->pro.reach) + n->dec.reach + HB_AHEAD + 2 * HB_CHUNK + 64;
  return hb_track_create(&n->features, arena, HB_FEATURES, frames);
}

void hb_network_begin(hb_network *n, int count, const int32_t *durations) {
  n->count = count;
  n->durations = durations;
  n->starts[0] = 0;
  for (int i = 0; i < count; i++) n->starts[i + 1] = n->starts[i] + durations[i];
  n->units = n->starts[count];
  n->frames = n->units * HB_UNIT_FRAMES;
  n->terms_end = 0;
  hb_stream_begin(&n->pro, n->units);
  hb_stream_begin(&n->dec, n->frames);
  hb_track_begin(&n->features, 0);
}

/* Returns the symbol at a unit; `hint` is the index of a nearby symbol. */
static int symbol_at(const hb_network *n, int64_t unit, int hint) {
  while (hint + 1 < n->count && n->starts[hint + 1] <= unit) hint++;
  while (hint > 0 && n->starts[hint] > unit) hint--;
  return hint;
}

/* Converts the prosody net's finished rows to features. */
static int take_features(hb_network *n) {
  const hb_model *m = n->model;
  hb_track *out = &n->pro.tracks[m->pro.blocks];
  while (out->keep < out->end) {
    int rows = (int)smaller(out->end - out->keep, HB_CHUNK);
    n->scratch.kernels->matmul(
        hb_track_row(out, out->keep), out->width, m->pro_out_weight, 16, n->pro_out, 16, rows, 16, out->width);
    float *to = hb_track_append(&n->features, rows * HB_UNIT_FRAMES);
    if (!to) return 0;
    for (int r = 0; r < rows; r++)
      for (int half = 0; half < HB_UNIT_FRAMES; half++, to += HB_FEATURES) {
        const float *y = n->pro_out + r * 16;
        float f0 = (y[half] + m->pro_out_bias[half]) * m->f0_scale;
        to[HB_F0] = f0;
        to[HB_LOG_F0] = logf(m->f0_offset + (f0 > 0 ? f0 : 0)) / m->f0_divisor;
        to[HB_ENERGY] = (y[2 + half] + m->pro_out_bias[2 + half]) * m->e_scale / m->e_divisor;
      }
    n->features.end += rows * HB_UNIT_FRAMES;
    out->keep += rows;
  }
  return 1;
}

int hb_network_features(hb_network *n, int64_t frame) {
  const hb_model *m = n->model;
  frame = smaller(frame, n->frames);
  hb_track *in = &n->pro.tracks[0];
  while (n->features.end < frame) {
    /* The first piece is as short as possible; later pieces are full chunks, which cost less per frame. */
    int64_t want = smaller(n->units, (frame + 1) / 2 + n->pro.reach) - in->end;
    if (in->end > 0 && want < HB_CHUNK) want = HB_CHUNK;
    int rows = (int)smaller(smaller(want, HB_CHUNK), n->units - in->end);
    float *to = hb_track_append(in, rows);
    if (!to) return 0;
    int symbol = 0;
    size_t w = (size_t)m->pro.width;
    for (int r = 0; r < rows; r++) {
      symbol = symbol_at(n, in->end + r, symbol);
      memcpy(to + (size_t)r * w, n->pro_in + (size_t)symbol * w, w * 4);
    }
    in->end += rows;
    n->scratch.mode = n->pitch_mode;
    if (!hb_stream_advance(&n->pro, &n->scratch) || !take_features(n)) return 0;
  }
  return 1;
}

/* The decoder's first convolution for `rows` frames. The seven terms for each symbol are computed only
   once. */
static void decoder_input(hb_network *n, int64_t frame, int rows, float *to) {
  const hb_model *m = n->model;
  size_t w = (size_t)m->dec.width, term = 7 * w;
  int first = symbol_at(n, (frame > 3 ? frame - 3 : 0) / 2, 0), symbol = first;
  for (int r = 0; r < rows; r++, to += w) {
    const float *taps[7];
    float e[14] = {0};
    symbol = first;
    for (int t = 0; t < 7; t++) {
      int64_t at = frame + r + t - 3;
      taps[t] = NULL;
      if (at < 0 || at >= n->frames) continue;
      symbol = symbol_at(n, at / 2, symbol);
      if (t == 0) first = symbol;
      while (n->terms_end <= symbol) {
        int batch = (int)smaller(HB_TERM_BATCH, n->count - n->terms_end);
        n->scratch.kernels->matmul(n->content + (size_t)n->terms_end * (size_t)m->content.width, m->content.width,
            m->dec_in_weight, (int)term, n->terms + (size_t)(n->terms_end % HB_TERMS) * term, (int)term, batch,
            (int)term, m->content.width);
        n->terms_end += batch;
      }
      taps[t] = n->terms + (size_t)(symbol % HB_TERMS) * term + (size_t)t * w;
      const float *f = hb_track_row(&n->features, at);
      e[2 * t] = f[HB_LOG_F0];
      e[2 * t + 1] = f[HB_ENERGY];
    }
    n->scratch.kernels->first_row(taps, e, m->dec_in_features, m->dec_in_bias, (int)w, to);
  }
}

int hb_network_decode(hb_network *n, int64_t frame) {
  hb_track *in = &n->dec.tracks[0], *out = &n->dec.tracks[n->dec.chain->blocks];
  frame = smaller(frame, n->frames);
  if (n->features.keep < out->keep - 2) n->features.keep = out->keep - 2; /* First frame whose f0 the pulse train needs. */
  while (out->end < frame) {
    int rows = (int)smaller(smaller(n->frames, frame + n->dec.reach) - in->end, HB_CHUNK);
    if (rows > 0) {
      if (!hb_network_features(n, in->end + rows + 3)) return 0;
      float *to = hb_track_append(in, rows);
      if (!to) return 0;
      decoder_input(n, in->end, rows, to);
      in->end += rows;
    }
    n->scratch.mode = n->sound_mode;
    if (!hb_stream_advance(&n->dec, &n->scratch)) return 0;
  }
  return 1;
}
