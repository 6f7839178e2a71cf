/* A correct recognizer that counts the segments of audio between pauses. It has exactly one fault if the bytes of `choice`
   in the compiled file are replaced by "=FAULT", so a single compilation serves all faults. With -DFILES, its model needs
   a file. */
#include "synth_recognizer.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RATE = 16000, BLOCK = RATE / 100, PAUSE = 30 * BLOCK };

static volatile char choice[32] = "=NONE of the faults, choose one";

static bool is(const char *fault) {
  char chosen[sizeof choice];
  for (size_t i = 0; i < sizeof choice; i++) chosen[i] = choice[i];
  return !strcmp(chosen + 1, fault);
}

struct synth_listener { int unused; };
struct synth_ear { _Atomic uint64_t stopped; };

/* ---- lifetimes ---- */
static void *sleep_forever(void *nothing) {
  for (;;) pause();
  return nothing;
}

static void *volatile leaked;

#ifdef FILES
static const synth_role ROLE = {.struct_size = sizeof(synth_role), .scope = SYNTH_SCOPE_MODEL, .name = "weights"};
static const synth_role *role(uint32_t index) { return index == 0 ? &ROLE : NULL; }
static const synth_source SOURCE = {sizeof(synth_source), 0, "weights", "https://example.org/weights",
  "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", 7};
static const synth_source *const SOURCES[] = {&SOURCE};
#endif

static synth_status load(const synth_load *from, synth_listener **model, synth_error *error) {
  (void)from, (void)error;
#ifdef FILES
  const char *path = synth_path(from->files, from->file_count, "weights");
  if (!path) return synth_fail(error, SYNTH_MISSING_FILE, is("NO_ROLE") ? NULL : ROLE.name, "The weights are missing.");
  char head[16] = {0};
  FILE *file = fopen(path, "r");
  size_t count = file ? fread(head, 1, sizeof head - 1, file) : 0;
  if (file) fclose(file);
  if (!is("TRUSTING") && (count != 7 || strcmp(head, "WEIGHTS")))
    return synth_fail(error, SYNTH_BAD_FILE, ROLE.name, "These are no weights.");
#endif
  pthread_t thread;
  static int threads = 2;
  if (is("THREAD") && threads-- > 0) pthread_create(&thread, NULL, sleep_forever, NULL);
  if (is("LEAK")) leaked = malloc(20000);
  if (is("SIGNAL")) signal(SIGUSR1, SIG_IGN);
  *model = calloc(1, sizeof **model);
  return SYNTH_OK;
}

static synth_status open_lane(synth_listener *model, synth_ear **lane, synth_error *error) {
  (void)model, (void)error;
  *lane = calloc(1, sizeof **lane);
  return SYNTH_OK;
}

static void cancel(synth_ear *lane, uint64_t serial) {
  atomic_store(&lane->stopped, is("STICKY") ? UINT64_MAX : serial);
}

static void close_lane(synth_ear *lane) { free(lane); }
static void unload(synth_listener *model) { free(model); }

/* ---- one request ---- */
typedef struct {
  const synth_recognition *asked;
  const synth_hearing *hearing;
  uint64_t read;
} request;

static bool wants(const request *of, uint32_t what) { return (of->asked->wants & what) != 0; }

static bool mark(const request *of, uint32_t kind, uint64_t frame) {
  if (!wants(of, SYNTH_WANT_SPEECH_EVENTS)) return true;
  synth_speech_event event = {sizeof event, kind, frame};
  if (is("NEWS") && kind == SYNTH_SPEECH_ENDS) event.kind = 7;
  if (is("EVENT_BEYOND")) event.frame = of->read + 1;
  if (is("TWICE") && !of->hearing->event(of->hearing->context, &event)) return false;
  return of->hearing->event(of->hearing->context, &event);
}

