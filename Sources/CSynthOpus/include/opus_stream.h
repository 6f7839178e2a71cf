#pragma once
#include <stdbool.h>
#include <stdint.h>

/* An Ogg Opus stream, by libopusenc. The library is opened with dlopen when a stream is opened first, so that the start of a
   program does not wait for it, and is never closed. One thread at a time may use a stream. */

/* Takes the bytes of a page. false = it takes no more; nothing is encoded after that. */
typedef bool (*opus_stream_take)(void *context, const unsigned char *bytes, int32_t count);

typedef struct opus_stream_options {
  int32_t rate;
  int32_t channels; /* 1 or 2 */
  int32_t bitrate;  /* bits a second, of all channels, on average */
  bool is_live;     /* small pages, and nothing is held back for a better decision */
  const char *title, *author; /* UTF-8; NULL = none */
} opus_stream_options;

/* NULL = the library is missing, or it takes none of this. `context` is handed to `take` until the stream is closed. */
struct opus_stream *opus_stream_open(const opus_stream_options *options, opus_stream_take take, void *context);

/* Encodes samples from -1 to 1, interleaved. false = it failed. */
bool opus_stream_write(struct opus_stream *stream, const float *samples, int32_t frames);

/* Writes what is still inside, and frees the stream. false = not all of it was written. */
bool opus_stream_close(struct opus_stream *stream);
