/* An engine with one fault. Macros select its action in each function and the way it speaks:
     cc -shared -fPIC -I Sources/CSynthEngine/include -D IN_LOAD=crash -D SPEAK=nan -o faulty.so faulty.c -lpthread */

#define _GNU_SOURCE
#include "synth_engine.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- the choices, with the values of a correct engine ---- */
#ifndef IN_CONSTRUCTOR
#define IN_CONSTRUCTOR nothing
#endif
#ifndef IN_ENTRY
#define IN_ENTRY nothing
#endif
#ifndef IN_ROLE
#define IN_ROLE nothing
#endif
#ifndef IN_VOICE
#define IN_VOICE nothing
#endif
#ifndef IN_LOAD
#define IN_LOAD nothing
#endif
#ifndef IN_OPEN
#define IN_OPEN nothing
#endif
#ifndef IN_SYNTHESIZE
#define IN_SYNTHESIZE nothing
#endif
#ifndef IN_CANCEL
#define IN_CANCEL nothing
#endif
#ifndef IN_CLOSE
#define IN_CLOSE nothing
#endif
#ifndef IN_UNLOAD
#define IN_UNLOAD nothing
#endif
#ifndef SPEAK
#define SPEAK well
#endif
#ifndef ID
#define ID "faulty"
#endif
#ifndef NAME
#define NAME "Faulty"
#endif
#ifndef VERSION
#define VERSION "1.0"
#endif
#ifndef LICENSE
#define LICENSE "Apache-2.0"
#endif
#ifndef ABI
#define ABI SYNTH_ABI
#endif
#ifndef SIZE
#define SIZE sizeof(synth_engine)
#endif
#ifndef TABLE
#define TABLE &LONG.engine
#endif
#ifndef RATE_MIN
#define RATE_MIN 1
#endif
#ifndef VOICE_ID
#define VOICE_ID "one"
#endif
#ifndef VOICE_NAME
#define VOICE_NAME "One"
#endif
#ifndef VOICES
#define VOICES 1
#endif
#ifndef LANES
#define LANES 0
#endif
#ifndef LOADED
#define LOADED &only
#endif
#ifndef STATUS
#define STATUS SYNTH_OK
#endif
#ifndef ROLE
#define ROLE "weights"
#endif
#ifndef ERROR_ROLE
#define ERROR_ROLE ROLE
#endif
#ifndef ROLES
#define ROLES 0
#endif
#ifndef SPEAKERS
#define SPEAKERS 0
#endif
#ifndef LETTER_RATE
#define LETTER_RATE 8000
#endif
#ifndef CHANNELS
#define CHANNELS 1
#endif
#ifndef SIGN
#define SIGN 1
#endif

static const synth_host *host;

/* ---- the actions ---- */
#define UNUSED __attribute__((unused))

UNUSED static void nothing(void) {}
UNUSED static void crash(void) { *(volatile int *)8 = 1; }
UNUSED static void breakdown(void) { abort(); }
UNUSED static void killed(void) { raise(SIGKILL); }
UNUSED static void leave(void) { exit(0); }
UNUSED static void leave_threadless(void) { _exit(71); }
UNUSED static void hang(void) { for (;;) pause(); }
UNUSED static void stop(void) { raise(SIGSTOP); hang(); }

UNUSED static void spin(void) {
  for (volatile unsigned turn = 0;; turn++) {}
}

UNUSED static void hang_deaf(void) {
  signal(SIGTERM, SIG_IGN);
  hang();
}

UNUSED static int recurse_from(volatile int depth) {
  volatile char room[4096];
  room[0] = (char)depth;
  return recurse_from(depth + 1) + room[0];
}

UNUSED static void recurse(void) {
  struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
  setrlimit(RLIMIT_STACK, &none);
  recurse_from(0);
}

UNUSED static void allocate(void) {
  for (;;) {
    char *block = malloc(1 << 20);
    memset(block, 1, 1 << 20);
  }
}

/* A child process that inherits the worker's resources. */
UNUSED static void leave_child(void) {
  if (fork() == 0) hang();
}

