/* A recognizer that returns the lines of a script, as a starting point for authors and for tests. It counts frames and
   never reads a clock.

   The n-th segment of audio yields the n-th line of the file in the role "script", or of the built-in lines below. A line
   may end in its confidence, such as "| 0.83". A segment starts with 10 ms of audio louder than 0.01 (root mean square) and
   ends after 300 ms of audio below that level. Every 100 ms of a segment adds one word to the partial text. The words share
   the segment's duration evenly. */

#include "synth_recognizer.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 16000, BLOCK = RATE / 100, TAIL = 30 * BLOCK, PACE = 10 * BLOCK, WORDS = 64, LINE = 512, LINES = 10000 };

struct synth_listener {
  size_t count;
  char (*lines)[LINE];
};

struct synth_ear {
  const synth_listener *model;
  _Atomic uint64_t stopped; /* the latest serial number that was cancelled */
};

#ifndef FIRST
#define FIRST "Hello, world. | 0.9"
#endif

static const char *const built_in[] = {FIRST, "forty-two point five", "Yes."};

static bool add(synth_listener *model, const char *line) {
  void *grown = model->count < LINES ? realloc(model->lines, (model->count + 1) * LINE) : NULL;
  if (!grown) return false;
  model->lines = grown;
  snprintf(model->lines[model->count], LINE, "%s", line);
  model->lines[model->count][strcspn(model->lines[model->count], "\r\n")] = 0;
  model->count++;
  return true;
}

static void unload(synth_listener *model) {
  free(model->lines);
  free(model);
}

static synth_status load(const synth_load *load, synth_listener **model, synth_error *error) {
  const char *path = synth_path(load->files, load->file_count, "script");
  synth_listener *made = calloc(1, sizeof *made);
  bool fits = made != NULL;
  if (fits && path) {
    FILE *file = fopen(path, "r");
    if (!file) {
      unload(made);
      return synth_fail(error, SYNTH_BAD_FILE, "script", "The script cannot be read.");
    }
    char line[LINE];
    while (fits && fgets(line, sizeof line, file)) fits = add(made, line);
    fclose(file);
  } else {
    for (size_t i = 0; fits && i < sizeof built_in / sizeof *built_in; i++) fits = add(made, built_in[i]);
  }
  if (!fits) {
    if (made) unload(made);
    return synth_fail(error, SYNTH_NO_MEMORY, NULL, "The script is too long.");
  }
  *model = made;
  return SYNTH_OK;
}

static synth_status open_lane(synth_listener *model, synth_ear **lane, synth_error *error) {
  synth_ear *made = calloc(1, sizeof *made);
  if (!made) return synth_fail(error, SYNTH_NO_MEMORY, NULL, "Not enough memory for a lane.");
  made->model = model;
  *lane = made;
  return SYNTH_OK;
}

static void close_lane(synth_ear *lane) { free(lane); }

static void cancel(synth_ear *lane, uint64_t serial) {
  uint64_t seen = atomic_load(&lane->stopped);
  while (seen < serial && !atomic_compare_exchange_weak(&lane->stopped, &seen, serial)) {}
}

/* Reports the segment's line of the script: either the complete line, or the words for the audio received so far. */
static bool tell(const synth_hearing *hearing, const synth_recognition *asked, const char *line, uint64_t from, uint64_t count,
                 bool whole) {
  char text[LINE];
  snprintf(text, sizeof text, "%s", line);
  float confidence = -1;
  char *bar = strrchr(text, '|');
  if (bar) {
    confidence = strtof(bar + 1, NULL);
    while (bar > text && bar[-1] == ' ') bar--;
    *bar = 0;
  }
  synth_spoken_word words[WORDS];
  const synth_spoken_word *pointers[WORDS];
  size_t all = 0;
  for (const char *rest = text; *rest && all < WORDS; all++) {
    size_t length = strcspn(rest, " ");
    words[all] = (synth_spoken_word){sizeof *words, confidence, 0, 0, (size_t)(rest - text), length};
    pointers[all] = &words[all];
    rest += length + strspn(rest + length, " ");
  }
  size_t said = whole || count / PACE > all ? all : (size_t)(count / PACE);
  if (!said && !whole) return true;
  size_t length = 0;
  for (size_t i = 0; i < said; i++) {
    uint64_t share = whole ? count / all : PACE;
    words[i].frame = from + i * share;
    words[i].frame_count = share;
    length = words[i].text_offset + words[i].text_length;
  }
  text[length] = 0;
  int32_t choice = -1;
  for (size_t i = 0; whole && asked->hints->kind == SYNTH_HINT_CHOICE && i < asked->hints->phrase_count; i++)
    if (!strcmp(asked->hints->phrases[i], text)) choice = (int32_t)i;
  bool timed = asked->wants & SYNTH_WANT_SPOKEN_WORDS;
  synth_heard heard = {
      .struct_size = sizeof heard, .kind = whole ? SYNTH_FINAL : SYNTH_PARTIAL, .text = text, .length = length,
      .stable_length = length, .frame = from, .frame_count = count, .words = timed ? pointers : NULL,
      .word_count = timed ? said : 0, .confidence = confidence, .choice = choice};
  return hearing->text(hearing->context, &heard);
}

