/* loader.c: finds, checks, copies and packs tensors. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "loader.h"

void *hb_take(hb_loader *l, size_t count, size_t size) {
  void *p = l->status ? NULL : hb_arena_take(l->arena, count, size);
  if (!p) HB_FAIL(l, HB_ERROR_MEMORY, "Not enough memory for the model.");
  return p;
}

/* Returns the tensor `prefix.name`, or NULL if there is none. */
static const hb_tensor *lookup(const hb_loader *l, const char *prefix, const char *name) {
  char full[128];
  int length = snprintf(full, sizeof full, "%s%s%s", prefix, *prefix ? "." : "", name);
  for (size_t i = 0; i < l->count; i++)
    if (l->tensors[i].name_length == (size_t)length && !memcmp(l->tensors[i].name, full, (size_t)length))
      return &l->tensors[i];
  return NULL;
}

const hb_tensor *hb_find(hb_loader *l, const char *prefix, const char *name, hb_type type, int rank) {
  if (l->status) return NULL;
  const hb_tensor *t = lookup(l, prefix, name);
  if (!t) {
    HB_FAIL(l, HB_ERROR_MODEL, "The tensor %s.%s is missing.", prefix, name);
    return NULL;
  }
  uint64_t elements = 1;
  for (int i = 0; i < t->rank && i < 4; i++) {
    if (t->dims[i] == 0 || t->dims[i] > 1u << 20) elements = 0;
    elements *= t->dims[i];
    if (elements > 1u << 26) elements = 0;
  }
  if (t->type != type || t->rank != rank || elements == 0 || t->size != elements * (type == HB_INT8 ? 1 : 4)) {
    HB_FAIL(l, HB_ERROR_MODEL, "The tensor %s.%s has an unexpected type, rank or size.", prefix, name);
    return NULL;
  }
  return t;
}

float *hb_floats(hb_loader *l, const char *prefix, const char *name, int rank, uint32_t a, uint32_t b, uint32_t c) {
  const hb_tensor *t = hb_find(l, prefix, name, HB_FLOAT32, rank);
  if (!t) return NULL;
  const uint32_t want[3] = {a, b, c};
  for (int i = 0; i < rank; i++)
    if (t->dims[i] != want[i]) {
      HB_FAIL(l, HB_ERROR_MODEL, "The tensor %s.%s has size %u in dimension %d instead of %u.", prefix, name, t->dims[i], i,
          want[i]);
      return NULL;
    }
  float *copy = hb_take(l, t->size / 4, 4);
  if (!copy) return NULL;
  memcpy(copy, t->data, t->size);
  for (size_t i = 0; i < t->size / 4; i++)
    if (!isfinite(copy[i]) || fabsf(copy[i]) > 1e6f) {
      HB_FAIL(l, HB_ERROR_MODEL, "The tensor %s.%s contains a value that is not finite or too large.", prefix, name);
      return NULL;
    }
  return copy;
}

float *hb_vector(hb_loader *l, const char *prefix, const char *name, int n) {
  return hb_floats(l, prefix, name, 1, (uint32_t)n, 0, 0);
}

int hb_integer(hb_loader *l, const char *prefix, const char *name, int least, int most) {
  const hb_tensor *t = hb_find(l, prefix, name, HB_INT32, 1);
  if (!t) return least;
  int32_t value;
  memcpy(&value, t->data, 4);
  if (value < least || value > most) {
    HB_FAIL(l, HB_ERROR_MODEL, "The value of %s.%s is %d; it must be between %d and %d.", prefix, name, value, least, most);
    return least;
  }
  return value;
}

int hb_dimension(hb_loader *l, const char *prefix, const char *name, hb_type type, int rank, int index, int most) {
  const hb_tensor *t = hb_find(l, prefix, name, type, rank);
  if (!t) return 16;
  if (t->dims[index] > (uint32_t)most || t->dims[index] % 16) {
    HB_FAIL(l, HB_ERROR_MODEL, "The tensor %s.%s has size %u in dimension %d; it must be a multiple of 16 up to %d.",
        prefix, name, t->dims[index], index, most);
    return 16;
  }
  return (int)t->dims[index];
}

hb_linear hb_load_linear(hb_loader *l, const char *prefix, const char *name, int k, int n, int parts) {
  char base[96];
  snprintf(base, sizeof base, "%s.%s", prefix, name);
  if (!*prefix) snprintf(base, sizeof base, "%s", name);
  hb_linear out = {0};
  const hb_tensor *t = hb_find(l, base, "w", HB_INT8, 2);
  float *scale = hb_vector(l, base, "s", n), *bias = hb_vector(l, base, "b", n);
  if (l->status) return out;
  if (t->dims[0] != (uint32_t)k || t->dims[1] != (uint32_t)n) {
    HB_FAIL(l, HB_ERROR_MODEL, "The tensor %s.w is %u by %u instead of %d by %d.", base, t->dims[0], t->dims[1], k, n);
    return out;
  }
  int size = n / parts, padded = (size + 15) / 16 * 16, total = padded * parts;
  int8_t *w = hb_take(l, (size_t)k * (size_t)total, 1);
  int32_t *sums = hb_take(l, (size_t)total, 4);
  float *s = hb_take(l, (size_t)total, 4), *b = hb_take(l, (size_t)total, 4);
  if (l->status) return out;
  const int8_t *from = t->data;
  for (int part = 0; part < parts; part++) {
    memcpy(s + part * padded, scale + part * size, (size_t)size * 4);
    memcpy(b + part * padded, bias + part * size, (size_t)size * 4);
    for (int i = 0; i < k; i++) {
      const int8_t *row = from + (size_t)i * (size_t)n + (size_t)(part * size);
      int32_t *sum = sums + part * padded;
      for (int o = 0; o < size; o++) {
        int column = part * padded + o;
        w[((size_t)(column / 16) * (size_t)k + (size_t)(i / 4) * 4) * 16 + (size_t)(column % 16 * 4 + i % 4)] = row[o];
        sum[o] += row[o];
      }
    }
  }
  return (hb_linear){k, total, w, sums, s, b};
}

float *hb_load_dense(hb_loader *l, const char *name, int in, int out, int taps, int columns) {
  const float *raw = hb_floats(l, name, "w", 3, (uint32_t)out, (uint32_t)in, (uint32_t)taps);
  float *m = hb_take(l, (size_t)(taps * in) * (size_t)columns, 4);
  if (l->status) return NULL;
  for (int o = 0; o < out; o++)
    for (int i = 0; i < in; i++)
      for (int t = 0; t < taps; t++)
        m[(size_t)(t * in + i) * (size_t)columns + (size_t)o] =
            raw[((size_t)o * (size_t)in + (size_t)i) * (size_t)taps + (size_t)t];
  return m;
}
