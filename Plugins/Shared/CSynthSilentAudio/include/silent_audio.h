/* Keeps libespeak-ng from opening audio devices. Link this library; do not call it. */
#pragma once

struct audio_object;

struct audio_object *create_audio_device_object(const char *device, const char *application, const char *description);
