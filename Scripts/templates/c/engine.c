/* @NAME@: a speech engine for synthhost. It beeps once for each word. Your own code starts in speak(). synth_engine.h documents
   the contract and the thread of each function. This is C11, and also valid C++17. */

#include "synth_engine.h"
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_RATE = 24000, PIECE = SAMPLE_RATE / 20 };

/* ---- the description, which is read before anything is loaded ----
   An engine has no access to the network, devices or additional folders. An engine that needs them has a function `need`,
   and the user has to allow each need by name; see "Request permissions" in the guide engine-rules.md. */
enum { VOICE_COUNT = 2 };
static synth_voice VOICES[VOICE_COUNT]; /* describe() fills them in, once */

static const synth_voice *voice(uint32_t index) { return index < VOICE_COUNT ? &VOICES[index] : NULL; }

/* ---- a model: weights that lanes share; a lane: the state of one running request ---- */
struct synth_model { int unused; };
struct synth_lane { synth_model *model; };

static synth_status load(const synth_load *from, synth_model **model, synth_error *error) {
  (void)from; /* synth_path(from->files, from->file_count, "weights") is the path of a role that you declare */
  *model = (synth_model *)calloc(1, sizeof **model);
  return *model ? SYNTH_OK : synth_fail(error, SYNTH_NO_MEMORY, NULL, "Not enough memory for the model.");
}

static synth_status open_lane(synth_model *model, synth_lane **lane, synth_error *error) {
  *lane = (synth_lane *)calloc(1, sizeof **lane);
  if (!*lane) return synth_fail(error, SYNTH_NO_MEMORY, NULL, "Not enough memory for a lane.");
  (*lane)->model = model;
  return SYNTH_OK;
}

static void close_lane(synth_lane *lane) { free(lane); }
static void unload(synth_model *model) { free(model); }

/* ---- one utterance ---- */

/* Writes a square wave, or silence if `period` is 0. Returns false to stop. */
static bool sound(const synth_sink *sink, uint64_t *frame, int period, int count) {
  float piece[PIECE];
  for (int done = 0; done < count;) {
    int n = 0;
    for (; n < PIECE && done < count; n++, done++)
      piece[n] = period == 0 ? 0 : done % period < period / 2 ? 0.1f : -0.1f;
    if (!sink->audio(sink->context, piece, (size_t)n)) return false;
    *frame += (uint64_t)n;
  }
  return true;
}

/* Reports the start of a word. Returns false to stop. */
static bool word(const synth_sink *sink, uint64_t frame, size_t offset, size_t length) {
  synth_event event;
  memset(&event, 0, sizeof event);
  event.struct_size = sizeof event;
  event.kind = SYNTH_WORD;
  event.frame = frame;
  event.text_offset = offset;
  event.text_length = length;
  return sink->event(sink->context, &event);
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* If a function of the sink returns false, stop and return SYNTH_CANCELLED. */
static bool speak(const synth_request *request, const synth_sink *sink, int period) {
  const int beep = (int)((float)SAMPLE_RATE * 0.2f / request->rate);
  uint64_t frame = 0;
  for (size_t i = 0; i < request->length;) {
    if (is_space(request->text[i])) { i++; continue; }
    size_t end = i;
    while (end < request->length && !is_space(request->text[end])) end++;
    if (frame == 0 && !sink->begin(sink->context, SAMPLE_RATE, 1)) return false;
    if ((request->wants & SYNTH_WORD) && !word(sink, frame, i, end - i)) return false;
    if (!sound(sink, &frame, period, beep) || !sound(sink, &frame, 0, beep / 2)) return false;
    i = end;
  }
  return true;
}

static synth_status synthesize(synth_lane *lane, const synth_request *request, const synth_sink *sink,
                               synth_error *error) {
  (void)lane;
  const char *id = request->voices[0]->id;
  size_t v = 0;
  while (v < VOICE_COUNT && strcmp(VOICES[v].id, id) != 0) v++;
  if (v == VOICE_COUNT) return synth_fail(error, SYNTH_BAD_REQUEST, NULL, "@NAME@ has no voice of this name.");
  if (request->voices[0]->speaker) return synth_fail(error, SYNTH_BAD_REQUEST, NULL, "Each voice has only one speaker.");
  return speak(request, sink, v == 0 ? 60 : 120) ? SYNTH_OK : SYNTH_CANCELLED;
}

/* ---- the table ---- */
static synth_engine ENGINE;

static void describe(void) {
  static const char *const names[VOICE_COUNT][2] = {{"high", "High"}, {"low", "Low"}};
  for (size_t v = 0; v < VOICE_COUNT; v++) {
    VOICES[v].struct_size = sizeof VOICES[v];
    VOICES[v].id = names[v][0];
    VOICES[v].name = names[v][1];
    VOICES[v].language = "en";
    VOICES[v].model = "@ID@";
  }
  ENGINE.struct_size = sizeof ENGINE;
  ENGINE.abi = SYNTH_ABI;
  ENGINE.id = "@ID@";
  ENGINE.name = "@NAME@";
  ENGINE.version = "0.1";
  ENGINE.license = "Apache-2.0";
  ENGINE.capabilities = SYNTH_CAN_TIME_WORDS | SYNTH_IS_DETERMINISTIC | SYNTH_CAN_STREAM;
  ENGINE.rate_min = 0.5f;
  ENGINE.rate_max = 2;
  ENGINE.pitch_min = ENGINE.pitch_max = 1;
  ENGINE.voice = voice;
  ENGINE.load = load;
  ENGINE.open = open_lane;
  ENGINE.synthesize = synthesize;
  ENGINE.close = close_lane;
  ENGINE.unload = unload;
}

/* The host calls this first, and only once. */
SYNTH_EXPORT const synth_engine *synth_engine_entry(uint32_t abi, const synth_host *host) {
  (void)host; /* host->log writes a line to the log */
  if (abi != SYNTH_ABI) return NULL;
  describe();
  return &ENGINE;
}
