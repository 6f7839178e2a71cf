#pragma once
#include <stdbool.h>
#include <stdint.h>

/* An Ogg Opus stream, encoded by libopusenc. The library is loaded with dlopen when the first stream is opened, so that programs do
   not load it at startup, and is never unloaded. Not thread-safe. */

/* Receives the bytes of a page. Returns false to stop; nothing is encoded after that. */
typedef bool (*opus_stream_take)(void *context, const unsigned char *bytes, int32_t count);

typedef struct opus_stream_options {
  int32_t rate;
  int32_t channels; /* 1 or 2 */
  int32_t bitrate;  /* bits per second for all channels, on average */
  bool is_live;     /* small pages, and no delay for better encoding decisions */
  const char *title, *author; /* UTF-8; NULL = none */
} opus_stream_options;

/* Returns NULL if the library is missing or rejects the options. `context` is passed to `take` until the stream is closed. */
struct opus_stream *opus_stream_open(const opus_stream_options *options, opus_stream_take take, void *context);

/* Encodes interleaved samples from -1 to 1. Returns false on failure. */
bool opus_stream_write(struct opus_stream *stream, const float *samples, int32_t frames);

/* Writes the remaining data and frees the stream. Returns false if the data could not be written completely. */
bool opus_stream_close(struct opus_stream *stream);
