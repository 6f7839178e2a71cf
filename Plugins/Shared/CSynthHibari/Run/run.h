/* run.h: the state of a sentence. */
#ifndef HB_RUN_H
#define HB_RUN_H

#include "layers.h"

enum {
  HB_BATCH = HB_LANES, /* Frames per batch of the spectral part. */
  HB_AHEAD = 48,       /* Maximum number of decoder frames computed ahead of a batch in one call. */
  HB_TERM_BATCH = 12,  /* Number of symbols whose decoder input terms are computed together. */
  HB_TERMS = 8 * HB_TERM_BATCH
};

/* The seven frames of a convolution belong to at most four units. There may be symbols without a duration between the
   symbols of these units. The last batch may extend beyond the last of these symbols, while the ring must still contain
   the terms of the first. */
_Static_assert(HB_TERMS >= 3 * (HB_MAX_SILENT + 1) + HB_TERM_BATCH, "the ring of terms is too small");

/* The prosody net's outputs for a 12.5 ms frame. */
enum { HB_F0, HB_LOG_F0, HB_ENERGY, HB_FEATURES = 3 };

/* The network between the durations and the spectral frames. */
typedef struct {
  const hb_model *model;
  hb_scratch scratch;
  int count;             /* symbols */
  int64_t units, frames; /* units of 25 ms, frames of 12.5 ms */
  const int32_t *durations;
  int64_t starts[HB_MAX_SYMBOLS + 1]; /* First unit of each symbol, then the end. */
  float *content;                     /* [HB_MAX_SYMBOLS][content width] */
  float *pro_in;                      /* [HB_MAX_SYMBOLS][prosody width], input of the prosody net per symbol */
  hb_stream pro, dec;
  hb_track features; /* HB_FEATURES numbers per frame */
  float *pro_out;    /* [HB_CHUNK][16] */
  float *terms;      /* [HB_TERMS][7 * dec width], ring of the decoder's input terms per symbol */
  int terms_end;
  hb_mode pitch_mode, sound_mode; /* Precision of the prosody net, and of the decoder and the head. */
} hb_network;

int hb_network_create(hb_network *n, hb_arena *arena, const hb_model *model);
void hb_network_begin(hb_network *n, int count, const int32_t *durations);
/* Computes features up to this frame or the end of the sentence, whichever comes first. */
int hb_network_features(hb_network *n, int64_t frame);
/* Computes the decoder's output track up to this frame or the end of the sentence, whichever comes first. */
int hb_network_decode(hb_network *n, int64_t frame);

/* The state of the spectral computations: pulse train, mixing, inverse transform, overlap-add. */
typedef struct {
  float *excitation, *sums;   /* [300][HB_COLUMNS]; column 0 is hop `next` - 2 */
  float *z, *spare;           /* [600][2][16] */
  float *norm, *head, *parts; /* [16][dec width], [16][HB_HEAD], [HB_HEAD][16] */
  float *noise;               /* [601][2][16] */
  float *ready;               /* [18][300] finished samples */
  int ready_count, ready_at;  /* hops */
  int64_t next;               /* Next frame to transform */
  int64_t pulses_end;         /* Hops of the pulse train computed so far */
  uint64_t phase;             /* Phase at the start of hop pulses_end, in 2^-64 cycles. */
  uint64_t seed;
  float pitch;
  const float *factors;
  size_t factor_count;
  const float *injected;
  float center, intonation; /* No scaling if center is 0. */
  hb_trace trace;
} hb_sound;

int hb_sound_create(hb_sound *s, hb_arena *arena, const hb_model *model);
void hb_sound_begin(hb_sound *s, uint64_t seed, float pitch, const float *injected);
/* Transforms the next decoded frames (at most HB_BATCH) and appends hops to `ready`. Returns 0 if a sample is not finite. */
int hb_sound_batch(hb_sound *s, hb_network *n);

struct hb_run {
  const hb_model *model;
  hb_arena *arena;
  hb_text text;
  float *encoded; /* [HB_MAX_SYMBOLS][prosody width] */
  hb_network network;
  hb_sound sound;
  int32_t durations[HB_MAX_SYMBOLS];
  float *factors;
  size_t factor_capacity; /* Capacity of `factors`, a copy of the pitch factors. */
  int active, started;
};

#endif
