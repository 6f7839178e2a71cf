/* loader.h: finds, checks and copies the tensors of a voice. */
#ifndef HB_LOADER_H
#define HB_LOADER_H

#include "model.h"

/* A load in progress. After the first failure, every function returns NULL or a harmless number, and `error` keeps
   the first error message. */
typedef struct {
  const hb_tensor *tensors;
  size_t count;
  hb_arena *arena;
  hb_error *error;
  hb_status status;
} hb_loader;

#define HB_FAIL(l, code, ...) ((l)->status = (l)->status ? (l)->status : hb_fail((l)->error, code, __VA_ARGS__))

/* Returns zeroed memory that belongs to the model. */
void *hb_take(hb_loader *l, size_t count, size_t size);

/* Returns the tensor `prefix.name`. Fails unless it exists with this type and rank and a valid size. */
const hb_tensor *hb_find(hb_loader *l, const char *prefix, const char *name, hb_type type, int rank);

/* Returns a copy of a float tensor with this shape, whose values must all be finite. */
float *hb_floats(hb_loader *l, const char *prefix, const char *name, int rank, uint32_t a, uint32_t b, uint32_t c);

/* Returns a vector of `n` floats from a tensor. */
float *hb_vector(hb_loader *l, const char *prefix, const char *name, int n);

/* Returns the value of a one-element int32 tensor, which must be within the limits. */
int hb_integer(hb_loader *l, const char *prefix, const char *name, int least, int most);

/* Returns a dimension of a tensor, which must be a multiple of 16 and at most `most`. */
int hb_dimension(hb_loader *l, const char *prefix, const char *name, hb_type type, int rank, int index, int most);

/* A packed dense layer with k inputs and n outputs. The outputs are divided into `parts` equal parts, each padded to a
   multiple of 16. */
hb_linear hb_load_linear(hb_loader *l, const char *prefix, const char *name, int k, int n, int parts);

/* The weights [out][in][taps] of a dense convolution as a matrix [taps * in][columns], taps outermost. */
float *hb_load_dense(hb_loader *l, const char *name, int in, int out, int taps, int columns);

#endif
