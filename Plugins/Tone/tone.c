/* SPDX-License-Identifier: Apache-2.0
   Tone: a complete engine in plain C. It hums the text, one tone per letter. It is deterministic, so tests can rely on
   it, and complete, so authors can use it as a starting point. Only the header is needed to build it:
     cc -std=c11 -O2 -shared -fPIC -I Sources/CSynthEngine/include -o libTone.so tone.c */

#include "synth_engine.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 22050, PIECE = RATE / 20, RAMP = RATE / 200, LETTER_MS = 70, SPACE_MS = 40, PAUSE_MS = 180 };

/* ---- description: the host reads it before it loads a model ---- */
#define VOICE(id, name, gender) {sizeof(synth_voice), gender, id, name, "en", .model = "tone"}
/* A voice that is not built in has a text file that specifies the frequency of its lowest tone in hertz. */
static const synth_role PITCH = {.struct_size = sizeof PITCH, .scope = SYNTH_SCOPE_VOICE, .name = "pitch"};
static const synth_role *role(uint32_t index) { return index == 0 ? &PITCH : NULL; }
#ifdef TONE_FILES /* "url", "sha256", size: one more voice, whose file the host downloads */
static const synth_source SOURCE = {sizeof SOURCE, 0, "pitch", TONE_FILES}, *const SOURCES[] = {&SOURCE};
#endif
static const synth_voice VOICES[] = {
  VOICE("sine", "Sine", SYNTH_FEMALE), VOICE("low", "Low", SYNTH_MALE), VOICE("buzz", "Buzz", SYNTH_NEUTRAL),
#ifdef TONE_FILES
  {sizeof(synth_voice), 0, "fetched", "Fetched", "en", .model = "tone", .sources = SOURCES, .source_count = 1},
#endif
};
/* The frequency of each voice's lowest tone in hertz, and the share of a tone one octave higher. */
static const struct { float hertz, octave; } TIMBRE[] = {{220, 0}, {110, 0.3f}, {146, 1}};
enum { VOICE_COUNT = sizeof VOICES / sizeof *VOICES, BUILT_IN = sizeof TIMBRE / sizeof *TIMBRE };
static const synth_voice *voice(uint32_t index) { return index < VOICE_COUNT ? &VOICES[index] : NULL; }

/* ---- the three lifetimes ---- */
struct synth_model { char nothing; /* a real engine stores the loaded data here */ };
struct synth_lane { _Atomic uint64_t cancelled; /* requests up to this serial number must stop */ };

static synth_status load(const synth_load *from, synth_model **model, synth_error *error) {
  static synth_model only;
  return (void)from, (void)error, *model = &only, SYNTH_OK;
}
static synth_status open_lane(synth_model *model, synth_lane **lane, synth_error *error) {
  (void)model;
  *lane = calloc(1, sizeof **lane);
  return *lane ? SYNTH_OK : synth_fail(error, SYNTH_NO_MEMORY, NULL, "Not enough memory for a lane.");
}
static void cancel(synth_lane *lane, uint64_t serial) { atomic_store(&lane->cancelled, serial); }
static void close_lane(synth_lane *lane) { free(lane); }
static void unload(synth_model *model) { (void)model; }

/* ---- one utterance ---- */
typedef struct speech {
  synth_lane *lane;
  const synth_request *request;
  const synth_sink *sink;
  float hertz, octave, phase; /* the timbre mixed from the request's voices; the wave's phase, 0 … 1 */
  uint64_t frame;
  bool has_begun;             /* set at the first word: a text without words produces no audio */
} speech;

static bool is_letter(unsigned char c) { return (unsigned)(c - '0') < 10 || (unsigned)((c | 32) - 'a') < 26 || c > 127; }
static float hertz_in(const char *path) { /* returns 0 if the file has no number */
  float hertz = 0;
  FILE *file = fopen(path, "r");
  const bool is_there = file && fscanf(file, "%f", &hertz) == 1;
  if (file) fclose(file);
  return is_there ? hertz : 0;
}
static bool event(const speech *s, uint32_t kind, size_t offset, size_t length) {
  if (!(s->request->wants & kind)) return true;
  const synth_event e = {
    .struct_size = sizeof e, .kind = kind, .frame = s->frame, .text_offset = offset, .text_length = length};
  return s->sink->event(s->sink->context, &e);
}

/* The sine of a phase from 0 to 1, computed without libm: a parabola with one correction. The error is below 0.2%. */
static float wave(float phase) {
  const float x = 2 * (phase - (float)(int)phase) - 1, parabola = -4 * x * (1 - (x < 0 ? -x : x));
  return parabola * (0.775f + 0.225f * (parabola < 0 ? -parabola : parabola));
}

