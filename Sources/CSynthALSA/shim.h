#pragma once
#include <alsa/asoundlib.h>

/* By default, libasound prints every error to stderr, even if the host recovers from it or reports it.
   The handler is in C because Swift cannot define variadic functions. */
static void synth_alsa_discard(const char *file, int line, const char *function, int code, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)code, (void)format;
}

static inline void synth_alsa_silence(void) {
    snd_lib_error_set_handler(synth_alsa_discard);
}
