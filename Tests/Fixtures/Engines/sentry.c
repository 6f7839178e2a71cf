/* A speech detector for tests: it reports speech in the second second of audio, regardless of the audio. With FAILS, it
   fails half a second after the start. Its sample rate is 16 kHz. With ASKED, it requests environment variables; with
   REPORTS="NAME", it fails and reports the value of that variable. */

#include "synth_recognizer.h"

#include <stdlib.h>

enum { BEGINS = 16000, ENDS = 32000 };

static synth_status load(const synth_load *load, synth_listener **model, synth_error *error) {
  (void)load;
#ifdef REPORTS
  const char *value = getenv(REPORTS);
  return synth_fail(error, SYNTH_FAILED, NULL, value ? value : "It is not there.");
#endif
  (void)error;
  *model = malloc(1);
  return SYNTH_OK;
}

static synth_status open_lane(synth_listener *model, synth_ear **lane, synth_error *error) {
  (void)error;
  *lane = (synth_ear *)model;
  return SYNTH_OK;
}

static void close_lane(synth_ear *lane) { (void)lane; }
static void unload(synth_listener *model) { free(model); }

static bool tell(const synth_hearing *hearing, uint32_t kind, uint64_t frame) {
  synth_speech_event event = {sizeof event, kind, frame};
  return hearing->event(hearing->context, &event);
}

static synth_status recognize(synth_ear *lane, const synth_recognition *asked, const synth_sound *sound,
                              const synth_hearing *hearing, synth_error *error) {
  (void)lane, (void)error;
  if ((asked->wants & SYNTH_WANT_SPEECH_EVENTS) == 0) return SYNTH_OK;
  float frames[100];
  uint64_t count = 0;
  size_t read;
  while ((read = sound->read(sound->context, frames, 100)) > 0) {
    uint64_t before = count;
    count += read;
    if (before < BEGINS && count >= BEGINS && !tell(hearing, SYNTH_SPEECH_BEGINS, BEGINS)) return SYNTH_CANCELLED;
#ifdef FAILS
    if (count >= BEGINS + 8000) return synth_fail(error, SYNTH_FAILED, NULL, "It heard enough.");
#endif
    if (before < ENDS && count >= ENDS && !tell(hearing, SYNTH_SPEECH_ENDS, ENDS)) return SYNTH_CANCELLED;
  }
  if (!hearing->progress(hearing->context, 1)) return SYNTH_CANCELLED;
  if (count >= BEGINS && count < ENDS && !tell(hearing, SYNTH_SPEECH_ENDS, count)) return SYNTH_CANCELLED;
  return SYNTH_OK;
}

enum { CAN = SYNTH_CAN_DETECT_SPEECH | SYNTH_RECOGNIZES_ALIKE };

static const synth_recognizer_model *model(uint32_t index) {
  static const synth_recognizer_model only = {
      sizeof(synth_recognizer_model), CAN, "clock", "Clock", NULL, NULL, 0, NULL, 0};
  return index == 0 ? &only : NULL;
}

#ifdef ASKED
static const char *variable(uint32_t index) {
  static const char *const asked[] = {ASKED};
  return index < sizeof asked / sizeof *asked ? asked[index] : NULL;
}
#define VARIABLES variable
#else
#define VARIABLES NULL
#endif

static const synth_recognizer table = {
    .struct_size = sizeof table, .abi = SYNTH_RECOGNIZER_ABI, .id = "sentry", .name = "Sentry", .version = "0.1.0",
    .license = "Apache-2.0", .capabilities = CAN, .sample_rate = 16000, .model = model, .load = load, .open = open_lane,
    .recognize = recognize, .close = close_lane, .unload = unload, .variable = VARIABLES};

SYNTH_EXPORT const synth_recognizer *synth_recognizer_entry(uint32_t abi, const synth_host *host) {
  (void)host;
  return abi == SYNTH_RECOGNIZER_ABI ? &table : NULL;
}