/* Outputs a tone, or silence if hertz is 0, in short pieces so that cancellation takes effect immediately. */
static bool sound(speech *s, float hertz, int milliseconds) {
  const int count = (int)((float)(milliseconds * (RATE / 50)) / (20 * s->request->rate));
  const int ramp = count / 2 < RAMP ? count / 2 : RAMP;
  float piece[PIECE];
  for (int done = 0; done < count;) {
    int n = 0;
    for (; n < PIECE && done < count; n++, done++) {
      const int edge = done < count - done ? done : count - done;
      const float envelope = hertz == 0 ? 0 : edge < ramp ? (float)edge / (float)ramp : 1;
      piece[n] = 0.5f * envelope * (wave(s->phase) + s->octave * wave(2 * s->phase)) / (1 + s->octave);
      s->phase += hertz / (float)RATE;
      if (s->phase >= 1) s->phase -= 1;
    }
    if (atomic_load(&s->lane->cancelled) >= s->request->serial) return false;
    if (!s->sink->audio(s->sink->context, piece, (size_t)n)) return false;
    s->frame += (uint64_t)n;
  }
  return true;
}

static bool speak(speech *s) {
  const unsigned char *text = (const unsigned char *)s->request->text; /* NUL-terminated; NUL is not a letter */
  bool in_sentence = false;
  for (size_t i = 0; text[i];) {
    if (!is_letter(text[i])) {
      if (in_sentence && !sound(s, 0, strchr(".!?,;:", text[i]) ? PAUSE_MS : SPACE_MS)) return false;
      if (strchr(".!?", text[i++])) in_sentence = false;
      continue;
    }
    size_t end = i;
    while (is_letter(text[end])) end++;
    if (!s->has_begun && !(s->has_begun = s->sink->begin(s->sink->context, RATE, 1))) return false;
    if (!in_sentence && !event(s, SYNTH_SENTENCE, i, 0)) return false;
    if (!event(s, SYNTH_WORD, i, end - i)) return false;
    in_sentence = true;
    for (; i < end; i++) {
      if ((text[i] & 0xC0) == 0x80) continue; /* one tone per character */
      if (!sound(s, s->hertz * s->request->pitch * (1 + (float)(text[i] % 12) / 24), LETTER_MS)) return false;
    }
  }
  return true;
}

static synth_status synthesize(synth_lane *lane, const synth_request *request, const synth_sink *sink,
                               synth_error *error) {
  speech s = {.lane = lane, .request = request, .sink = sink};
  for (size_t v = 0; v < request->voice_count; v++) {
    const synth_voice_use *use = request->voices[v];
    const char *path = synth_path(use->files, use->file_count, "pitch");
    size_t i = 0;
    while (!path && i < BUILT_IN && strcmp(VOICES[i].id, use->id)) i++;
    if (i == BUILT_IN) return synth_fail(error, SYNTH_BAD_REQUEST, NULL, "Tone has no voice with this name.");
    const float hertz = path ? hertz_in(path) : TIMBRE[i].hertz;
    if (!(hertz >= 20 && hertz <= 2000)) return synth_fail(error, SYNTH_BAD_FILE, PITCH.name, "The pitch must be 20 to 2000 Hz.");
    s.hertz += use->weight * hertz;
    s.octave += path ? 0 : use->weight * TIMBRE[i].octave;
  }
  return speak(&s) ? SYNTH_OK : SYNTH_CANCELLED;
}

static const synth_engine ENGINE = { /* remove SYNTH_IS_EXAMPLE when your engine produces speech */
  .struct_size = sizeof ENGINE, .abi = SYNTH_ABI, .id = "tone", .name = "Tone", .version = "1.0", .role = role,
  .license = "Apache-2.0", .rate_min = 0.25f, .rate_max = 4, .pitch_min = 0.5f, .pitch_max = 2, .voice = voice,
  .capabilities = SYNTH_CAN_TIME_WORDS | SYNTH_CAN_BLEND | SYNTH_IS_DETERMINISTIC | SYNTH_CAN_STREAM | SYNTH_IS_EXAMPLE,
  .load = load, .open = open_lane, .synthesize = synthesize, .cancel = cancel, .close = close_lane, .unload = unload};

SYNTH_EXPORT const synth_engine *synth_engine_entry(uint32_t abi, const synth_host *host) {
  return (void)host, abi == SYNTH_ABI ? &ENGINE : NULL;
}
