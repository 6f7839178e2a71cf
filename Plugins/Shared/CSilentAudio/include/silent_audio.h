/* Keeps libespeak-ng away from sound devices; to be linked, not called. */
#pragma once

struct audio_object;

struct audio_object *create_audio_device_object(const char *device, const char *application, const char *description);