static bool tell(const request *of, uint32_t kind, unsigned number, unsigned said, uint64_t from, uint64_t count) {
  if (is("DETECTOR") || (kind == SYNTH_PARTIAL && !wants(of, SYNTH_WANT_PARTIALS))) return true;
  char text[64] = "";
  if (number > 0) snprintf(text, sizeof text, "n\xC3\xBAmero %u", number);
  if (number > 0 && kind == SYNTH_FINAL && is("UNSTABLE")) text[0] = 'N';
  if (number > 0 && is("WANTS") && wants(of, SYNTH_WANT_SPOKEN_WORDS)) strcat(text, ".");
  if (number > 0 && is("BLANK")) strcat(text, " ");
  if (number > 0 && is("LATIN1")) text[1] = (char)0xFA, text[2] = 'u';
  if (number > 0 && is("CONTROL")) text[0] = 7;
  size_t length = strlen(text);
  synth_spoken_word words[2] = {{sizeof *words, 0.5f, from, count / 2, 0, 7},
                                {sizeof *words, 0.5f, from + count / 2, count / 2, 8, length - 8}};
  if (is("CUTS_CHARACTER")) words[0].text_length = 2;
  if (is("OUTSIDE")) words[1].text_length++;
  const synth_spoken_word *pointers[2] = {&words[is("WORDS_BACK")], &words[!is("WORDS_BACK")]};
  synth_heard heard = {.struct_size = sizeof heard, .kind = kind, .text = text, .length = length,
                       .stable_length = kind == SYNTH_FINAL ? length : said, .frame = from, .frame_count = count,
                       .words = pointers, .word_count = number > 0 && wants(of, SYNTH_WANT_SPOKEN_WORDS) ? 2 : 0,
                       .confidence = number > 0 ? 0.5f : -1, .choice = -1};
  if (is("ENDLESS")) heard.length = SIZE_MAX, heard.stable_length = 0;
  if (is("MANY_WORDS")) heard.word_count = SIZE_MAX;
  if (is("UNSURE")) heard.confidence = 50;
  if (is("CHOOSES")) heard.choice = 0;
  if (is("BEYOND")) heard.frame_count = of->read + 1;
  if (is("BACK") && number == 2) heard.frame = 0;
  if (is("LANGUAGE_NAME")) heard.language = "plain English";
  return of->hearing->text(of->hearing->context, &heard);
}

static synth_status stop(void) {
  if (is("SLOW_CANCEL")) usleep(700000);
  return SYNTH_CANCELLED;
}

static synth_hearing before; /* of the previous request */

static synth_status listen(synth_ear *lane, const synth_recognition *asked, const synth_sound *sound,
                           const synth_hearing *hearing) {
  request of = {asked, hearing, 0};
  float block[BLOCK];
  uint64_t begin = 0, end = 0;
  unsigned number = 0;
  bool sounds = false, more = true;
  while (more) {
    size_t count = 0, got = 1, quiet = 0;
    while (count < BLOCK && got > 0) {
      got = sound->read(sound->context, block + count, BLOCK - count);
      count += got;
      if (is("PIECES") && got > 0) break;
    }
    more = count > 0 && got > 0;
    of.read += count;
    if (is("SECOND") && of.read > RATE) return SYNTH_FAILED;
    for (size_t i = 0; i < count; i++) quiet += block[i] == 0;
    if (is("FULL_SCALE") && count > 0 && block[0] == 1 && block[count - 1] == -1) abort();
    if (is("DENORMAL") && count > 0 && block[0] > 0 && block[0] < 1e-40f) tell(&of, SYNTH_FINAL, 1, 0, of.read, 1);
    if (is("LONG_SILENCE") && of.read > 50 * RATE) abort();
    if (is("QUIET") && of.read == 5 * RATE) usleep(250000);
    if (!is("FORGETS_CANCEL") && atomic_load(&lane->stopped) >= asked->serial) return stop();
    if (!more && is("SILENT_END")) return SYNTH_OK;
    bool goes = hearing->progress(hearing->context, -1);
    if (!goes && more && is("GOES_ON")) hearing->progress(hearing->context, -1);
    if (!goes && !more && is("END_IS_END")) return SYNTH_OK;
    if (!goes) return more && is("FINE") ? SYNTH_OK : stop();
    bool loud = count > 0 && quiet < count;
    if (loud) {
      end = of.read;
      if (!sounds) {
        sounds = true;
        begin = of.read - count;
        number += 1 + (is("PIECES") && count < BLOCK);
        if (!is("LATE_EVENT") && !mark(&of, SYNTH_SPEECH_BEGINS, begin)) return stop();
        if (!tell(&of, SYNTH_PARTIAL, number, 7, begin, end - begin)) return stop();
      }
    }
    if (sounds && (!more || of.read - end >= PAUSE)) {
      sounds = false;
      if (is("LATE_EVENT") && !mark(&of, SYNTH_SPEECH_BEGINS, begin)) return stop();
      if (!mark(&of, SYNTH_SPEECH_ENDS, end)) return stop();
      if (!tell(&of, SYNTH_FINAL, number, 0, begin, end - begin)) return stop();
    }
  }
  if (of.read == 0 && is("EMPTY_IS_ERROR")) return SYNTH_FAILED;
  if (number == 0 && !tell(&of, SYNTH_FINAL, of.read == 0 && is("INVENTS"), 0, 0, 0)) return stop();
  return SYNTH_OK;
}

