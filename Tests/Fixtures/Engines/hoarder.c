/* SPDX-License-Identifier: Apache-2.0
   Hoarder: an engine that leaves files in its cache folder that are hard to keep, count, remove or print. Macros select the files:
     BYTES=n  a file of n bytes; FILES=n: n empty files. If they cannot be created, the engine does not load, and reports the
   error.
     DEPTH=n  nested folders, and a file in the innermost folder.
     SHUT     folders without permissions, some of which contain files.
     NAMES    names that contain terminal control sequences or invalid text. With REFUSE it reports one of them and does not
   load.
   The last three are in unfinished cache entries of a process whose id is higher than any real process id. */

#define _GNU_SOURCE
#include <synth_engine.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define UNFINISHED ".unfinished-4194305-"

struct synth_model { int unused; };
struct synth_lane { int unused; };
static synth_model model;
static synth_lane lane;
static const synth_host *host;

/* Returns 0 or an errno value. */
static int leave(int folder, const char *name, long bytes) {
  static const char block[4096];
  int file = openat(folder, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600), failure = file < 0 ? errno : 0;
  while (failure == 0 && bytes > 0) {
    ssize_t written = write(file, block, bytes < (long)sizeof block ? (size_t)bytes : sizeof block);
    if (written < 0) failure = errno;
    else bytes -= written;
  }
  if (file >= 0) close(file);
  return failure;
}

/* Creates and opens a folder in which files can be created, regardless of its permissions. Returns -1 if the folder
   exists. */
static int make(int in, const char *name, mode_t mode) {
  return mkdirat(in, name, mode) ? -1 : openat(in, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

#ifdef DEPTH
static void dig(int cache) {
  int folder = make(cache, "deep" UNFINISHED "0", 0700);
  for (int depth = 1; folder >= 0 && depth < DEPTH; depth++) {
    int inner = make(folder, "d", 0700);
    close(folder);
    folder = inner;
  }
  if (folder < 0) return;
  leave(folder, "file", 12345);
  close(folder);
}
#endif

#ifdef SHUT
static void shut(int cache) {
  /* A folder without read permission may still be writable. */
  int blind = make(cache, "blind" UNFINISHED "0", 0300), inner = blind < 0 ? -1 : make(blind, "blind", 0300);
  if (inner >= 0) {
    leave(blind, "file", 5);
    leave(inner, "file", 5);
    close(make(blind, "shut", 0));
    close(make(inner, "shut", 0));
  }
  close(inner), close(blind), close(make(cache, "shut" UNFINISHED "0", 0));
}
#endif

#ifdef NAMES
#define MARKS "\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81"
static const char *const names[] = {
  "\x1b]0;owned\x07\x1b[2J\nsynthhost: forged" UNFINISHED "0", "\xc2\x9b" "31m\xe2\x80\xae\xe2\x80\xa8" UNFINISHED "1",
  /* In code that compares characters, the first name combines with the slash before it, and the second name has only
     one character before its end. */
  "\xcc\x81" UNFINISHED "2", "e" MARKS MARKS MARKS MARKS MARKS MARKS MARKS MARKS MARKS MARKS MARKS UNFINISHED "3",
  "\xff\xfe\x1b[31m" UNFINISHED "4", "\xff\x1b[2J"};

static void name_all(int cache) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    int folder = make(cache, names[i], 0700), inner = folder < 0 ? -1 : make(folder, "\xff\x1b[31m\n", 0700);
    if (inner >= 0) leave(inner, "\x9b" "31m\xfe\r\x1b[2J", 1000), leave(folder, "\xff", 1000);
    close(inner), close(folder);
  }
}
#endif

/* Creates the requested files. Returns the error if that fails. */
static int hoard(int cache) {
  int failure = 0;
#ifdef BYTES
  failure = leave(cache, "filling", BYTES);
#endif
#ifdef FILES
  for (int i = 0; failure == 0 && i < FILES; i++) {
    char name[32];
    snprintf(name, sizeof name, "file-%d", i);
    failure = leave(cache, name, 0);
  }
#endif
#ifdef DEPTH
  dig(cache);
#endif
#ifdef SHUT
  shut(cache);
#endif
#ifdef NAMES
  name_all(cache);
#endif
  return failure;
}

static const synth_voice *voice(uint32_t index) {
  static const synth_voice one = {.struct_size = sizeof one, .id = "one", .name = "One", .language = "en"};
  return index == 0 ? &one : NULL;
}

static synth_status load(const synth_load *from, synth_model **loaded, synth_error *error) {
  char words[4400];
  int cache = from->cache_directory ? open(from->cache_directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (cache < 0) return synth_fail(error, SYNTH_FAILED, NULL, "There is no cache.");
  int failure = hoard(cache);
  close(cache);
  if (failure) {
    snprintf(words, sizeof words, "The cache does not hold what it needs: %s.", strerror(failure));
    return synth_fail(error, SYNTH_FAILED, NULL, words);
  }
#ifdef REFUSE
  snprintf(words, sizeof words, "The file %s/%s\xff is strange.", from->cache_directory, names[0]);
  host->log(SYNTH_WARNING, words);
  return synth_fail(error, SYNTH_FAILED, NULL, words);
#endif
  *loaded = &model;
  return SYNTH_OK;
}

static synth_status open_lane(synth_model *of, synth_lane **opened, synth_error *error) {
  (void)of, (void)error;
  *opened = &lane;
  return SYNTH_OK;
}

static synth_status synthesize(synth_lane *on, const synth_request *request, const synth_sink *sink, synth_error *error) {
  (void)on, (void)request, (void)error;
  static const float silence[800];
  if (!sink->begin(sink->context, 8000, 1)) return SYNTH_CANCELLED;
  return sink->audio(sink->context, silence, 800) ? SYNTH_OK : SYNTH_CANCELLED;
}

static void close_lane(synth_lane *closed) { (void)closed; }
static void unload(synth_model *gone) { (void)gone; }

SYNTH_EXPORT const synth_engine *synth_engine_entry(uint32_t abi, const synth_host *given) {
  static const synth_engine engine = {
    .struct_size = sizeof engine, .abi = SYNTH_ABI, .id = "hoarder", .name = "Hoarder", .version = "1.0",
    .license = "Apache-2.0", .rate_min = 1, .rate_max = 1, .pitch_min = 1, .pitch_max = 1, .voice = voice, .load = load,
    .open = open_lane, .synthesize = synthesize, .close = close_lane, .unload = unload};
  host = given;
  return abi == SYNTH_ABI ? &engine : NULL;
}