UNUSED static void leave_child_and_crash(void) {
  leave_child();
  crash();
}

UNUSED static void leave_printing_child(void) {
  if (fork() != 0) crash();
  for (;;)
    if (write(1, "still here\n", 11) < 0) pause();
}

UNUSED static void leave_runaway(void) {
  if (fork() == 0) {
    setsid();
    setpgid(0, 0);
    signal(SIGHUP, SIG_IGN);
    hang();
  }
  setsid();
  setpgid(0, 0);
}

/* Calls the kernel through the interface of another architecture. */
UNUSED static void leave_by_back_door(void) {
#if defined(__x86_64__)
  if (fork() != 0) return;
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(66 /* setsid */) : "memory", "r8", "r9", "r10", "r11");
  signal(SIGHUP, SIG_IGN);
  hang();
#endif
}

UNUSED static void *run_on(void *nothing_at_all) {
  hang();
  return nothing_at_all;
}

UNUSED static void leave_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run_on, NULL);
}

/* Closes the worker's own descriptors. */
UNUSED static void close_control(void) { close(3); }

UNUSED static void close_all(void) {
  for (int file = 0; file < 256; file++) close(file);
}

UNUSED static void write_garbage(void) {
  if (write(3, "\377garbage", 8) < 0) abort();
}

/* Sends replies that were not requested. */
UNUSED static void flood_answers(void) {
  char frame[4096] = {2, 0};
  while (send(3, frame, sizeof frame, MSG_NOSIGNAL) > 0) {}
  hang();
}

/* Descriptions that never end, sent one byte at a time. */
UNUSED static void trickle(void) {
  while (send(3, "\2\0x", 3, MSG_NOSIGNAL) > 0) usleep(20000);
  hang();
}

/* 8 MB of output. */
UNUSED static void print_for_long(void) {
  static const char line[4096] = "\33[2J output";
  for (int time = 0; time < 2048; time++)
    if (write(1, line, sizeof line) < 0) abort();
}

/* Log lines, each with two descriptors. */
UNUSED static void pass_descriptors(void) {
  char frame[] = {5, 1, 2, 0, 0, 0, 'h', 'i'};
  for (int time = 0; time < 1500; time++) {
    struct iovec part = {frame, sizeof frame};
    union {
      struct cmsghdr header;
      char space[CMSG_SPACE(2 * sizeof(int))];
    } control = {0};
    struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET, header->cmsg_type = SCM_RIGHTS, header->cmsg_len = CMSG_LEN(2 * sizeof(int));
    const int files[2] = {0, 1};
    memcpy(CMSG_DATA(header), files, sizeof files);
    if (sendmsg(3, &message, MSG_NOSIGNAL) < 0) abort();
  }
}

UNUSED static void print(void) {
  static char line[1024];
  memset(line, 'x', sizeof line);
  line[sizeof line - 1] = '\n';
  for (int kilobyte = 0; kilobyte < 1024; kilobyte++)
    if (write(1 + kilobyte % 2, line, sizeof line) < 0) abort();
}

UNUSED static void log_lines(void) {
  for (int line = 0; line < 10000; line++) host->log(SYNTH_INFO, "the same\033[31m again\nand again");
}

/* A single 200 kB character. */
UNUSED static const char *accents(void) {
  static char line[200002] = "e";
  for (size_t place = 1; place + 1 < sizeof line; place += 2) memcpy(line + place, "\xCC\x81", 2);
  return line;
}

UNUSED static void log_and_hang(void) {
  host->log(SYNTH_INFO, "hanging");
  hang();
}

UNUSED static void log_accents(void) { host->log(SYNTH_INFO, accents()); }

/* ---- the engine ---- */
struct synth_model { int nothing; };
struct synth_lane { _Atomic uint64_t cancelled; };

static const char *const SPEAKER_NAMES[] = {"a"};

