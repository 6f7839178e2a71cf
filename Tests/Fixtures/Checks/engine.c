/* A correct engine or, with -DFAULT_…, an engine with exactly one fault. With -DFILES, its voices need two files. */
#include "synth_engine.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef FAULT_ASKS
#include "asking.h"
#endif

enum { RATE = 16000, LETTER = RATE / 50, MOST = 4 * LETTER };

struct synth_model { char style[64]; };
struct synth_lane { _Atomic uint64_t cancelled; _Atomic int cancels; };

#ifdef FAULT_EXPORTS
void engine_internals(void) {}
#endif
#if defined FAULT_LEAK || defined FAULT_SPEECH_LEAK
static void *volatile leaked;
#endif
#ifdef FAULT_UNRESOLVED
void nowhere_to_be_found(void);
#endif
#if defined FAULT_UNSTABLE
static int loads;
#endif

/* ---- description ---- */
static const char *const SPEAKERS[] = {"first", "second"};

#ifdef FILES
static const synth_role ROLES[] = {
  {.struct_size = sizeof(synth_role), .scope = SYNTH_SCOPE_MODEL, .name = "weights"},
  {.struct_size = sizeof(synth_role), .scope = SYNTH_SCOPE_VOICE, .name = "style"}};
static const synth_role *role(uint32_t index) { return index < 2 ? &ROLES[index] : NULL; }
#ifdef FAULT_PLAIN_HTTP
#define URL "http://example.org/"
#else
#define URL "https://example.org/"
#endif
#define DIGEST "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
static const synth_source WEIGHTS = {sizeof(synth_source), 0, "weights", URL "weights", DIGEST, 7};
static const synth_source STYLE = {sizeof(synth_source), 0, "style", URL "style", DIGEST, 5};
static const synth_source *const SOURCES[] = {&WEIGHTS, &STYLE};
#define OF_FILES .sources = SOURCES, .source_count = 2
#else
#define OF_FILES .source_count = 0
#endif

static synth_voice VOICES[] = {
  {.struct_size = sizeof(synth_voice), .id = "one", .name = "One", .model = "m", .speakers = SPEAKERS,
   .speaker_count = 2, OF_FILES,
#ifdef FAULT_LANGUAGE
   .language = "plain English"},
#else
   .language = "en-GB"},
#endif
#ifdef FAULT_TWINS
  {.struct_size = sizeof(synth_voice), .id = "one", .name = "Two", .language = "de", .model = "m", OF_FILES},
#else
  {.struct_size = sizeof(synth_voice), .id = "two", .name = "Two", .language = "de", .model = "m", OF_FILES},
#endif
};

static const synth_voice *voice(uint32_t index) {
#ifdef FAULT_SLOW_LIST
  usleep(8000);
#endif
  return index < 2 ? &VOICES[index] : NULL;
}

/* ---- lifetimes ---- */
static bool holds(const char *path, const char *magic) {
  char head[16] = {0};
  FILE *file = fopen(path, "r");
  if (!file) return false;
  size_t count = fread(head, 1, sizeof head - 1, file);
  fclose(file);
  return count == strlen(magic) && strcmp(head, magic) == 0;
}

static void *sleep_forever(void *nothing) {
  for (;;) pause();
  return nothing;
}

static synth_status load(const synth_load *from, synth_model **model, synth_error *error) {
  (void)from, (void)error, (void)sleep_forever, (void)holds;
#ifdef FILES
  const char *weights = synth_path(from->files, from->file_count, "weights");
#ifdef FAULT_NO_ROLE
  if (!weights) return synth_fail(error, SYNTH_FAILED, NULL, "Something is missing.");
#endif
  if (!weights) return synth_fail(error, SYNTH_MISSING_FILE, ROLES[0].name, "The weights are missing.");
#ifndef FAULT_TRUSTING
  if (!holds(weights, "WEIGHTS")) return synth_fail(error, SYNTH_BAD_FILE, ROLES[0].name, "These are no weights.");
#endif
#endif
#ifdef FAULT_UNSTABLE
  if (loads++ == 0) VOICES[1].name = "Three";
#endif
#ifdef FAULT_LEAK
  leaked = malloc(20000);
#endif
#ifdef FAULT_DESCRIPTOR
  (void)!open("/dev/null", O_RDONLY);
#endif
#if defined FAULT_THREAD || defined FAULT_LASTING_THREAD
#ifdef FAULT_THREAD
  static int threads = 2;
#else
  static int threads = 1;
#endif
  pthread_t thread;
  if (threads-- > 0) pthread_create(&thread, NULL, sleep_forever, NULL);
#endif
#ifdef FAULT_SIGNAL
  signal(SIGUSR1, SIG_IGN);
#endif
#ifdef FAULT_ENVIRONMENT
  setenv("ENGINE_WAS_HERE", "1", 1);
#endif
#ifdef FAULT_FOLDER
  (void)!chdir("/");
#endif
#ifdef FAULT_WRITES
  FILE *log = fopen("debug.log", "w");
  if (log) fclose(log);
#endif
#ifdef FAULT_NETWORK
  close(socket(AF_INET, SOCK_STREAM, 0));
#endif
#ifdef FAULT_PROCESS
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
#endif
#ifdef FAULT_ASKS
  const char *why = ask(from->cache_directory);
  if (why) return synth_fail(error, SYNTH_FAILED, NULL, why);
#endif
  *model = calloc(1, sizeof **model);
  return SYNTH_OK;
}

