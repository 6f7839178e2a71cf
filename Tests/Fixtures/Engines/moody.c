/* SPDX-License-Identifier: Apache-2.0
   Moody: an engine whose voices are files. The first letter in the file determines the voice's behavior. */

#include <synth_engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct synth_model { int unused; };
struct synth_lane { int unused; };

static const synth_role mood = {.struct_size = sizeof(synth_role), .scope = SYNTH_SCOPE_VOICE, .name = "mood"};
static const synth_role *role_at(uint32_t index) { return index == 0 ? &mood : NULL; }

static synth_status load(const synth_load *load, synth_model **model, synth_error *error) {
  (void)load;
  *model = malloc(sizeof **model);
  return *model ? SYNTH_OK : synth_fail(error, SYNTH_NO_MEMORY, NULL, "No memory.");
}

static synth_status open_lane(synth_model *model, synth_lane **lane, synth_error *error) {
  (void)model;
  *lane = malloc(sizeof **lane);
  return *lane ? SYNTH_OK : synth_fail(error, SYNTH_NO_MEMORY, NULL, "No memory.");
}

static synth_status synthesize(synth_lane *lane, const synth_request *request, const synth_sink *sink,
                               synth_error *error) {
  (void)lane;
  const char *path = synth_path(request->voices[0]->files, request->voices[0]->file_count, "mood");
  FILE *file = path ? fopen(path, "r") : NULL;
  const int letter = file ? fgetc(file) : EOF;
  if (file) fclose(file);
  switch (letter) {
    case 'c': abort();
    case 'e': exit(0);
    case 'h': for (;;) pause();
    case 'l': { /* misreports its output */
      float piece[8] = {0};
      sink->audio(sink->context, piece, 8);
      return SYNTH_OK;
    }
    case 's': { /* speaks */
      float piece[800] = {0};
      if (!sink->begin(sink->context, 8000, 1)) return SYNTH_CANCELLED;
      return sink->audio(sink->context, piece, 800) ? SYNTH_OK : SYNTH_CANCELLED;
    }
    default: return synth_fail(error, SYNTH_BAD_FILE, "mood", "It is no mood.");
  }
}

static void close_lane(synth_lane *lane) { free(lane); }
static void unload(synth_model *model) { free(model); }

SYNTH_EXPORT const synth_engine *synth_engine_entry(uint32_t abi, const synth_host *host) {
  (void)host;
  static const synth_engine engine = {
    .struct_size = sizeof engine, .abi = SYNTH_ABI, .id = "moody", .name = "Moody", .version = "1", .license = "MIT",
    .rate_min = 1, .rate_max = 1, .pitch_min = 1, .pitch_max = 1, .role = role_at, .load = load, .open = open_lane,
    .synthesize = synthesize, .close = close_lane, .unload = unload};
  return abi == SYNTH_ABI ? &engine : NULL;
}