static const synth_voice *voice(uint32_t index) {
  static const synth_voice only = {
    .struct_size = sizeof only, .id = VOICE_ID, .name = VOICE_NAME, .language = "en", .model = "one",
    .speakers = SPEAKER_NAMES, .speaker_count = SPEAKERS};
  IN_VOICE();
#ifdef SECOND_VOICE_ID
  static synth_voice second;
  second = only;
  second.id = SECOND_VOICE_ID;
  if (index == 1) return &second;
#endif
  return index < VOICES ? &only : NULL;
}

static const synth_role *role(uint32_t index) {
  static const synth_role only = {.struct_size = sizeof only, .name = ROLE};
  IN_ROLE();
  return index < ROLES ? &only : NULL;
}

static synth_status load(const synth_load *from, synth_model **model, synth_error *error) {
  UNUSED static synth_model only;
  (void)from, (void)error;
  IN_LOAD();
#ifdef COMPLAINT
  return synth_fail(error, STATUS, ERROR_ROLE, COMPLAINT);
#endif
  *model = LOADED;
  return SYNTH_OK;
}

static synth_status open_lane(synth_model *model, synth_lane **lane, synth_error *error) {
  (void)model, (void)error;
  IN_OPEN();
  *lane = calloc(1, sizeof **lane);
  return SYNTH_OK;
}

static void cancel(synth_lane *lane, uint64_t serial) {
  atomic_store(&lane->cancelled, serial);
  IN_CANCEL();
}

static void close_lane(synth_lane *lane) {
  IN_CLOSE();
  free(lane);
}

static void unload(synth_model *model) {
  (void)model;
  IN_UNLOAD();
}

/* ---- the ways of speaking ---- */
enum { RATE = 24000, PIECE = 480 };
typedef struct speech {
  synth_lane *lane;
  const synth_request *request;
  const synth_sink *sink;
  synth_error *error;
} speech;

static bool begin(const speech *s) { return s->sink->begin(s->sink->context, RATE, 1); }

/* A ramp that depends only on the length of the text. */
static bool piece(const speech *s, unsigned number) {
  float frames[PIECE];
  for (unsigned i = 0; i < PIECE; i++)
    frames[i] = (float)((number * PIECE + i + (unsigned)s->request->length * 7) % 1000) / 2000;
  return s->sink->audio(s->sink->context, frames, PIECE);
}

static bool report(const speech *s, uint64_t frame, size_t offset, size_t length) {
  const synth_event event = {.struct_size = sizeof event, .kind = SYNTH_WORD, .frame = frame, .text_offset = offset,
                             .text_length = length};
  return s->sink->event(s->sink->context, &event);
}

UNUSED static synth_status well(const speech *s) {
  if (!begin(s)) return SYNTH_CANCELLED;
  for (unsigned number = 0; number < 50; number++)
    if (!piece(s, number)) return SYNTH_CANCELLED;
  return STATUS;
}

/* Takes 2 ms per block, and never stops on its own. */
UNUSED static synth_status slowly(const speech *s) {
  if (!begin(s)) return SYNTH_CANCELLED;
  for (unsigned number = 0; piece(s, number); number++) {
    if (atomic_load(&s->lane->cancelled) >= s->request->serial) break;
    usleep(2000);
  }
  return SYNTH_CANCELLED;
}

/* Ten blocks, about one every 2 ms. */
UNUSED static synth_status paced(const speech *s) {
  if (!begin(s)) return SYNTH_CANCELLED;
  for (unsigned number = 0; number < 10; number++) {
    if (atomic_load(&s->lane->cancelled) >= s->request->serial || !piece(s, number)) return SYNTH_CANCELLED;
    usleep(200);
  }
  return SYNTH_OK;
}

UNUSED static synth_status endlessly(const speech *s) {
  if (!begin(s)) return SYNTH_CANCELLED;
  for (unsigned number = 0; piece(s, number); number++) {}
  return SYNTH_CANCELLED;
}

/* Crashes only on the first request. */
UNUSED static synth_status crash_once(const speech *s) {
  begin(s), piece(s, 0);
  if (s->request->length == 5) crash();
  return SYNTH_OK;
}

