/* SPDX-License-Identifier: Apache-2.0
   Reed: an engine as an outside developer would write it, with only the header. It supports neither rate nor pitch, and has
   a stereo voice with speakers, and a slow voice. The number of frames depends only on the text: it is proportional to the
   number of bytes that are not spaces. */

#include <synth_engine.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct synth_model { int voice; };
struct synth_lane { const struct synth_model *model; };

static const char *const speakers[] = {"Near", "Far"};

static const struct reed {
  synth_voice voice;
  unsigned rate, channels, hertz, frames_per_byte, milliseconds;
} reeds[] = {
  /* A low buzz, a tenth of a second per letter. */
  {{.struct_size = sizeof(synth_voice), .id = "oboe", .name = "Oboe", .language = "en", .accent = "Orchestra"},
   16000, 1, 125, 1600, 0},
  /* Very little audio per letter, for texts as long as books. */
  {{.struct_size = sizeof(synth_voice), .id = "tick", .name = "Tick", .language = "de"}, 8000, 1, 1000, 1, 0},
  /* Two channels and two speakers; the speaker "far" is half as loud. */
  {{.struct_size = sizeof(synth_voice), .id = "duo", .name = "Duo", .language = "en", .speakers = speakers,
    .speaker_count = 2}, 48000, 2, 250, 1200, 0},
  /* A pause before each utterance. */
  {{.struct_size = sizeof(synth_voice), .id = "slow", .name = "Slow", .language = "en"}, 16000, 1, 125, 160, 700},
};
enum { COUNT = sizeof reeds / sizeof *reeds };

static const synth_voice *voice_at(uint32_t index) { return index < COUNT ? &reeds[index].voice : NULL; }

static synth_status load(const synth_load *load, synth_model **model, synth_error *error) {
  for (int i = 0; i < COUNT; i++) {
    if (strcmp(reeds[i].voice.id, load->model) != 0) continue;
    *model = malloc(sizeof **model);
    if (!*model) return synth_fail(error, SYNTH_NO_MEMORY, NULL, "No memory.");
    (*model)->voice = i;
    return SYNTH_OK;
  }
  return synth_fail(error, SYNTH_BAD_REQUEST, NULL, "There is no such reed.");
}

static synth_status open_lane(synth_model *model, synth_lane **lane, synth_error *error) {
  *lane = malloc(sizeof **lane);
  if (!*lane) return synth_fail(error, SYNTH_NO_MEMORY, NULL, "No memory.");
  (*lane)->model = model;
  return SYNTH_OK;
}

static synth_status synthesize(synth_lane *lane, const synth_request *request, const synth_sink *sink,
                               synth_error *error) {
  (void)error;
  const struct reed *reed = &reeds[lane->model->voice];
  const char *speaker = request->voices[0]->speaker;
  const float loudness = speaker && strcmp(speaker, "Far") == 0 ? 0.2f : 0.4f;
  size_t letters = 0;
  for (size_t i = 0; i < request->length; i++) letters += request->text[i] != ' ';
  if (letters == 0) return SYNTH_OK;
  for (unsigned waited = 0; waited < reed->milliseconds; waited += 10) {
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  if (!sink->begin(sink->context, reed->rate, reed->channels)) return SYNTH_CANCELLED;
  float piece[2 * 256];
  const size_t total = letters * reed->frames_per_byte, period = reed->rate / reed->hertz;
  for (size_t done = 0; done < total;) {
    size_t n = total - done < 256 ? total - done : 256;
    for (size_t i = 0; i < n; i++) {
      const float phase = (float)((done + i) % period) / (float)period;
      for (unsigned c = 0; c < reed->channels; c++) piece[i * reed->channels + c] = loudness * (2 * phase - 1);
    }
    if (!sink->audio(sink->context, piece, n)) return SYNTH_CANCELLED;
    done += n;
  }
  return SYNTH_OK;
}

static void close_lane(synth_lane *lane) { free(lane); }
static void unload(synth_model *model) { free(model); }

SYNTH_EXPORT const synth_engine *synth_engine_entry(uint32_t abi, const synth_host *host) {
  (void)host;
  static const synth_engine engine = {
    .struct_size = sizeof engine, .abi = SYNTH_ABI, .id = "reed", .name = "Reed", .version = "0.3", .license = "MIT",
    .rate_min = 1, .rate_max = 1, .pitch_min = 1, .pitch_max = 1, .voice = voice_at, .load = load, .open = open_lane,
    .synthesize = synthesize, .close = close_lane, .unload = unload};
  return abi == SYNTH_ABI ? &engine : NULL;
}
