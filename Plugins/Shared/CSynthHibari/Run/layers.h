/* layers.h: residual blocks, chains of blocks computed piece by piece, and the text encoders. */
#ifndef HB_LAYERS_H
#define HB_LAYERS_H

#include "../Voice/model.h"
#include "team.h"

enum { HB_CHUNK = 48 }; /* Maximum rows per step of a chain. */

/* The precision of activations in dense layers: 8 bits, 16 bits, or float. */
typedef enum { HB_NARROW, HB_WIDE, HB_FLOAT } hb_mode;

/* Buffers for intermediate results within a layer. `rows` is the maximum number of rows per
   call. */
typedef struct {
  const hb_kernels *kernels;
  hb_mode mode;
  int rows, width, hidden_width;
  float *conv;   /* [rows][width] */
  float *hidden; /* [rows][hidden] */
  uint8_t *q;    /* [2 * rows][max(width, hidden)] */
  float *scale;  /* [rows] */
  int32_t *zero; /* [rows] */
} hb_scratch;

int hb_scratch_create(hb_scratch *s, hb_arena *arena, int rows, int width, int hidden);

/* Returns the buffers starting at `row`. No other thread may use them concurrently. */
hb_scratch hb_scratch_at(const hb_scratch *s, int row);

/* Computes a dense layer from float input rows, in the scratch's mode. */
void hb_dense(hb_scratch *s, const hb_linear *layer, const float *x, int ld, int rows, hb_finish finish);

/* Adds a block's result for `rows` rows to out. x points to the first row that the convolution reads. */
void hb_block_apply(hb_scratch *s, const hb_block *block, const float *x, int rows, float *out);

/* Rows of a sequence, of which only the most recent are stored. */
typedef struct {
  float *data;
  int width, capacity;
  int64_t first; /* Index of the row at data[0]; negative for the zeros before the sequence. */
  int64_t end;   /* Rows below this index have been appended. */
  int64_t keep;  /* Rows below this index may be discarded. */
} hb_track;

int hb_track_create(hb_track *t, hb_arena *arena, int width, int capacity);
void hb_track_begin(hb_track *t, int zeros);
float *hb_track_row(const hb_track *t, int64_t index);
/* Returns space for `rows` rows after the end, or NULL if the capacity is too small. The caller fills the rows and then
   increments `end`. */
float *hb_track_append(hb_track *t, int rows);

/* A chain of blocks whose input arrives in pieces. tracks[0] is the input, tracks[blocks] the output. */
typedef struct {
  const hb_chain *chain;
  hb_track tracks[HB_MAX_BLOCKS + 1];
  int64_t done[HB_MAX_BLOCKS]; /* Rows computed by each block. */
  int64_t total;
  int reach; /* Number of later input rows on which an output row depends. */
} hb_stream;

int hb_stream_create(hb_stream *s, hb_arena *arena, const hb_chain *chain, int extra);
void hb_stream_begin(hb_stream *s, int64_t total);
/* Computes all rows for which there is enough input. Returns 0 if a track overflows, which is a programming error. */
int hb_stream_advance(hb_stream *s, hb_scratch *scratch);

/* Buffers of the text encoders for HB_MAX_SYMBOLS rows. */
typedef struct {
  hb_scratch scratch;
  float *padded; /* [HB_MAX_TAPS - 1 + rows][width] */
  float *norm, *qkv, *merged;
  float *keys[2];   /* [head channels][HB_MAX_SYMBOLS], transposed keys of one head, for each worker */
  float *scores[2]; /* [24][HB_MAX_SYMBOLS] */
  float *wide;   /* [rows][width], output of the first layer of the durations */
  hb_team team;
} hb_text;

int hb_text_create(hb_text *t, hb_arena *arena, const hb_model *model);

/* Returns whether two threads are faster than one for `count` symbols. */
int hb_text_is_long(int count);

/* Encodes `count` symbols into out[count][width]. */
void hb_encode(hb_text *t, const hb_encoder *encoder, const int32_t *ids, int count, float *out);

/* out[count][width] = x[count][inputs] weight[inputs][width]; the row stride of x is `width`. */
void hb_text_multiply(
    hb_text *t, const float *x, int width, const float *weight, int inputs, int count, float *out);

/* Computes durations in units of 25 ms from the prosody encoder's output [count][width]. */
hb_status hb_durations(
    hb_text *t, const hb_model *model, const float *encoded, int count, int32_t *durations, hb_error *error);

#endif