static void spin_for_good(int number) {
  (void)number;
  spin();
}

/* Keeps the worker's main thread, which would notice that the host has exited, in a signal handler. */
UNUSED static synth_status hold_first_thread(const speech *s) {
  signal(SIGUSR1, spin_for_good);
  syscall(SYS_tgkill, getpid(), getpid(), SIGUSR1);
  return endlessly(s);
}

UNUSED static synth_status crash_or_go_on(const speech *s) {
  return s->request->length == 5 ? crash_once(s) : endlessly(s);
}

UNUSED static synth_status crash_midway(const speech *s) {
  begin(s), piece(s, 0);
  crash();
  return SYNTH_OK;
}

UNUSED static synth_status stamped_crash(const speech *s) {
  begin(s), piece(s, 0);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  fprintf(stderr, "%lld\n", (long long)now.tv_sec * 1000000000 + now.tv_nsec);
  crash();
  return SYNTH_OK;
}

UNUSED static synth_status hang_midway(const speech *s) {
  begin(s), piece(s, 0);
  hang();
  return SYNTH_OK;
}

UNUSED static synth_status spin_midway(const speech *s) {
  begin(s), piece(s, 0);
  spin();
  return SYNTH_OK;
}

/* Computes for two seconds without any output, then speaks. */
UNUSED static synth_status think(const speech *s) {
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < 2000);
  return well(s);
}

UNUSED static synth_status pieces(const speech *s) {
  const float one = 0.25f;
  if (!begin(s)) return SYNTH_CANCELLED;
  for (int frame = 0; frame < 200000; frame++)
    if (!s->sink->audio(s->sink->context, &one, 1)) return SYNTH_CANCELLED;
  return SYNTH_OK;
}

UNUSED static synth_status sample(const speech *s, float value) {
  float frames[PIECE] = {0};
  frames[PIECE / 2] = value;
  begin(s);
  return s->sink->audio(s->sink->context, frames, PIECE) ? SYNTH_OK : SYNTH_CANCELLED;
}

UNUSED static synth_status not_a_number(const speech *s) { return sample(s, NAN); }
UNUSED static synth_status infinite(const speech *s) { return sample(s, -INFINITY); }
UNUSED static synth_status null_audio(const speech *s) {
  return begin(s) && s->sink->audio(s->sink->context, NULL, 10) ? SYNTH_OK : SYNTH_CANCELLED;
}
UNUSED static synth_status audio_first(const speech *s) { return piece(s, 0) ? SYNTH_OK : SYNTH_CANCELLED; }
UNUSED static synth_status event_first(const speech *s) { return report(s, 0, 0, 1) ? SYNTH_OK : SYNTH_CANCELLED; }

UNUSED static synth_status begin_twice(const speech *s) {
  begin(s), piece(s, 0);
  return s->sink->begin(s->sink->context, RATE / 2, 1) ? SYNTH_OK : SYNTH_CANCELLED;
}

UNUSED static synth_status impossible_rate(const speech *s) {
  return s->sink->begin(s->sink->context, 4000000000u, 1) ? SYNTH_OK : SYNTH_CANCELLED;
}

UNUSED static synth_status many_channels(const speech *s) {
  return s->sink->begin(s->sink->context, RATE, 0xFFFFFFFF) ? SYNTH_OK : SYNTH_CANCELLED;
}

UNUSED static synth_status event_outside(const speech *s) {
  return begin(s) && report(s, 0, 2, SIZE_MAX - 1) ? SYNTH_OK : SYNTH_CANCELLED;
}

/* The text begins with a two-byte character. */
UNUSED static synth_status event_inside(const speech *s) {
  return begin(s) && report(s, 0, 1, 1) ? SYNTH_OK : SYNTH_CANCELLED;
}

UNUSED static synth_status event_back(const speech *s) {
  return begin(s) && report(s, 100, 0, 0) && report(s, 50, 0, 0) ? SYNTH_OK : SYNTH_CANCELLED;
}

UNUSED static synth_status event_null(const speech *s) {
  return begin(s) && s->sink->event(s->sink->context, NULL) ? SYNTH_OK : SYNTH_CANCELLED;
}