static synth_status open_lane(synth_model *model, synth_lane **lane, synth_error *error) {
  (void)model, (void)error;
  *lane = calloc(1, sizeof **lane);
  return SYNTH_OK;
}

static void cancel(synth_lane *lane, uint64_t serial) {
#ifdef FAULT_UNHURRIED
  atomic_fetch_add(&lane->cancels, 1);
  usleep(40000);
  atomic_fetch_sub(&lane->cancels, 1);
#endif
#ifdef FAULT_STICKY
  serial = UINT64_MAX;
#endif
  atomic_store(&lane->cancelled, serial);
}

static void close_lane(synth_lane *lane) {
#ifdef FAULT_UNHURRIED
  usleep(20000);
  if (atomic_load(&lane->cancels) > 0) abort();
#endif
  free(lane);
}
static void unload(synth_model *model) { free(model); }

/* ---- speech ---- */
static bool is_letter(unsigned char c) { return c >= '0'; }

static synth_status stop(void) {
#ifdef FAULT_SLOW_CANCEL
  usleep(700000);
#endif
  return SYNTH_CANCELLED;
}

/* Treats the points as steps, which is sufficient for a test. */
static float pitch_at(const synth_request *request, size_t offset) {
  float factor = request->pitch;
  (void)offset;
#ifndef FAULT_FLAT
  for (size_t i = 0; i < request->pitch_point_count; i++)
    if (request->pitch_points[i]->text_offset <= offset) factor = request->pitch_points[i]->factor;
#endif
#ifdef FAULT_TRUSTS_POINTS
  return factor;
#endif
  return factor >= 0.5f && factor <= 2 ? factor : 1;
}

static synth_status speak(synth_lane *lane, const synth_request *request, const synth_sink *sink, synth_error *error) {
  const unsigned char *text = (const unsigned char *)request->text;
  const int count = (int)((float)LETTER / request->rate) < MOST ? (int)((float)LETTER / request->rate) : MOST;
  uint64_t frame = 0;
  bool begun = false;
  float samples[MOST];
  unsigned phase = 0;
  (void)error;
#ifdef FAULT_NONDETERMINISTIC
  static _Atomic unsigned calls;
  phase = atomic_fetch_add(&calls, 1) & 1;
#endif
  for (size_t i = 0; i < request->length; i++) {
    if (!is_letter(text[i])) continue;
    bool starts = i == 0 || !is_letter(text[i - 1]);
    if (!begun) {
#ifdef FAULT_BEGINS_TWICE
      if (!sink->begin(sink->context, RATE, 1)) return SYNTH_CANCELLED;
#endif
      if (!sink->begin(sink->context, RATE, 1)) return SYNTH_CANCELLED;
    }
    begun = true;
    if (starts && (request->wants & SYNTH_WORD)) {
      synth_event event = {.struct_size = sizeof event, .kind = SYNTH_WORD, .frame = frame, .text_offset = i};
      while (i + event.text_length < request->length && is_letter(text[i + event.text_length])) event.text_length++;
#ifdef FAULT_CUTS_CHARACTER
      for (size_t n = 1; n < event.text_length; n++)
        if ((text[i + n] & 0xC0) == 0x80) event.text_length = n;
#endif
#ifdef FAULT_LATE_EVENT
      if (frame > 0) event.frame--;
#endif
      if (!sink->event(sink->context, &event)) return SYNTH_CANCELLED;
    }
    for (int n = 0; n < count; n++, phase++) {
      unsigned period = (unsigned)((float)(60 + text[i] % 16) / pitch_at(request, i));
#ifdef FAULT_TRUSTS_POINTS
      if (period == 0) return synth_fail(error, SYNTH_FAILED, NULL, "A period of 0.");
#endif
      samples[n] = 0.4f * ((float)(phase % period) / (float)period * 2 - 1);
#ifndef FAULT_VOICED
      if (request->flags & SYNTH_WHISPERED) samples[n] = 0.3f * ((float)(phase * 2654435761u >> 16 & 0xFFFF) / 32768 - 1);
#endif
#ifdef FAULT_NAN
      if (frame > 5000) samples[n] = __builtin_nanf("");
#endif
#ifdef FAULT_SILENT
      samples[n] = 0;
#endif
#ifdef FAULT_LOUD
      samples[n] *= 3;
#endif
    }
    if (atomic_load(&lane->cancelled) >= request->serial) return stop();
#ifdef FAULT_GOES_ON
    sink->audio(sink->context, samples, (size_t)count);
#else
    if (!sink->audio(sink->context, samples, (size_t)count)) return stop();
#endif
    frame += (uint64_t)count;
  }
  return SYNTH_OK;
}

