/*
 * hibari.h: the compute core of the hibari voice family, which converts symbol IDs to 24 kHz samples.
 *
 * A model is read-only after loading. Any number of runs may use it concurrently, each on one thread. A run owns its
 * entire workspace, which hb_run_create allocates. Later calls allocate no memory, except hb_run_set_pitch and, for a
 * temporary second thread, hb_run_begin with `is_awaited`.
 */
#ifndef HIBARI_H
#define HIBARI_H

#include <stddef.h>
#include <stdint.h>

/* Hide these functions so that plugins do not export them. */
#pragma GCC visibility push(hidden)

enum {
  HB_RATE = 24000,      /* samples per second */
  HB_HOP = 300,         /* samples per frame (12.5 ms) */
  HB_BINS = 601,        /* bins per spectral frame */
  HB_UNIT_FRAMES = 2,   /* frames per duration unit (25 ms) */
  HB_MAX_SYMBOLS = 512, /* symbols per run, including the 0 at both ends */
  HB_MAX_UNITS = 400,   /* longest duration of one symbol, 10 s; the published graph has no limit */
  HB_MAX_OWN = 8000,    /* longest sentence with a model's own durations, 200 s; 512 symbols last about 30 s */
  HB_MAX_SILENT = 24    /* maximum number of adjacent symbols without a duration */
};

typedef enum {
  HB_OK = 0,
  HB_ERROR_FORMAT = 1, /* The file is not a tensor container, or it is truncated. */
  HB_ERROR_MODEL = 2,  /* A tensor is missing, has an invalid shape or contains NaN or infinity, or durations exceed the limits. */
  HB_ERROR_MEMORY = 3, /* An allocation failed. */
  HB_ERROR_INPUT = 4,  /* An argument is out of range. */
  HB_ERROR_NUMERIC = 5 /* The model produced a non-finite duration or sample. */
} hb_status;

typedef struct {
  hb_status code;
  char message[200]; /* English, NUL-terminated */
} hb_error;

typedef enum { HB_FLOAT32 = 0, HB_INT8 = 1, HB_INT32 = 2 } hb_type;

/* One tensor of a model, in C order, little endian. The engine's README.md lists the names and shapes. */
typedef struct {
  const char *name; /* `name_length` bytes, not necessarily NUL-terminated */
  size_t name_length;
  hb_type type;
  int rank; /* 1 to 4 */
  uint32_t dims[4];
  const void *data; /* any alignment */
  size_t size;      /* bytes */
} hb_tensor;

typedef enum {
  HB_INTEGER = 0, /* 8-bit products with one activation scale per frame. The default. */
  HB_EXACT = 1    /* Float products with the same weights. About three times slower; for tests. */
} hb_precision;

typedef struct hb_model hb_model;
typedef struct hb_run hb_run;

/* Builds a model from the tensors that the graph reader found. Copies the data. */
hb_model *hb_model_build(const hb_tensor *tensors, size_t count, hb_error *error);

void hb_model_free(hb_model *model);

/* Returns the size of the model's vocabulary. Every symbol ID is below this number. */
int hb_model_vocabulary(const hb_model *model);

/* Returns the name of the kernels that this processor uses: "avx512-vnni", "avx2", "neon-dot", "neon" or "plain". */
const char *hb_model_kernels(const hb_model *model);

/* Selects kernels by name, for tests. Returns 0 if this processor or build does not support
   them. */
int hb_model_select_kernels(hb_model *model, const char *name);

/* Creates a run for one lane. It can compute any number of sentences, one after another. `model` must outlive it. */
hb_run *hb_run_create(const hb_model *model, hb_error *error);
void hb_run_free(hb_run *run);

typedef struct {
  const int32_t *ids; /* symbol IDs, usually with 0 at both ends */
  size_t count;       /* 2 to HB_MAX_SYMBOLS */
  uint64_t seed;      /* noise seed */
  float pitch;  /* factor for f0, 0 to 4; 1 leaves f0 unchanged, 0 makes the voice whisper */
  hb_precision precision;
  int is_awaited;     /* A listener is waiting for the first audio, so a second thread helps until hb_run_begin returns. */
  const float *noise; /* NULL, or [frames][HB_BINS][2] numbers that replace the generator; for tests */
} hb_request;

/* Sets the default values: pitch 1, seed 0, HB_INTEGER. */
void hb_request_init(hb_request *request);

/*
 * Begins a sentence: computes the text encoders and the durations. Copies `ids`; `noise` must stay valid until the sentence
 * ends. Discards an unfinished sentence.
 */
hb_status hb_run_begin(hb_run *run, const hb_request *request, hb_error *error);

/* The durations of the request's `count` symbols, in units of 25 ms. Valid until the next hb_run_begin. */
const int32_t *hb_run_durations(const hb_run *run);

/*
 * Replaces the durations. `durations` contains `count` numbers, as in the request, from 0 to HB_MAX_UNITS. At least one
 * number must be above 0, and at most HB_MAX_SILENT adjacent numbers may be 0. Call this after hb_run_begin, and before
 * hb_run_set_pitch and the first hb_run_next.
 */
hb_status hb_run_set_durations(hb_run *run, const int32_t *durations, hb_error *error);

/* Returns the number of frames in the sentence, with HB_HOP samples each. */
size_t hb_run_frames(const hb_run *run);

/*
 * Sets one f0 factor per frame, which is multiplied by the request's `pitch`; 0 makes the voice whisper. From frame
 * `count` on, the factor is 1. Call this after hb_run_begin and before the first hb_run_next. The factors are copied,
 * which may allocate memory.
 */
hb_status hb_run_set_pitch(hb_run *run, const float *factors, size_t count, hb_error *error);

/*
 * The geometric mean of f0 over the voiced frames, in Hz; 0 if there are none. Computing it requires an additional run
 * of the prosody net over the entire sentence. Call this after hb_run_begin and hb_run_set_durations, and before the
 * first hb_run_next.
 */
float hb_run_mean_pitch(hb_run *run);

/* Scales the log distance of f0 from `center` (in Hz) before the factors are applied: 1 leaves f0 unchanged, and 0
   makes the speech monotone. The range is 0 to 4. The call order is the same as for hb_run_mean_pitch. */
void hb_run_set_intonation(hb_run *run, float center, float scale);

/* For tests: receives a sentence's intermediate results, frame by frame. Either pointer may be
   NULL. */
typedef struct {
  float *pitch;  /* [frames], f0 of the pulses in Hz; below 40 there are no pulses */
  float *parts;  /* [frames][5 * HB_BINS], the outputs lh, theta, ln, lr and phi */
  size_t frames;  /* number of frames to record */
} hb_trace;

/* Writes `trace` while the sentence is computed. Call this after hb_run_begin and before the first hb_run_next. */
void hb_run_set_trace(hb_run *run, hb_trace trace);

/*
 * Computes the next samples, in complete frames and at most `max` (which must be at least HB_HOP). Returns the number
 * of samples, or 0 at the end of the sentence. On failure, returns 0 and sets `error`, which is otherwise HB_OK. The
 * number and size of the calls do not affect the samples. Full scale is 1; samples may exceed it.
 */
size_t hb_run_next(hb_run *run, float *samples, size_t max, hb_error *error);

#pragma GCC visibility pop

#endif
