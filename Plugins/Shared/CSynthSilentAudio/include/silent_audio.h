/* Keeps libespeak-ng from opening sound devices. To be linked, not called. */
#pragma once

struct audio_object;

struct audio_object *create_audio_device_object(const char *device, const char *application, const char *description);
