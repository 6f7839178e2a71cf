/* loader.h: finds, checks and copies the tensors of a voice. */
#ifndef HB_LOADER_H
#define HB_LOADER_H

#include "model.h"

/* A load in progress. After the first failure, every function returns NULL or a harmless number, and `error` retains the
   first message. */
typedef struct {
  const hb_tensor *tensors;
  size_t count;
  hb_arena *arena;
  hb_error *error;
  hb_status status;
} hb_loader;

#define HB_FAIL(l, code, ...) ((l)->status = (l)->status ? (l)->status : hb_fail((l)->error, code, __VA_ARGS__))

/* Zeroed memory that belongs to the model. */
void *hb_take(hb_loader *l, size_t count, size_t size);

/* The tensor `prefix.name`. Fails unless it exists with this type and rank and a valid size. */
const hb_tensor *hb_find(hb_loader *l, const char *prefix, const char *name, hb_type type, int rank);

/* A copy of a float tensor with this shape. All values must be finite. */
float *hb_floats(hb_loader *l, const char *prefix, const char *name, int rank, uint32_t a, uint32_t b, uint32_t c);

/* A vector of `n` floats. */
float *hb_vector(hb_loader *l, const char *prefix, const char *name, int n);

/* The value of a one-element int32 tensor. It must be within the limits. */
int hb_integer(hb_loader *l, const char *prefix, const char *name, int least, int most);

/* A dimension of a tensor. It must be a multiple of 16 and at most `most`. */
int hb_dimension(hb_loader *l, const char *prefix, const char *name, hb_type type, int rank, int index, int most);

/* A packed dense layer with k inputs and n outputs. The outputs are divided into `parts` equal parts, each padded to a
   multiple of 16. */
hb_linear hb_load_linear(hb_loader *l, const char *prefix, const char *name, int k, int n, int parts);

/* The weights [out][in][taps] of a dense convolution as a matrix [taps * in][columns], taps outermost. */
float *hb_load_dense(hb_loader *l, const char *name, int in, int out, int taps, int columns);

#endif