/* Ignores cancellation and reports success. */
UNUSED static synth_status stubborn(const speech *s) {
  begin(s);
  int refusals = 0;
  for (unsigned number = 0; refusals < 1000; number++)
    if (!piece(s, number)) begin(s), report(s, 0, 0, 0), refusals++;
  return SYNTH_OK;
}

UNUSED static synth_status unasked(const speech *s) {
  begin(s), piece(s, 0);
  return SYNTH_CANCELLED;
}

/* Speaks the first words, then stops responding. */
UNUSED static synth_status deaf(const speech *s) {
  begin(s), piece(s, 0);
#ifdef DEAFER
  signal(SIGTERM, SIG_IGN);
#endif
  if (s->request->length == 5) hang();
  return SYNTH_OK;
}

UNUSED static synth_status deaf_and_busy(const speech *s) {
  begin(s), piece(s, 0);
  if (s->request->length == 5) spin();
  return SYNTH_OK;
}

UNUSED static void send_on_lanes(const void *bytes, size_t count, int times) {
  for (int file = 4; file < 64; file++) {
    int type = 0;
    socklen_t length = sizeof type;
    if (getsockopt(file, SOL_SOCKET, SO_TYPE, &type, &length) != 0 || type != SOCK_SEQPACKET) continue;
    for (int time = 0; times < 0 || time < times; time++)
      if (send(file, bytes, count, MSG_NOSIGNAL) < 0) break;
  }
}

UNUSED static synth_status garbage_on_lane(const speech *s) {
  begin(s), piece(s, 0);
  send_on_lanes("\377garbage", 8, 1);
  return SYNTH_OK;
}

UNUSED static synth_status too_long_on_lane(const speech *s) {
  static char frame[170 * 1024];
  begin(s), piece(s, 0);
  send_on_lanes(frame, sizeof frame, 1);
  return SYNTH_OK;
}

UNUSED static synth_status nothing_on_lane(const speech *s) {
  begin(s), piece(s, 0);
  send_on_lanes("", 0, 1);
  hang();
  return SYNTH_OK;
}

/* Audio for a request that was never made. */
UNUSED static synth_status flood_of_the_past(const speech *s) {
  const char frame[13] = {2};
  begin(s), piece(s, 0);
  send_on_lanes(frame, sizeof frame, -1);
  return SYNTH_OK;
}

/* Endless audio for this request, bypassing all checks. */
UNUSED static synth_status flood_of_sound(const speech *s) {
  char frame[13] = {2};
  memcpy(frame + 1, &s->request->serial, 8);
  begin(s), piece(s, 0);
  send_on_lanes(frame, sizeof frame, -1);
  return SYNTH_OK;
}

/* A word that is not in the text, bypassing all checks in the worker. */
UNUSED static synth_status forged_event(const speech *s) {
  char frame[1 + 8 + 4 + 8 + 8 + 4 + 4 + 1] = {3};
  memcpy(frame + 1, &s->request->serial, 8);
  frame[9] = 2;
  frame[33] = 0x7F, frame[37] = 0x7F;
  begin(s), piece(s, 0);
  send_on_lanes(frame, sizeof frame, 1);
  hang();
  return SYNTH_OK;
}

/* ---- audio that spells its text: each byte is 40 ms of one level, from 0.2 for 'a' to 0.7 for 'z' ---- */
static bool letter(const speech *s, char byte) {
  enum { COUNT = LETTER_RATE / 25 };
  static _Thread_local float frames[COUNT * CHANNELS]; /* lanes speak concurrently */
  const float level = byte >= 'a' && byte <= 'z' ? 0.2f + 0.02f * (float)(byte - 'a') : 0.1f;
  for (int i = 0; i < COUNT * CHANNELS; i++) frames[i] = SIGN * level;
  return s->sink->audio(s->sink->context, frames, COUNT);
}