static bool tell_event(const synth_hearing *hearing, const synth_recognition *asked, synth_speech_event_kind kind, uint64_t frame) {
  synth_speech_event event = {sizeof event, kind, frame};
  return !(asked->wants & SYNTH_WANT_SPEECH_EVENTS) || hearing->event(hearing->context, &event);
}

static synth_status recognize(synth_ear *lane, const synth_recognition *asked, const synth_sound *sound,
                              const synth_hearing *hearing, synth_error *error) {
  (void)error;
  float block[BLOCK];
  uint64_t at = 0, begun = 0, loud = 0; /* in frames: read so far, start of the segment, end of its last loud block */
  size_t line = 0;
  bool speaking = false, more = true;
  while (more) {
    size_t have = 0;
    while (have < BLOCK && more) { /* full blocks, so the result does not depend on how the input is divided */
      size_t count = sound->read(sound->context, block + have, BLOCK - have);
      more = count > 0;
      have += count;
    }
    if (atomic_load(&lane->stopped) >= asked->serial || !hearing->progress(hearing->context, -1)) return SYNTH_CANCELLED;
    double power = 0;
    for (size_t i = 0; i < have; i++) power += (double)block[i] * (double)block[i];
    bool sounds = have && power / (double)have > 1e-4, go = true;
    at += have;
    if (sounds && !speaking) {
      speaking = true;
      begun = at - have;
      go = tell_event(hearing, asked, SYNTH_SPEECH_BEGINS, begun);
    }
    if (sounds) loud = at;
    const char *says = line < lane->model->count ? lane->model->lines[line] : "";
    if (go && speaking && (!more || at - loud >= TAIL)) {
      go = tell_event(hearing, asked, SYNTH_SPEECH_ENDS, loud) && tell(hearing, asked, says, begun, loud - begun, true);
      speaking = false;
      line++;
    } else if (go && sounds && (asked->wants & SYNTH_WANT_PARTIALS) && (at - begun) % PACE == 0) {
      go = tell(hearing, asked, says, begun, at - begun, false);
    }
    if (!go) return SYNTH_CANCELLED;
  }
  if (line == 0 && !tell(hearing, asked, "", 0, 0, true)) return SYNTH_CANCELLED; /* nothing was recognized */
  return SYNTH_OK;
}

static const synth_role *role(uint32_t index) {
  static const synth_role script = {sizeof(synth_role), SYNTH_SCOPE_MODEL, SYNTH_ROLE_OPTIONAL, 0, "script"};
  return index == 0 ? &script : NULL;
}

enum {
  CAN = SYNTH_CAN_TRANSCRIBE | SYNTH_CAN_DETECT_SPEECH | SYNTH_CAN_GIVE_PARTIALS | SYNTH_CAN_TIME_SPOKEN_WORDS |
        SYNTH_CAN_PUNCTUATE | SYNTH_RECOGNIZES_ALIKE | SYNTH_RECOGNIZER_IS_EXAMPLE
};

static const synth_recognizer_model *model(uint32_t index) {
  static const char *const languages[] = {"en"};
  static const synth_recognizer_model only = {
      sizeof(synth_recognizer_model), CAN, "script", "Script", NULL, languages, 1, NULL, 0};
  return index == 0 ? &only : NULL;
}

static const synth_recognizer table = {
    .struct_size = sizeof table, .abi = SYNTH_RECOGNIZER_ABI, .id = "scripted", .name = "Scripted", .version = "0.1.0",
    .license = "Apache-2.0", .capabilities = CAN, .sample_rate = RATE, .role = role, .model = model, .load = load,
    .open = open_lane, .recognize = recognize, .cancel = cancel, .close = close_lane, .unload = unload};

SYNTH_EXPORT const synth_recognizer *synth_recognizer_entry(uint32_t abi, const synth_host *host) {
  (void)host;
  return abi == SYNTH_RECOGNIZER_ABI ? &table : NULL;
}