static synth_status recognize(synth_ear *lane, const synth_recognition *given, const synth_sound *sound,
                              const synth_hearing *hearing, synth_error *error) {
  synth_recognition asked = {0};
  memcpy(&asked, given, given->struct_size < sizeof asked ? given->struct_size : sizeof asked);
  if (is("EXACT_SIZE") && given->struct_size != sizeof asked) return synth_fail(error, SYNTH_BAD_REQUEST, NULL, "Unknown.");
  if (is("DEAF")) return synth_fail(error, SYNTH_FAILED, NULL, "It has lost its hearing.");
  if (is("PLACELESS")) sound->read(sound->context, NULL, 7);
  if (asked.language && strcmp(asked.language, "en")) {
    const char *why = "It does not know this language. \xE2\x80\x93 Schade.";
    if (is("SPEECHLESS")) return SYNTH_BAD_REQUEST;
    if (is("OVERFLOW")) {
      strcpy(error->message, why);
      return SYNTH_BAD_REQUEST;
    }
    return synth_fail(error, SYNTH_BAD_REQUEST, NULL, why);
  }
  if (is("PHRASES") && asked.hints && asked.hints->phrase_count > 100) abort();
  if (is("FUZZ_CRASH") && asked.hints && asked.hints->phrase_count > 9 && asked.flags == SYNTH_LIVE) abort();
  if (is("SOUND_LEAK")) leaked = malloc(20000);
  if (is("LATE_CALL")) {
    if (before.progress) before.progress(before.context, -1);
    before = *hearing;
  }
  static _Atomic int running;
  if (is("BUSY") && atomic_fetch_add(&running, 1) > 0) {
    atomic_fetch_sub(&running, 1);
    return synth_fail(error, SYNTH_FAILED, NULL, "Another lane listens.");
  }
  static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
  if (is("TURNS")) pthread_mutex_lock(&turn);
  synth_status status = listen(lane, &asked, sound, hearing);
  if (is("TURNS")) pthread_mutex_unlock(&turn);
  if (is("BUSY")) atomic_fetch_sub(&running, 1);
  return status;
}

/* ---- the table ---- */
enum {
  CAN = SYNTH_CAN_TRANSCRIBE | SYNTH_CAN_DETECT_SPEECH | SYNTH_CAN_GIVE_PARTIALS | SYNTH_CAN_TIME_SPOKEN_WORDS |
        SYNTH_RECOGNIZES_ALIKE | SYNTH_RECOGNIZER_IS_EXAMPLE,
  DETECTS = SYNTH_CAN_DETECT_SPEECH | SYNTH_RECOGNIZES_ALIKE
};

static const synth_recognizer_model *model(uint32_t index) {
  static const char *languages[] = {"en"};
  static synth_recognizer_model models[] = {
      {.struct_size = sizeof(synth_recognizer_model), .capabilities = CAN, .id = "one", .name = "One",
#ifdef FILES
       .sources = SOURCES, .source_count = 1,
#endif
       .languages = languages, .language_count = 1},
      {.struct_size = sizeof(synth_recognizer_model), .capabilities = CAN, .id = "two", .name = "Two",
#ifdef FILES
       .sources = SOURCES, .source_count = 1,
#endif
       .languages = languages, .language_count = 1}};
  if (is("TWINS")) models[1].id = "one";
  if (is("DETECTOR")) models[0].capabilities = models[1].capabilities = DETECTS;
  if (is("MORE")) models[1].capabilities |= SYNTH_CAN_TRANSLATE;
  return index < 2 ? &models[index] : NULL;
}

SYNTH_EXPORT const synth_recognizer *synth_recognizer_entry(uint32_t abi, const synth_host *host) {
  (void)host;
  static synth_recognizer table;
  synth_recognizer made = {
      .struct_size = sizeof table, .abi = SYNTH_RECOGNIZER_ABI, .id = "counted", .name = "Counted", .version = "1.2.3",
      .license = "MIT", .url = "https://example.org/counted", .capabilities = CAN, .sample_rate = RATE, .model = model,
#ifdef FILES
      .role = role,
#endif
      .load = load, .open = open_lane, .recognize = recognize, .cancel = cancel, .close = close_lane, .unload = unload};
  if (is("NULL_FUNCTION")) made.recognize = NULL;
  if (is("SECOND")) made.max_seconds = 1;
  if (is("RATE")) made.sample_rate = 96000;
  if (is("DETECTOR")) made.capabilities = DETECTS;
  if (is("USELESS")) made.capabilities = 0;
  table = made;
  return abi == SYNTH_RECOGNIZER_ABI || is("ANY_ABI") ? &table : NULL;
}