static synth_status synthesize(synth_lane *lane, const synth_request *given, const synth_sink *sink,
                               synth_error *error) {
  synth_request known = {0}, *request = &known;
  memcpy(&known, given, given->struct_size < sizeof known ? given->struct_size : sizeof known);
#ifdef FAULT_EXACT_SIZE
  if (given->struct_size != sizeof known) return synth_fail(error, SYNTH_BAD_REQUEST, NULL, "Unknown request.");
#endif
#ifdef FAULT_MUTE
  return synth_fail(error, SYNTH_FAILED, NULL, "It has lost its voice.");
#endif
#ifdef FAULT_FORGETS_CANCEL
  atomic_store(&lane->cancelled, 0);
#endif
  const synth_voice_use *use = request->voices[0];
  const char *refusal = NULL;
#ifndef FAULT_ANY_VOICE
  if (strcmp(use->id, "one") && strcmp(use->id, "two")) refusal = "There is no voice of this name. – Schade.";
#endif
#ifndef FAULT_ANY_SPEAKER
  if (use->speaker && strcmp(use->speaker, "first") && strcmp(use->speaker, "second"))
    refusal = "There is no speaker of this name.";
#endif
  if (refusal) {
#ifdef FAULT_OVERFLOW
    strcpy(error->message, refusal);
    return SYNTH_BAD_REQUEST;
#endif
    return synth_fail(error, SYNTH_BAD_REQUEST, NULL, refusal);
  }
#ifdef FILES
  const char *style = synth_path(use->files, use->file_count, "style");
  if (!style) return synth_fail(error, SYNTH_MISSING_FILE, ROLES[1].name, "The style is missing.");
  if (!holds(style, "STYLE")) return synth_fail(error, SYNTH_BAD_FILE, ROLES[1].name, "This is no style.");
#endif
#ifdef FAULT_NOTHING_IS_ERROR
  if (request->length == 0) return synth_fail(error, SYNTH_BAD_REQUEST, NULL, "Say something.");
#endif
#ifdef FAULT_CONTROLS
  if (strchr(request->text, 7)) return synth_fail(error, SYNTH_FAILED, NULL, "A bell.");
#endif
#ifdef FAULT_CRASH
  if (strchr(request->text, 27)) abort();
#endif
#ifdef FAULT_EXIT
  if (request->length > 60000) exit(3);
#endif
#ifdef FAULT_FUZZ_CRASH
  if (strstr(request->text, "3.14") && strstr(request->text, "U.S.A.")) abort();
#endif
#ifdef FAULT_HANG
  if (request->length > 1000 && !strchr(request->text, ' ')) sleep_forever(NULL);
#endif
#ifdef FAULT_RATE
  known.rate = 1;
#endif
#ifdef FAULT_FALLS_BEHIND
  if (known.rate > 1) known.rate -= (known.rate - 1) / 5;
#endif
#ifdef FAULT_SPEECH_LEAK
  leaked = malloc(20000);
#endif
#ifdef FAULT_BUSY
  static _Atomic int running;
  if (atomic_fetch_add(&running, 1) > 0) {
    atomic_fetch_sub(&running, 1);
    return synth_fail(error, SYNTH_FAILED, NULL, "Another lane speaks.");
  }
  synth_status status = speak(lane, request, sink, error);
  atomic_fetch_sub(&running, 1);
  return status;
#endif
#ifdef FAULT_TURNS
  static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&turn);
  synth_status spoken = speak(lane, request, sink, error);
  pthread_mutex_unlock(&turn);
  return spoken;
#endif
  return speak(lane, request, sink, error);
}

static const synth_engine ENGINE = {
  .struct_size = sizeof ENGINE, .abi = SYNTH_ABI, .id = "checked", .name = "Checked", .version = "1.2.3",
  .license = "MIT OR (Apache-2.0 WITH LLVM-exception)", .url = "https://example.org/checked",
  .capabilities = SYNTH_CAN_TIME_WORDS | SYNTH_IS_DETERMINISTIC | SYNTH_CAN_SHAPE_PITCH | SYNTH_CAN_WHISPER,
  .rate_min = 0.5f, .rate_max = 2, .pitch_min = 0.5f, .pitch_max = 2, .voice = voice, .load = load,
  .open = open_lane, .synthesize = synthesize, .cancel = cancel,
#ifdef FILES
  .role = role,
#endif
#ifndef FAULT_NULL_FUNCTION
  .unload = unload,
#endif
  .close = close_lane};

SYNTH_EXPORT const synth_engine *synth_engine_entry(uint32_t abi, const synth_host *host) {
  (void)host, (void)unload;
#ifdef FAULT_SLOW_SCAN
  usleep(150000);
#endif
#ifdef FAULT_UNRESOLVED
  nowhere_to_be_found();
#endif
#ifdef FAULT_CRASH_AT_ENTRY
  abort();
#endif
#ifdef FAULT_ANY_ABI
  return &ENGINE;
#endif
  return abi == SYNTH_ABI ? &ENGINE : NULL;
}
