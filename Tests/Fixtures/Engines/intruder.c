/* SPDX-License-Identifier: Apache-2.0
   Intruder: an engine that attempts forbidden operations. The text contains one attempt and its target: "read-file /etc/passwd".
   The engine speaks if the kernel performed the operation, or examined it and found an error other than a missing permission;
   the number of frames above 100 is the errno value. Otherwise it fails with "refused: EPERM in open". No attempt changes the
   machine, even if it is not denied.
   -D 'NEEDS=NEED(SYNTH_NEED_NETWORK, NULL)' makes the engine request a permission from the user.
     cc -shared -fPIC -I Sources/CSynthEngine/include -D 'AT_LOAD="/a/file"' -o intruder.so intruder.c -lpthread */

#define _GNU_SOURCE
#include "Intruder/allowed.h"
#include "Intruder/files.h"
#include "Intruder/kernel.h"
#include "Intruder/network.h"
#include "Intruder/processes.h"

/* ---- the attempts ---- */
static int attempt(const char *name, const char *target);

struct task { const char *name, *target, *call; int failure; };

static void *run_task(void *given) {
  struct task *task = given;
  task->failure = attempt(task->name, task->target);
  task->call = call;
  return NULL;
}

/* For example "thread read-file /a/file". */
static int in_thread(const char *target) {
  static char name[64];
  pthread_t thread;
  const size_t length = strcspn(target, " ");
  snprintf(name, sizeof name, "%.*s", (int)length, target);
  struct task task = {.name = name, .target = target + length + (target[length] == ' ')};
  int failure = pthread_create(&thread, NULL, run_task, &task);
  if (failure) return failure;
  pthread_join(thread, NULL);
  call = task.call;
  return task.failure;
}

#ifdef AT_LOAD
/* An array, so that another path can be patched into the compiled file. */
static char secret[512] = AT_LOAD;
static struct task at_once = {.name = "read-file", .target = secret}, in_time = {.name = "read-file", .target = secret};
static pthread_t early;

static void *wait_and_run(void *task) {
  usleep(1000);
  return run_task(task);
}

__attribute__((constructor)) static void at_load(void) {
  struct stat status;
  for (int file = 4; file < 1024; file++)
    /* A descriptor that only refers to a path (O_PATH) grants no access. */
    if (fstat(file, &status) == 0 && (status.st_mode & S_IFMT) != 0 && !(fcntl(file, F_GETFL) & O_PATH)) was_inherited = true;
  run_task(&at_once);
  pthread_create(&early, NULL, wait_and_run, &in_time);
}

static int result_of(const struct task *task) {
  call = task->call;
  return task->failure;
}

static int result_of_thread(void) {
  if (early) pthread_join(early, NULL);
  early = 0;
  return result_of(&in_time);
}
#else
static const struct task at_once, in_time;
static int result_of(const struct task *task) { return task->failure; }
static int result_of_thread(void) { return result_of(&in_time); }
#endif

/* Returns 0, an errno value, or -1 if there is no such attempt. */
static int attempt(const char *name, const char *target) {
  IF("nothing", 0);
  IF("exit", (exit(0), 0));
  IF("use-cache", use_cache());
  IF("move-in-cache", move_in_cache());
  IF("use-system", use_system());
  IF("start-threads", start_threads());
  IF("open-library", open_library(target));
  IF("thread", in_thread(target));
  IF("constructor", result_of(&at_once));
  IF("early-thread", result_of_thread());
  IF("inherited", answer("fstat", (errno = EPERM, was_inherited ? 0 : -1)));
  int failure = attempt_on_files(name, target);
  if (failure < 0) failure = attempt_on_processes(name, target);
  if (failure < 0) failure = attempt_on_network(name, target);
  return failure < 0 ? attempt_on_kernel(name) : failure;
}

/* ---- the engine ---- */
struct synth_model { int unused; };
struct synth_lane { int unused; };
static synth_model model;
static synth_lane lane;

static const synth_role *role(uint32_t index) {
  static const synth_role weights = {.struct_size = sizeof weights, .name = "weights", .flags = SYNTH_ROLE_OPTIONAL};
  return index == 0 ? &weights : NULL;
}

static const synth_voice *voice(uint32_t index) {
  static const synth_voice one = {.struct_size = sizeof one, .id = "one", .name = "One", .language = "en"};
  return index == 0 ? &one : NULL;
}

#ifdef NEEDS
#define NEED(what, where) {.struct_size = sizeof(synth_need), .kind = what, .path = where, .reason = "It is a test."}

static const synth_need *need(uint32_t index) {
  static const synth_need needs[] = {NEEDS};
  return index < sizeof needs / sizeof *needs ? &needs[index] : NULL;
}
#define NEED_FUNCTION need
#else
#define NEED_FUNCTION NULL
#endif

static synth_status load(const synth_load *from, synth_model **loaded, synth_error *error) {
  (void)error;
  if (from->cache_directory) snprintf(cache, sizeof cache, "%s", from->cache_directory);
  *loaded = &model;
  return SYNTH_OK;
}

static synth_status open_lane(synth_model *of, synth_lane **opened, synth_error *error) {
  (void)of, (void)error;
  *opened = &lane;
  return SYNTH_OK;
}

static bool is_refusal(int failure) {
  const bool moves = strcmp(call, "rename") == 0 || strcmp(call, "link") == 0 || strcmp(call, "renameat2") == 0;
  return failure == EPERM || failure == EACCES || failure == ENOSYS || (failure == EXDEV && moves);
}

static synth_status synthesize(synth_lane *on, const synth_request *request, const synth_sink *sink, synth_error *error) {
  (void)on;
  static const float silence[100 + 4096];
  char name[64], words[200];
  const size_t length = strcspn(request->text, " ");
  snprintf(name, sizeof name, "%.*s", (int)length, request->text);
  const int failure = attempt(name, request->text + length + (request->text[length] == ' '));
  if (failure < 0) return synth_fail(error, SYNTH_BAD_REQUEST, NULL, "There is no such attempt.");
  if (is_refusal(failure)) {
    snprintf(words, sizeof words, "refused: %s in %s", strerrorname_np(failure), call);
    return synth_fail(error, SYNTH_FAILED, NULL, words);
  }
  snprintf(words, sizeof words, "%s reached %s: %s", request->text, call, failure ? strerrorname_np(failure) : "done");
  host->log(SYNTH_INFO, words);
  if (!sink->begin(sink->context, 8000, 1)) return SYNTH_CANCELLED;
  return sink->audio(sink->context, silence, 100 + (size_t)failure % 4096) ? SYNTH_OK : SYNTH_CANCELLED;
}

static void close_lane(synth_lane *closed) { (void)closed; }
static void unload(synth_model *gone) { (void)gone; }

SYNTH_EXPORT const synth_engine *synth_engine_entry(uint32_t abi, const synth_host *given) {
  static const synth_engine engine = {
    .struct_size = sizeof engine, .abi = SYNTH_ABI, .id = "intruder", .name = "Intruder", .version = "1.0",
    .license = "Apache-2.0", .rate_min = 1, .rate_max = 1, .pitch_min = 1, .pitch_max = 1, .role = role, .voice = voice,
    .load = load, .open = open_lane, .synthesize = synthesize, .close = close_lane, .unload = unload,
    .need = NEED_FUNCTION};
  host = given;
  return abi == SYNTH_ABI ? &engine : NULL;
}
