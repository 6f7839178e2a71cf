/* @NAME@: a speech recognizer for synthhost. It counts the segments of audio between pauses. Your own code starts in recognize().
   synth_recognizer.h documents the contract, and synth_engine.h the parts that engines and recognizers share. This is
   C11, and also valid C++17. */

#include "synth_recognizer.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_RATE = 16000, BLOCK = SAMPLE_RATE / 100, PAUSE = 30 * BLOCK };

/* ---- the description, which is read before anything is loaded ---- */
enum {
  CAN = SYNTH_CAN_TRANSCRIBE | SYNTH_CAN_DETECT_SPEECH | SYNTH_CAN_GIVE_PARTIALS | SYNTH_CAN_TIME_SPOKEN_WORDS |
        SYNTH_RECOGNIZES_ALIKE | SYNTH_RECOGNIZER_IS_EXAMPLE /* remove the last flag once it recognizes speech */
};
static synth_recognizer_model MODEL; /* describe() fills it in, once */

static const synth_recognizer_model *model_at(uint32_t index) { return index == 0 ? &MODEL : NULL; }

/* ---- a model: weights that lanes share; a lane: the state of one running request ---- */
struct synth_listener { int unused; };
struct synth_ear { synth_listener *model; };

static synth_status load(const synth_load *from, synth_listener **model, synth_error *error) {
  (void)from; /* synth_path(from->files, from->file_count, "weights") is the path of a role that you declare */
  *model = (synth_listener *)calloc(1, sizeof **model);
  return *model ? SYNTH_OK : synth_fail(error, SYNTH_NO_MEMORY, NULL, "Not enough memory for the model.");
}

static synth_status open_lane(synth_listener *model, synth_ear **lane, synth_error *error) {
  *lane = (synth_ear *)calloc(1, sizeof **lane);
  if (!*lane) return synth_fail(error, SYNTH_NO_MEMORY, NULL, "Not enough memory for a lane.");
  (*lane)->model = model;
  return SYNTH_OK;
}

static void close_lane(synth_ear *lane) { free(lane); }
static void unload(synth_listener *model) { free(model); }

/* ---- one stream of audio ---- */

/* Reads complete blocks, so the result does not depend on how the input is divided. A shorter block means that the audio
   has ended or the request should stop. */
static size_t read_block(const synth_sound *sound, float *block) {
  size_t have = 0, more = 1;
  while (have < BLOCK && more > 0) {
    more = sound->read(sound->context, block + have, BLOCK - have);
    have += more;
  }
  return have;
}

static bool is_loud(const float *block, size_t count) {
  float power = 0;
  for (size_t i = 0; i < count; i++) power += block[i] * block[i];
  return power > 1e-4f * (float)count;
}

/* Reports where speech starts or ends. Returns false to stop. */
static bool mark(const synth_hearing *hearing, uint32_t wants, synth_speech_event_kind kind, uint64_t frame) {
  synth_speech_event event;
  memset(&event, 0, sizeof event);
  event.struct_size = sizeof event;
  event.kind = kind;
  event.frame = frame;
  return !(wants & SYNTH_WANT_SPEECH_EVENTS) || hearing->event(hearing->context, &event);
}

/* Reports a number as the text of a segment, or an empty text for 0. Returns false to stop. */
static bool tell(const synth_hearing *hearing, uint32_t wants, synth_heard_kind kind, unsigned number, uint64_t begin,
                 uint64_t end) {
  if (kind == SYNTH_PARTIAL && !(wants & SYNTH_WANT_PARTIALS)) return true;
  char text[16] = "";
  if (number > 0) snprintf(text, sizeof text, "%u", number);
  synth_spoken_word word;
  memset(&word, 0, sizeof word);
  word.struct_size = sizeof word;
  word.confidence = -1;
  word.frame = begin;
  word.frame_count = end - begin;
  word.text_length = strlen(text);
  const synth_spoken_word *words[1] = {&word};
  synth_heard heard;
  memset(&heard, 0, sizeof heard);
  heard.struct_size = sizeof heard;
  heard.kind = kind;
  heard.text = text;
  heard.length = strlen(text);
  heard.stable_length = heard.length;
  heard.frame = begin;
  heard.frame_count = end - begin;
  heard.words = words;
  heard.word_count = number > 0 && (wants & SYNTH_WANT_SPOKEN_WORDS) ? 1 : 0;
  heard.confidence = -1;
  heard.choice = -1;
  return hearing->text(hearing->context, &heard);
}

/* If a function of `hearing` returns false, stop and return SYNTH_CANCELLED. */
static synth_status recognize(synth_ear *lane, const synth_recognition *asked, const synth_sound *sound,
                              const synth_hearing *hearing, synth_error *error) {
  (void)lane;
  (void)error;
  float block[BLOCK];
  uint64_t read = 0, begin = 0, end = 0; /* in frames: read so far, and the current segment */
  unsigned number = 0;
  bool sounds = false;
  for (bool more = true; more;) {
    size_t count = read_block(sound, block);
    more = count == BLOCK;
    read += count;
    /* Also call this at least every 100 ms between the steps of a long computation. */
    if (!more && !hearing->progress(hearing->context, -1)) return SYNTH_CANCELLED;
    if (is_loud(block, count)) {
      end = read;
      if (!sounds) {
        sounds = true;
        begin = read - count;
        number++;
        if (!mark(hearing, asked->wants, SYNTH_SPEECH_BEGINS, begin)) return SYNTH_CANCELLED;
        if (!tell(hearing, asked->wants, SYNTH_PARTIAL, number, begin, end)) return SYNTH_CANCELLED;
      }
    }
    if (sounds && (!more || read - end >= PAUSE)) {
      sounds = false;
      if (!mark(hearing, asked->wants, SYNTH_SPEECH_ENDS, end)) return SYNTH_CANCELLED;
      if (!tell(hearing, asked->wants, SYNTH_FINAL, number, begin, end)) return SYNTH_CANCELLED;
    }
  }
  if (number == 0 && !tell(hearing, asked->wants, SYNTH_FINAL, 0, 0, 0)) return SYNTH_CANCELLED;
  return SYNTH_OK;
}

/* ---- the table ---- */
static synth_recognizer RECOGNIZER;

static void describe(void) {
  static const char *const languages[] = {"en"};
  MODEL.struct_size = sizeof MODEL;
  MODEL.capabilities = CAN;
  MODEL.id = "count";
  MODEL.name = "@NAME@ Count";
  MODEL.languages = languages;
  MODEL.language_count = 1;
  RECOGNIZER.struct_size = sizeof RECOGNIZER;
  RECOGNIZER.abi = SYNTH_RECOGNIZER_ABI;
  RECOGNIZER.id = "@ID@";
  RECOGNIZER.name = "@NAME@";
  RECOGNIZER.version = "0.1";
  RECOGNIZER.license = "Apache-2.0";
  RECOGNIZER.capabilities = CAN;
  RECOGNIZER.sample_rate = SAMPLE_RATE;
  RECOGNIZER.model = model_at;
  RECOGNIZER.load = load;
  RECOGNIZER.open = open_lane;
  RECOGNIZER.recognize = recognize;
  RECOGNIZER.close = close_lane;
  RECOGNIZER.unload = unload;
}

/* The host calls this first, and only once. */
SYNTH_EXPORT const synth_recognizer *synth_recognizer_entry(uint32_t abi, const synth_host *host) {
  (void)host; /* host->log writes a line to the log */
  if (abi != SYNTH_RECOGNIZER_ABI) return NULL;
  describe();
  return &RECOGNIZER;
}
