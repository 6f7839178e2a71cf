/* A recognizer with one fault, for tests. A macro selects the fault. Its sample rate is 16 kHz. */

#include "synth_recognizer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef HEARD
#define HEARD "Hello"
#endif

static synth_status load(const synth_load *load, synth_listener **model, synth_error *error) {
  (void)load;
#ifdef NO_LOAD
  return synth_fail(error, SYNTH_MISSING_FILE, "weights", "There are no weights.");
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

/* The fault is selected with macros at compile time. */
static synth_status recognize(synth_ear *lane, const synth_recognition *asked, const synth_sound *sound,
                              const synth_hearing *hearing, synth_error *error) {
  (void)lane, (void)error, (void)asked;
  float frames[1600];
  uint64_t count = 0;
  size_t read;
  synth_spoken_word word = {sizeof word, -1, 0, 100, 0, strlen(HEARD)};
  const synth_spoken_word *words[] = {&word};
  synth_heard heard = {.struct_size = sizeof heard, .kind = SYNTH_FINAL, .text = HEARD, .length = strlen(HEARD),
                       .frame_count = 100, .words = words, .word_count = 1, .confidence = -1, .choice = -1};
  synth_speech_event event = {sizeof event, SYNTH_SPEECH_BEGINS, 0};
#ifdef EARLY
  return SYNTH_OK;
#endif
#ifdef KNOWS
  if (asked->language && !strstr(KNOWS, asked->language))
    return synth_fail(error, SYNTH_BAD_REQUEST, NULL, "The model does not know this language.");
#endif
  while ((read = sound->read(sound->context, frames, 1600)) > 0) {
    count += read;
#ifdef CRASH
    abort();
#endif
#ifdef EXIT
    _exit(3);
#endif
#ifdef HANG
    hearing->progress(hearing->context, -1);
    for (;;) pause();
#endif
#ifdef SPIN
    for (;;) hearing->progress(hearing->context, -1);
#endif
#ifdef CLOSES
    for (int i = 3; i < 100; i++) close(i);
#endif
#ifdef CUTS
    /* Descriptor 3 is the control socket. */
    for (int i = 4; i < 100; i++) shutdown(i, SHUT_RD);
#endif
#ifdef SLOW
    /* SLOW is in quarters of a second. */
    usleep(250000 * SLOW);
    continue;
#endif
#ifdef STRICT
    for (size_t i = 0; i < read; i++)
      if (!(frames[i] >= -1 && frames[i] <= 1)) abort();
#endif
    if (!hearing->progress(hearing->context, -1)) return SYNTH_CANCELLED;
  }
  if (count == 0) heard.text = "", heard.length = 0, heard.frame_count = 0, heard.word_count = 0;
#ifdef BEYOND
  heard.frame_count = count + 1;
#endif
#ifdef NO_TEXT
  heard.text = NULL;
#endif
#ifdef INSIDE
  word.text_offset = 1, word.text_length = 1;
#endif
#ifdef UNSURE
  heard.confidence = 1.5f;
#endif
#ifdef DRAWN
  heard.quiet_probability = 0.25f, heard.repetition = 1.5f, heard.temperature = DRAWN;
#endif
#ifdef CHOOSES
  heard.choice = 7;
#endif
#ifdef SPEAKS
  heard.language = "en\nde";
#endif
#ifdef MANY
  heard.word_count = 3000;
#endif
#ifdef TWICE
  hearing->event(hearing->context, &event);
#endif
#ifdef LEAVES_OUT
  struct synth_heard mistake = heard;
  mistake.kind = SYNTH_LEFT_OUT, mistake.text = "Thank you.", mistake.length = 10, mistake.word_count = 0;
  mistake.reason = LEAVES_OUT, mistake.frame_count = 8000;
  if (!hearing->text(hearing->context, &mistake)) return SYNTH_CANCELLED;
#endif
#ifdef ENDLESS
  heard.kind = SYNTH_PARTIAL;
  heard.stable_length = heard.length;
  while (hearing->text(hearing->context, &heard)) {}
  return SYNTH_CANCELLED;
#endif
#ifdef FLOOD
  while (hearing->text(hearing->context, &heard)) {}
  return SYNTH_CANCELLED;
#endif
#ifdef TRANSLATES
  heard.words = NULL, heard.word_count = 0;
  if (!(asked->flags & SYNTH_TO_ENGLISH)) heard.length = 0;
#endif
#ifdef STOPS
  return SYNTH_CANCELLED;
#endif
#ifdef FAILS
  return synth_fail(error, SYNTH_FAILED, NULL, "It is too loud.");
#endif
#ifdef PLACELESS
  sound->read(sound->context, NULL, 7);
#endif
  if (!hearing->event(hearing->context, &event)) return SYNTH_CANCELLED;
  return hearing->text(hearing->context, &heard) ? SYNTH_OK : SYNTH_CANCELLED;
}

#ifdef TRANSCRIBES
static const synth_recognizer_model *model(uint32_t index) {
#ifdef NO_MODEL /* the model is built in */
  return NULL;
#endif
  static const synth_recognizer_model only = {
      sizeof(synth_recognizer_model), SYNTH_CAN_TRANSCRIBE, "only", "Only", NULL, NULL, 0, NULL, 0};
  return index == 0 ? &only : NULL;
}
#endif

#ifdef ROLE
static const synth_role *role(uint32_t index) {
  static const synth_role one = {sizeof(synth_role), SYNTH_SCOPE_MODEL, 0, 0, ROLE};
  return index == 0 ? &one : NULL;
}
#endif

#ifdef ASKED
static const char *variable(uint32_t index) {
  static const char *const asked[] = {ASKED};
  return index < sizeof asked / sizeof *asked ? asked[index] : NULL;
}
#endif

static const synth_recognizer table = {
    .struct_size = sizeof table, .abi = SYNTH_RECOGNIZER_ABI, .id = "deaf", .name = "Deaf", .version = "1",
    .license = "Apache-2.0",
#ifdef RATE
    .sample_rate = RATE,
#else
    .sample_rate = 16000,
#endif
#ifdef TRANSLATES
    .capabilities = SYNTH_CAN_TRANSCRIBE | SYNTH_CAN_TRANSLATE, .model = model,
#elif defined(TRANSCRIBES)
    .capabilities = SYNTH_CAN_TRANSCRIBE, .model = model,
#endif
#ifdef ASKED
    .variable = variable,
#endif
#ifdef ROLE
    .role = role,
#endif
#ifndef NO_FUNCTION
    .recognize = recognize,
#endif
    .load = load, .open = open_lane, .close = close_lane, .unload = unload};

SYNTH_EXPORT const synth_recognizer *synth_recognizer_entry(uint32_t abi, const synth_host *host) {
  (void)host;
  return abi == SYNTH_RECOGNIZER_ABI ? &table : NULL;
}
