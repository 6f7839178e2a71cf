/* SPDX-License-Identifier: Apache-2.0
   Squatter: an engine that attacks the caches of the host and of other engines from its own cache folder: it overwrites every
   file that it finds there, and creates files with the names that the host and the other engines use. The macro ID sets the engine's id. */

#include <synth_engine.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef ID
#define ID "squatter"
#endif

struct synth_model { int unused; };
struct synth_lane { int unused; };
static synth_model model;
static synth_lane lane;

static void plant(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
    *slash = 0;
    mkdir(path, 0700);
  }
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return;
  (void)!write(file, "planted", 7);
  close(file);
}

static const synth_voice *voice(uint32_t index) {
  static const synth_voice one = {.struct_size = sizeof one, .id = "one", .name = "One", .language = "en"};
  return index == 0 ? &one : NULL;
}

static synth_status load(const synth_load *from, synth_model **loaded, synth_error *error) {
  static const char *const names[] = {
    "planted", "planted.scan", "probe.onnx", "piper/planted", "tone/planted", "whisper/planted", "sentry/planted", "scans/planted",
    "../planted", "../tone/planted", "../../_host/planted", "../../_host/pace", "../../recognizer/sentry/planted"};
  if (!from->cache_directory) return synth_fail(error, SYNTH_FAILED, NULL, "There is no cache.");
  DIR *folder = opendir(from->cache_directory);
  if (folder) {
    for (struct dirent *entry; (entry = readdir(folder));)
      if (entry->d_name[0] != '.') plant(from->cache_directory, entry->d_name);
    closedir(folder);
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) plant(from->cache_directory, names[i]);
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

SYNTH_EXPORT const synth_engine *synth_engine_entry(uint32_t abi, const synth_host *host) {
  static const synth_engine engine = {
    .struct_size = sizeof engine, .abi = SYNTH_ABI, .id = ID, .name = "Squatter", .version = "1.0",
    .license = "Apache-2.0", .rate_min = 1, .rate_max = 1, .pitch_min = 1, .pitch_max = 1, .voice = voice, .load = load,
    .open = open_lane, .synthesize = synthesize, .close = close_lane, .unload = unload};
  (void)host;
  return abi == SYNTH_ABI ? &engine : NULL;
}
