/* libespeak-ng opens an audio device on startup, even if it never plays audio. It connects to the user's sound server
   through libpcaudio, which may start a server and write a cookie to the home folder. The loader resolves this
   function to the engine's definition instead of the one in libpcaudio, so libespeak-ng works without a device. The
   symbol is weak because nothing refers to it. */

#include "silent_audio.h"

#include <stddef.h>

__attribute__((weak, visibility("default"))) struct audio_object *create_audio_device_object(
    const char *device, const char *application, const char *description) {
  (void)device, (void)application, (void)description;
  return NULL;
}
