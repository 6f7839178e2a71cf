/* model.h: the weights of a voice, checked and packed. Read-only after loading. */
#ifndef HB_MODEL_H
#define HB_MODEL_H

#include "hibari.h"
#include "../Kernels/kernels.h"

enum {
  HB_MAX_BLOCKS = 16,   /* blocks per chain */
  HB_MAX_WIDTH = 512,   /* channels of an encoder, the prosody net or the decoder */
  HB_MAX_HIDDEN = 2048, /* channels between the two products of a block */
  HB_MAX_TAPS = 7,
  HB_MAX_DILATION = 16
};

/* A residual block: x + gamma * pw2(gelu(pw1(norm(depthwise(x))))). */
typedef struct {
  int width, hidden, taps, dilation;
  const float *dw_weight;                                 /* [taps][width] */
  const float *dw_bias, *norm_weight, *norm_bias, *gamma; /* [width] */
  hb_linear pw1, pw2;
} hb_block;

/* A text encoder: embedding, blocks, `layers` passes through one pre-norm attention layer, norm. */
typedef struct {
  int width, hidden, heads, layers, blocks;
  const float *embedding; /* [vocabulary][width] */
  hb_block block[HB_MAX_BLOCKS];
  const float *norm1_weight, *norm1_bias, *norm2_weight, *norm2_bias, *norm_weight, *norm_bias;
  hb_linear in, out, ff1, ff2; /* `in` computes queries, keys, values */
} hb_encoder;

/* A sequence of blocks. */
typedef struct {
  int width, hidden, blocks;
  hb_block block[HB_MAX_BLOCKS];
} hb_chain;

struct hb_model {
  const hb_kernels *kernels;
  hb_tables tables;
  int vocabulary;
  hb_encoder content, prosody;          /* The encoder for the decoder; the encoder for durations and pitch. */
  const float *dur0_weight, *dur0_bias; /* [3 * width][width], [width] */
  const float *dur1_weight;             /* [width] */
  float dur1_bias;
  const float *pro_in_weight, *pro_in_bias; /* [width][width], [width] */
  hb_chain pro;
  const float *pro_out_weight; /* [width][16]; columns 0 to 3 are f0 even, f0 odd, e even, e odd */
  float pro_out_bias[4];
  float f0_scale, e_scale, f0_offset, f0_divisor, e_divisor; /* See tensor `const` in the engine's README.md. */
  const float *dec_in_weight;                                /* [content width][7 * dec width] */
  const float *dec_in_features;                              /* [2][7][dec width]: log f0, e */
  const float *dec_in_bias;
  hb_chain dec;
  const float *dec_norm_weight, *dec_norm_bias;
  hb_linear head; /* HB_HEAD outputs: five parts of HB_PART, of which HB_BINS are used */
  struct hb_arena *arena;
};

void hb_tables_fill(hb_tables *tables);

/* Sets `error` and returns `code`. `error` may be NULL. */
hb_status hb_fail(hb_error *error, hb_status code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Memory that is freed as a unit. Blocks are aligned to 64 bytes and zeroed. Returns NULL if memory is exhausted. */
typedef struct hb_arena hb_arena;
hb_arena *hb_arena_create(void);
void *hb_arena_take(hb_arena *arena, size_t count, size_t size);
void hb_arena_free(hb_arena *arena);

#endif