/* Bypasses all checks in the worker. */
UNUSED static void send_frame(const speech *s, char kind, size_t count) {
  char frame[64] = {kind};
  memcpy(frame + 1, &s->request->serial, 8);
  send_on_lanes(frame, count, 1);
}

/* A fault in the middle of the word that names it. */
static synth_status fault_of_word(const speech *s, const char *word, size_t length) {
#define NAMES(fault) (length == sizeof fault - 1 && memcmp(word, fault, length) == 0)
  if (NAMES("crash")) crash();
  if (NAMES("hang")) hang();
  if (NAMES("quit")) leave();
  if (NAMES("noise")) send_on_lanes("\377garbage", 8, 1);
  if (NAMES("much")) send_frame(s, 2, 13); /* an audio frame that is not in the count */
  if (NAMES("short")) send_frame(s, 4, 18); /* an end frame that is not preceded by any other frame */
  if (NAMES("nan")) {
    const float none[CHANNELS] = {NAN};
    return s->sink->audio(s->sink->context, none, 1) ? SYNTH_OK : SYNTH_CANCELLED;
  }
  if (NAMES("error")) return synth_fail(s->error, SYNTH_FAILED, NULL, "It is asked for an error.");
#undef NAMES
  return SYNTH_OK;
}

UNUSED static synth_status letters(const speech *s, bool is_moody) {
  const char *text = s->request->text;
  const size_t length = s->request->length;
  size_t frames = 0;
  if (!s->sink->begin(s->sink->context, LETTER_RATE, CHANNELS)) return SYNTH_CANCELLED;
  for (size_t start = 0; start < length;) {
    size_t end = start;
    while (end < length && text[end] >= 'a' && text[end] <= 'z') end++;
    if (end > start && s->request->wants & SYNTH_WORD && !report(s, frames, start, end - start)) return SYNTH_CANCELLED;
    if (end == start) end++;
    for (size_t place = start; place < end; place++) {
      if (is_moody && place == start + (end - start) / 2) {
        const synth_status status = fault_of_word(s, text + start, end - start);
        if (status != SYNTH_OK) return status;
      }
      if (atomic_load(&s->lane->cancelled) >= s->request->serial || !letter(s, text[place])) return SYNTH_CANCELLED;
      frames += LETTER_RATE / 25;
    }
    start = end;
  }
  return SYNTH_OK;
}

UNUSED static synth_status legible(const speech *s) { return letters(s, false); }
UNUSED static synth_status moody(const speech *s) { return letters(s, true); }

UNUSED static synth_status close_lanes(const speech *s) {
  begin(s);
  for (int file = 4; file < 64; file++) close(file);
  piece(s, 0);
  return SYNTH_OK;
}

static synth_status synthesize(synth_lane *lane, const synth_request *request, const synth_sink *sink,
                               synth_error *error) {
  const speech s = {lane, request, sink, error};
  IN_SYNTHESIZE();
  return SPEAK(&s);
}

/* ---- the table, which may claim a shorter or longer size than it has ---- */
UNUSED static const struct {
  synth_engine engine;
  uint64_t later[8];
} LONG = {.engine = {
  .struct_size = SIZE, .abi = ABI, .id = ID, .name = NAME, .version = VERSION, .license = LICENSE, .rate_min = RATE_MIN,
  .rate_max = 1, .pitch_min = 1, .pitch_max = 1, .max_lanes = LANES, .capabilities = SYNTH_CAN_TIME_WORDS, .role = role,
  .voice = voice, .cancel = cancel,
#ifndef WITHOUT_LOAD
  .load = load,
#endif
#ifndef WITHOUT_SYNTHESIZE
  .synthesize = synthesize,
#endif
  .open = open_lane, .close = close_lane, .unload = unload}, .later = {1, 2, 3}};

__attribute__((constructor)) static void construct(void) { IN_CONSTRUCTOR(); }

#ifndef WITHOUT_ENTRY
SYNTH_EXPORT const synth_engine *synth_engine_entry(uint32_t abi, const synth_host *from) {
  (void)abi;
  host = from;
  IN_ENTRY();
  return TABLE;
}
#endif
