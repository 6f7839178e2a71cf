/* sound.c: converts decoder frames to samples, in batches of 16 frames. */
#include <math.h>
#include <string.h>
#include "run.h"

int hb_sound_create(hb_sound *s, hb_arena *arena, const hb_model *m) {
  s->excitation = hb_arena_take(arena, 300 * HB_COLUMNS, 4);
  s->sums = hb_arena_take(arena, 300 * HB_COLUMNS, 4);
  s->z = hb_arena_take(arena, HB_POINTS * 32, 4);
  s->spare = hb_arena_take(arena, HB_POINTS * 32, 4);
  s->norm = hb_arena_take(arena, HB_BATCH * (size_t)m->dec.width, 4);
  s->head = hb_arena_take(arena, HB_BATCH * HB_HEAD, 4);
  s->parts = hb_arena_take(arena, HB_BATCH * HB_HEAD, 4);
  s->noise = hb_arena_take(arena, HB_BINS * 32, 4);
  s->ready = hb_arena_take(arena, (HB_BATCH + 2) * HB_HOP, 4);
  return s->excitation && s->sums && s->z && s->spare && s->norm && s->head && s->parts && s->noise && s->ready;
}

void hb_sound_begin(hb_sound *s, uint64_t seed, float pitch, const float *injected) {
  memset(s->sums, 0, 300 * HB_COLUMNS * 4);
  memset(s->excitation, 0, 300 * HB_COLUMNS * 4);
  s->ready_count = s->ready_at = 0;
  s->next = s->pulses_end = 0;
  s->phase = 0;
  s->seed = seed;
  s->pitch = pitch;
  s->injected = injected;
  s->factors = NULL;
  s->factor_count = 0;
  s->center = 0;
  s->intonation = 1;
  s->trace = (hb_trace){0};
}

/* Returns a frame's f0 after scaling, limited so that the phase advances by less than half a cycle per sample. Frames
   beyond the ends repeat the first or last frame. */
static float pitch_at(const hb_sound *s, const hb_network *n, int64_t frame) {
  if (frame < 0) frame = 0;
  if (frame >= n->frames) frame = n->frames - 1;
  float f = hb_track_row(&n->features, frame)[HB_F0];
  if (s->center > 0 && s->intonation != 1 && f >= 40) f = s->center * powf(f / s->center, s->intonation);
  f *= s->pitch;
  if ((uint64_t)frame < s->factor_count) f *= s->factors[frame];
  const float limit = 11900.0f;
  return f > -limit ? (f < limit ? f : limit) : f <= -limit ? -limit : 0; /* NaN becomes 0. */
}

/* Appends up to 16 hops to the pulse train. */
static void add_pulses(hb_sound *s, const hb_network *n) {
  float f[3 * HB_LANES];
  uint64_t phase[HB_LANES], advance[HB_LANES];
  int hops = (int)(n->frames - s->pulses_end < HB_LANES ? n->frames - s->pulses_end : HB_LANES);
  for (int l = 0; l < HB_LANES; l++)
    for (int i = 0; i < 3; i++) f[i * HB_LANES + l] = pitch_at(s, n, s->pulses_end + (l < hops ? l : hops - 1) + i - 1);
  n->scratch.kernels->pulses(f, NULL, advance, NULL);
  for (int l = 0; l < HB_LANES; l++) {
    phase[l] = s->phase;
    if (l < hops) s->phase += advance[l];
  }
  n->scratch.kernels->pulses(f, phase, advance, s->excitation + (s->pulses_end - (s->next - 2)));
  s->pulses_end += hops;
}

/* Extends the pulse train to cover frames next .. next + frames - 1, with reflected ends. */
static void prepare_pulses(hb_sound *s, const hb_network *n, int frames) {
  int64_t last = s->next + frames + 1;
  while (s->pulses_end < (last < n->frames ? last : n->frames)) add_pulses(s, n);
  float *x = s->excitation;
  const int row = HB_COLUMNS;
  if (s->next == 0) /* Columns 0 and 1 are the 600 samples before the start; column 2 is hop 0. */
    for (int j = 0; j < 300; j++) {
      x[j * row + 1] = j ? x[(300 - j) * row + 2] : x[3];
      x[j * row] = j ? x[(300 - j) * row + 3] : x[4];
    }
  if (s->next + frames == n->frames) {
    float *end = x + frames + 2; /* Hop n->frames. */
    for (int j = 0; j < 300; j++) end[j * row] = j < 299 ? x[(298 - j) * row + frames + 1] : x[299 * row + frames];
  }
}

