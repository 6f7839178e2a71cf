/* model.c: builds the parts of a voice from its tensors. The engine's README.md lists the names. */
#include <stdio.h>
#include <string.h>
#include "loader.h"

static hb_block block(hb_loader *l, const char *chain, int index, int width) {
  char p[64], name[80];
  snprintf(p, sizeof p, "%s.%d", chain, index);
  hb_block b = {.width = width};
  const hb_tensor *t = hb_find(l, p, "dw.w", HB_FLOAT32, 3);
  if (!t) return b;
  b.taps = (int)t->dims[2];
  if (b.taps != 3 && b.taps != 5 && b.taps != 7) {
    HB_FAIL(l, HB_ERROR_MODEL, "The tensor %s.dw.w has %d taps; only 3, 5 and 7 are supported.", p, b.taps);
    return b;
  }
  b.dilation = hb_integer(l, p, "dilation", 1, HB_MAX_DILATION);
  const float *raw = hb_floats(l, p, "dw.w", 3, (uint32_t)width, 1, (uint32_t)b.taps);
  float *dw = hb_take(l, (size_t)(width * b.taps), 4);
  if (l->status) return b;
  for (int c = 0; c < width; c++)
    for (int i = 0; i < b.taps; i++) dw[i * width + c] = raw[c * b.taps + i];
  b.dw_weight = dw;
  b.dw_bias = hb_vector(l, p, "dw.b", width);
  b.norm_weight = hb_vector(l, p, "norm.w", width);
  b.norm_bias = hb_vector(l, p, "norm.b", width);
  b.gamma = hb_vector(l, p, "gamma", width);
  snprintf(name, sizeof name, "%s.pw1", p);
  b.hidden = hb_dimension(l, name, "w", HB_INT8, 2, 1, HB_MAX_HIDDEN);
  b.pw1 = hb_load_linear(l, p, "pw1", width, b.hidden, 1);
  b.pw2 = hb_load_linear(l, p, "pw2", b.hidden, width, 1);
  return b;
}

static hb_chain chain(hb_loader *l, const char *name, int width) {
  hb_chain c = {.width = width};
  c.blocks = hb_integer(l, name, "count", 1, HB_MAX_BLOCKS);
  for (int i = 0; i < c.blocks && !l->status; i++) {
    c.block[i] = block(l, name, i, width);
    if (c.block[i].hidden > c.hidden) c.hidden = c.block[i].hidden;
  }
  return c;
}

static void encoder(hb_loader *l, const char *name, hb_encoder *e, int *vocabulary) {
  char p[64], conv[64];
  snprintf(conv, sizeof conv, "%s.conv", name);
  const hb_tensor *t = hb_find(l, name, "emb", HB_FLOAT32, 2);
  int w = e->width = hb_dimension(l, name, "emb", HB_FLOAT32, 2, 1, HB_MAX_WIDTH);
  if (!t) return;
  *vocabulary = (int)t->dims[0];
  e->embedding = hb_floats(l, name, "emb", 2, t->dims[0], (uint32_t)w, 0);
  hb_chain c = chain(l, conv, w);
  memcpy(e->block, c.block, sizeof e->block);
  e->blocks = c.blocks;
  e->hidden = c.hidden;
  for (int i = 0; i < c.blocks && !l->status; i++)
    if (c.block[i].dilation != 1)
      HB_FAIL(l, HB_ERROR_MODEL, "A text block of %s has dilation %d; only 1 is supported.", name, c.block[i].dilation);
  e->layers = hb_integer(l, name, "layers", 1, 32);
  snprintf(p, sizeof p, "%s.attn", name);
  e->heads = hb_integer(l, p, "heads", 1, 64);
  if (!l->status && (w % e->heads || w / e->heads % 16)) {
    HB_FAIL(l, HB_ERROR_MODEL, "%s has %d channels in %d heads; the channels per head must be a multiple of 16.", p,
        w, e->heads);
    return;
  }
  e->norm1_weight = hb_vector(l, p, "norm1.w", w);
  e->norm1_bias = hb_vector(l, p, "norm1.b", w);
  e->norm2_weight = hb_vector(l, p, "norm2.w", w);
  e->norm2_bias = hb_vector(l, p, "norm2.b", w);
  e->norm_weight = hb_vector(l, name, "norm.w", w);
  e->norm_bias = hb_vector(l, name, "norm.b", w);
  e->in = hb_load_linear(l, p, "in", w, 3 * w, 1);
  e->out = hb_load_linear(l, p, "out", w, w, 1);
  char ff[80];
  snprintf(ff, sizeof ff, "%s.ff1", p);
  int hidden = hb_dimension(l, ff, "w", HB_INT8, 2, 1, HB_MAX_HIDDEN);
  e->ff1 = hb_load_linear(l, p, "ff1", w, hidden, 1);
  e->ff2 = hb_load_linear(l, p, "ff2", hidden, w, 1);
  if (hidden > e->hidden) e->hidden = hidden;
}

