/* A voice with few channels and pseudo-random weights, for testing the compute core. Its audio is noise. */
#pragma once

#include <math.h>
#include <stdbool.h>

#include "check.h"
#include "hibari.h"

enum { VOCABULARY = 20, CONTENT = 16, PROSODY = 32, DECODER = 32, HIDDEN = 48, MOST_TENSORS = 160 };

struct small_voice {
  hb_tensor tensors[MOST_TENSORS];
  size_t count;
};

/* `sizes` ends with 0. The magnitude of floats is at most `scale`. */
static inline void add_tensor(struct small_voice *v, const char *name, hb_type type, const uint32_t *sizes, float scale) {
  hb_tensor *t = &v->tensors[v->count++];
  size_t count = 1;
  char *copy = malloc(strlen(name) + 1);
  *t = (hb_tensor){.name = strcpy(copy, name), .name_length = strlen(name), .type = type, .dims = {1, 1, 1, 1}};
  for (; sizes[t->rank]; t->rank++) t->dims[t->rank] = sizes[t->rank], count *= sizes[t->rank];
  t->size = count * (type == HB_INT8 ? 1 : 4);
  char *data = malloc(t->size);
  for (size_t i = 0; i < count; i++) {
    float number = random_number();
    if (type == HB_INT8) data[i] = (char)(int8_t)(127 * number);
    else memcpy(data + 4 * i, &(float){scale * number}, 4);
  }
  t->data = data;
}

#define ADD(v, name, type, scale, ...) add_tensor(v, name, type, (const uint32_t[]){__VA_ARGS__, 0}, scale)

static inline void set_integer(struct small_voice *v, const char *name, int32_t value) {
  ADD(v, name, HB_INT32, 0, 1);
  memcpy((void *)v->tensors[v->count - 1].data, &value, 4);
}

static inline void set_floats(struct small_voice *v, const char *name, const float *values, uint32_t count) {
  ADD(v, name, HB_FLOAT32, 0, count);
  memcpy((void *)v->tensors[v->count - 1].data, values, 4 * count);
}

static inline void add_norm(struct small_voice *v, const char *prefix, uint32_t width) {
  char name[96];
  snprintf(name, sizeof name, "%s.w", prefix);
  ADD(v, name, HB_FLOAT32, 1, width);
  snprintf(name, sizeof name, "%s.b", prefix);
  ADD(v, name, HB_FLOAT32, 0.1f, width);
}

static inline void add_dense(struct small_voice *v, const char *prefix, uint32_t in, uint32_t out) {
  char name[96];
  snprintf(name, sizeof name, "%s.w", prefix);
  ADD(v, name, HB_INT8, 0, in, out);
  snprintf(name, sizeof name, "%s.s", prefix);
  ADD(v, name, HB_FLOAT32, 0.02f, out);
  snprintf(name, sizeof name, "%s.b", prefix);
  ADD(v, name, HB_FLOAT32, 0.2f, out);
}

static inline void add_convolution(struct small_voice *v, const char *prefix, uint32_t out, uint32_t in, uint32_t taps) {
  char name[96];
  snprintf(name, sizeof name, "%s.w", prefix);
  ADD(v, name, HB_FLOAT32, 1.5f / sqrtf((float)(in * taps)), out, in, taps);
  snprintf(name, sizeof name, "%s.b", prefix);
  ADD(v, name, HB_FLOAT32, 0.1f, out);
}

static inline void add_blocks(struct small_voice *v, const char *prefix, uint32_t width, uint32_t taps, int count) {
  char block[56], name[72];
  for (int i = 0; i < count; i++) {
    snprintf(block, sizeof block, "%s.%d", prefix, i);
    snprintf(name, sizeof name, "%s.dw", block);
    add_convolution(v, name, width, 1, taps);
    snprintf(name, sizeof name, "%s.dilation", block);
    set_integer(v, name, taps == 7 && i == 1 ? 2 : 1);
    snprintf(name, sizeof name, "%s.norm", block);
    add_norm(v, name, width);
    snprintf(name, sizeof name, "%s.pw1", block);
    add_dense(v, name, width, HIDDEN);
    snprintf(name, sizeof name, "%s.pw2", block);
    add_dense(v, name, HIDDEN, width);
    snprintf(name, sizeof name, "%s.gamma", block);
    ADD(v, name, HB_FLOAT32, 1, width);
  }
  snprintf(name, sizeof name, "%s.count", prefix);
  set_integer(v, name, count);
}

static inline void add_encoder(struct small_voice *v, const char *prefix, uint32_t width) {
  static const char *const dense[] = {"in", "out", "ff1", "ff2"};
  const uint32_t inputs[] = {width, width, width, HIDDEN}, outputs[] = {3 * width, width, HIDDEN, width};
  char name[64];
  snprintf(name, sizeof name, "%s.emb", prefix);
  ADD(v, name, HB_FLOAT32, 1, VOCABULARY, width);
  snprintf(name, sizeof name, "%s.conv", prefix);
  add_blocks(v, name, width, 5, 1);
  for (int i = 0; i < 4; i++) {
    snprintf(name, sizeof name, "%s.attn.%s", prefix, dense[i]);
    add_dense(v, name, inputs[i], outputs[i]);
  }
  for (int i = 1; i <= 2; i++) {
    snprintf(name, sizeof name, "%s.attn.norm%d", prefix, i);
    add_norm(v, name, width);
  }
  snprintf(name, sizeof name, "%s.attn.heads", prefix);
  set_integer(v, name, (int32_t)width / 16);
  snprintf(name, sizeof name, "%s.layers", prefix);
  set_integer(v, name, 2);
  snprintf(name, sizeof name, "%s.norm", prefix);
  add_norm(v, name, width);
}

static inline struct small_voice *small_voice(void) {
  struct small_voice *v = calloc(1, sizeof *v);
  random_state = 1;
  add_encoder(v, "content", CONTENT);
  add_encoder(v, "prosody", PROSODY);
  add_convolution(v, "dur.0", PROSODY, PROSODY, 3);
  ADD(v, "dur.1.w", HB_FLOAT32, 0.5f, 1, PROSODY, 1);
  set_floats(v, "dur.1.b", (const float[]){1.6f}, 1);
  add_convolution(v, "pro.in", PROSODY, PROSODY, 1);
  add_blocks(v, "pro", PROSODY, 7, 2);
  ADD(v, "pro.out.w", HB_FLOAT32, 0.1f, 4, PROSODY, 1);
  set_floats(v, "pro.out.b", (const float[]){1.8f, 1.8f, 0.5f, 0.5f}, 4);
  set_floats(v, "const", (const float[]){100, 5, 1, 5, 5}, 5);
  add_convolution(v, "dec.in", DECODER, CONTENT + 2, 7);
  add_blocks(v, "dec", DECODER, 7, 3);
  add_norm(v, "dec.norm", DECODER);
  add_dense(v, "head", DECODER, 5 * HB_BINS);
  return v;
}

static inline void free_small_voice(struct small_voice *v) {
  for (size_t i = 0; i < v->count; i++) free((void *)v->tensors[i].name), free((void *)v->tensors[i].data);
  free(v);
}