static uint64_t scramble(uint64_t x) { /* SplitMix64 */
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static const float *inject(hb_sound *s, int frames) {
  if (!s->injected) return NULL;
  for (int l = 0; l < frames; l++) {
    const float *from = s->injected + (size_t)(s->next + l) * HB_BINS * 2;
    for (int b = 0; b < HB_BINS * 2; b++) s->noise[b * HB_LANES + l] = from[b];
  }
  return s->noise;
}

/* Moves finished hops from the sums to `ready`. Returns 0 if a sample is not finite. */
static int emit(hb_sound *s, const hb_network *n, int frames) {
  const hb_tables *t = &n->model->tables;
  int64_t base = s->next - 2;
  int from = base < 0 ? (int)-base : 0, to = s->next + frames == n->frames ? frames + 2 : frames;
  float check = 0;
  s->ready_count = to > from ? to - from : 0;
  s->ready_at = 0;
  for (int j = 0; j < 300; j++)
    for (int c = from; c < to; c++) {
      float y = s->sums[j * HB_COLUMNS + c];
      check += y * 0;
      s->ready[(c - from) * HB_HOP + j] = y;
    }
  for (int c = from; c < to; c++) {
    int64_t hop = base + c;
    const float *edge = hop == 0               ? t->edge[0]
                        : hop == n->frames - 2 ? t->edge[1]
                        : hop == n->frames - 1 ? t->edge[2]
                                               : NULL;
    if (edge)
      for (int j = 0; j < 300; j++) s->ready[(c - from) * HB_HOP + j] *= edge[j];
  }
  return check == 0;
}

static void trace(const hb_sound *s, const hb_network *n, int frames) {
  for (int l = 0; l < frames && (uint64_t)(s->next + l) < s->trace.frames; l++) {
    if (s->trace.pitch) s->trace.pitch[s->next + l] = pitch_at(s, n, s->next + l);
    float *parts = s->trace.parts ? s->trace.parts + (size_t)(s->next + l) * 5 * HB_BINS : NULL;
    for (int p = 0; parts && p < 5; p++)
      memcpy(parts + p * HB_BINS, s->head + (size_t)l * HB_HEAD + p * HB_PART, HB_BINS * sizeof *parts);
  }
}

int hb_sound_batch(hb_sound *s, hb_network *n) {
  const hb_model *m = n->model;
  const hb_kernels *k = n->scratch.kernels;
  hb_track *decoded = &n->dec.tracks[m->dec.blocks];
  int64_t available = decoded->end - s->next;
  int frames = (int)(available < HB_BATCH ? available : HB_BATCH);
  k->normalize(hb_track_row(decoded, s->next), m->dec.width, frames, m->dec.width, m->dec_norm_weight, m->dec_norm_bias,
      s->norm, m->dec.width);
  decoded->keep = s->next + frames;
  n->scratch.mode = n->sound_mode;
  hb_dense(&n->scratch, &m->head, s->norm, m->dec.width, frames, (hb_finish){HB_STORE, s->head, HB_HEAD, NULL});
  trace(s, n, frames);
  k->transpose(s->head, HB_HEAD, frames, HB_HEAD, s->parts);
  uint32_t keys[2 * HB_LANES];
  for (int l = 0; l < HB_LANES; l++) {
    uint64_t key = scramble(s->seed + scramble((uint64_t)(s->next + l)));
    keys[l] = (uint32_t)key;
    keys[HB_LANES + l] = (uint32_t)(key >> 32);
  }
  prepare_pulses(s, n, frames);
  k->window(&m->tables, s->excitation, s->z);
  k->transform(&m->tables, s->z, s->spare);
  k->spectrum(&m->tables, s->parts, keys, inject(s, frames), s->z);
  k->transform(&m->tables, s->z, s->spare);
  k->overlap(&m->tables, s->z, frames, s->sums);
  int finite = emit(s, n, frames);
  for (int j = 0; j < 300; j++) { /* The next batch begins in column 0. */
    float *x = s->excitation + j * HB_COLUMNS, *y = s->sums + j * HB_COLUMNS;
    memmove(x, x + frames, (size_t)(HB_COLUMNS - frames) * 4);
    memmove(y, y + frames, 4 * sizeof *y);
    memset(y + 4, 0, 20 * sizeof *y);
  }
  s->next += frames;
  return finite;
}