static void decoder_input(hb_loader *l, hb_model *m) {
  int in = m->content.width, out = m->dec.width;
  const float *raw = hb_floats(l, "dec.in", "w", 3, (uint32_t)out, (uint32_t)in + 2, 7);
  float *w = hb_take(l, (size_t)in * 7 * (size_t)out, 4), *f = hb_take(l, (size_t)(2 * 7 * out), 4);
  m->dec_in_bias = hb_vector(l, "dec.in", "b", out);
  if (l->status) return;
  for (int o = 0; o < out; o++)
    for (int i = 0; i < in + 2; i++)
      for (int t = 0; t < 7; t++) {
        float value = raw[(o * (in + 2) + i) * 7 + t];
        if (i < in) w[(size_t)i * 7 * (size_t)out + (size_t)(t * out + o)] = value;
        else f[((i - in) * 7 + t) * out + o] = value;
      }
  m->dec_in_weight = w;
  m->dec_in_features = f;
}

static void fill(hb_loader *l, hb_model *m) {
  int other = 0;
  encoder(l, "content", &m->content, &m->vocabulary);
  encoder(l, "prosody", &m->prosody, &other);
  if (!l->status && other != m->vocabulary) {
    HB_FAIL(l, HB_ERROR_MODEL, "The two encoders have different numbers of symbols: %d and %d.", m->vocabulary, other);
    return;
  }
  int w = m->prosody.width;
  m->dur0_weight = hb_load_dense(l, "dur.0", w, w, 3, w);
  m->dur0_bias = hb_vector(l, "dur.0", "b", w);
  m->dur1_weight = hb_floats(l, "dur.1", "w", 3, 1, (uint32_t)w, 1);
  const float *bias = hb_floats(l, "dur.1", "b", 1, 1, 0, 0);
  if (bias) m->dur1_bias = *bias;
  m->pro_in_weight = hb_load_dense(l, "pro.in", w, w, 1, w);
  m->pro_in_bias = hb_vector(l, "pro.in", "b", w);
  m->pro = chain(l, "pro", w);
  m->pro_out_weight = hb_load_dense(l, "pro.out", w, 4, 1, 16);
  if ((bias = hb_floats(l, "pro.out", "b", 1, 4, 0, 0))) memcpy(m->pro_out_bias, bias, sizeof m->pro_out_bias);
  const float *c = hb_floats(l, "", "const", 1, 5, 0, 0);
  if (c) {
    m->f0_scale = c[0];
    m->e_scale = c[1];
    m->f0_offset = c[2];
    m->f0_divisor = c[3];
    m->e_divisor = c[4];
    if (!(c[2] > 0) || c[3] == 0 || c[4] == 0)
      HB_FAIL(l, HB_ERROR_MODEL, "The tensor const contains an offset or a divisor of 0.");
  }
  int d = hb_dimension(l, "dec.in", "w", HB_FLOAT32, 3, 0, HB_MAX_WIDTH);
  m->dec = chain(l, "dec", d);
  if (l->status) return;
  decoder_input(l, m);
  m->dec_norm_weight = hb_vector(l, "dec.norm", "w", d);
  m->dec_norm_bias = hb_vector(l, "dec.norm", "b", d);
  m->head = hb_load_linear(l, "", "head", d, 5 * HB_BINS, 5);
}

hb_model *hb_model_build(const hb_tensor *tensors, size_t count, hb_error *error) {
  if (error) *error = (hb_error){HB_OK, ""};
  hb_arena *arena = hb_arena_create();
  hb_model *model = arena ? hb_arena_take(arena, 1, sizeof *model) : NULL;
  if (!model) {
    hb_arena_free(arena);
    hb_fail(error, HB_ERROR_MEMORY, "Not enough memory for the model.");
    return NULL;
  }
  hb_loader l = {tensors, count, arena, error, HB_OK};
  model->arena = arena;
  model->kernels = hb_kernels_best();
  hb_tables_fill(&model->tables);
  fill(&l, model);
  if (l.status) {
    hb_arena_free(arena);
    return NULL;
  }
  return model;
}

void hb_model_free(hb_model *model) {
  if (model) hb_arena_free(model->arena);
}
int hb_model_vocabulary(const hb_model *model) { return model->vocabulary; }
const char *hb_model_kernels(const hb_model *model) { return model->kernels->name; }

int hb_model_select_kernels(hb_model *model, const char *name) {
  const hb_kernels *k = hb_kernels_named(name);
  if (k) model->kernels = k;
  return k != NULL;
}
