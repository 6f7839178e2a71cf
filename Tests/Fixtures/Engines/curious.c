/* SPDX-License-Identifier: Apache-2.0
   Curious: an engine that reports its entire environment when it loads a model, and requests environment variables. With
   REPORTS="NAME" it fails and reports the value of that variable. */

#include <synth_engine.h>
#include <stdlib.h>

#ifndef ASKED
#define ASKED "WISHED_FOR", "SERVICE_TOKEN"
#endif

#ifdef NEWER
#define VERSION "1.1"
#else
#define VERSION "1.0"
#endif

#ifndef ID
#define ID "curious"
#endif

extern char **environ;

struct synth_model { int unused; };
struct synth_lane { int unused; };

static const synth_host *host;
static synth_model model;
static synth_lane lane;

static const char *variable(uint32_t index) {
  static const char *const asked[] = {ASKED};
  return index < sizeof asked / sizeof *asked ? asked[index] : NULL;
}

static const synth_voice *voice(uint32_t index) {
  static const synth_voice one = {.struct_size = sizeof one, .id = "one", .name = "One", .language = "en"};
  return index == 0 ? &one : NULL;
}

static synth_status load(const synth_load *load, synth_model **loaded, synth_error *error) {
  (void)load, (void)error;
  for (char **entry = environ; *entry; entry++) host->log(SYNTH_INFO, *entry);
  host->log(SYNTH_INFO, "that is all");
#ifdef REPORTS
  const char *value = getenv(REPORTS);
  return synth_fail(error, SYNTH_FAILED, NULL, value ? value : "It is not there.");
#endif
  *loaded = &model;
  return SYNTH_OK;
}

static synth_status open_lane(synth_model *of, synth_lane **opened, synth_error *error) {
  (void)of, (void)error;
  *opened = &lane;
  return SYNTH_OK;
}

static synth_status synthesize(synth_lane *on, const synth_request *request, const synth_sink *sink,
                               synth_error *error) {
  (void)on, (void)request, (void)sink, (void)error;
  return SYNTH_OK;
}

static void close_lane(synth_lane *closed) { (void)closed; }
static void unload(synth_model *gone) { (void)gone; }

SYNTH_EXPORT const synth_engine *synth_engine_entry(uint32_t abi, const synth_host *given) {
  static const synth_engine engine = {
    .struct_size = sizeof engine, .abi = SYNTH_ABI, .id = ID, .name = "Curious", .version = VERSION,
    .license = "Apache-2.0", .rate_min = 1, .rate_max = 1, .pitch_min = 1, .pitch_max = 1, .voice = voice, .load = load,
    .open = open_lane, .synthesize = synthesize, .close = close_lane, .unload = unload, .variable = variable};
  host = given;
  return abi == SYNTH_ABI ? &engine : NULL;
}
