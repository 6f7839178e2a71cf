/* SPDX-License-Identifier: Apache-2.0
   Counted: an engine that counts its models and lanes, and aborts if its host violates a lifetime rule. Any id is one of its
   models:
     big…         takes 64 MB in small blocks
     unopenable…  opens no lane
   It speaks three samples, in thousandths: the number of loaded models, of models ever loaded, and of open lanes. Each unload
   is logged. */

#include <synth_engine.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PIECES = 1 << 16, PIECE = 1000 };

/* Models and lanes are never freed, so that any use after their end is detected. */
struct synth_model {
  char name[64];
  atomic_bool is_loaded;
  atomic_int lanes;
  void **pieces;
};
struct synth_lane {
  synth_model *model;
  atomic_bool is_open;
};

static const synth_host *host;
static atomic_flag is_busy = ATOMIC_FLAG_INIT;
static atomic_int loaded, loads, lanes;

static void demand(bool is_kept, const char *rule) {
  if (is_kept) return;
  fprintf(stderr, "Broken: %s\n", rule);
  abort();
}

static void begin_work(void) { demand(!atomic_flag_test_and_set(&is_busy), "one call of [worker] at a time"); }
static void end_work(void) { atomic_flag_clear(&is_busy); }

static void take_time(void) { nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL); }

static synth_status load(const synth_load *load, synth_model **model, synth_error *error) {
  begin_work();
  synth_model *made = calloc(1, sizeof *made);
  demand(made != NULL, "memory");
  snprintf(made->name, sizeof made->name, "%s", load->model);
  if (strncmp(load->model, "big", 3) == 0) {
    made->pieces = calloc(PIECES, sizeof *made->pieces);
    for (int piece = 0; made->pieces && piece < PIECES; piece++) {
      if ((made->pieces[piece] = malloc(PIECE)) != NULL) memset(made->pieces[piece], 1, PIECE);
      /* A few remaining blocks keep the C library from returning the memory around them to the system. */
      if (piece % (PIECES / 16) == PIECES / 16 - 1) demand(calloc(1, PIECE) != NULL, "memory");
    }
  }
  take_time();
  atomic_store(&made->is_loaded, true);
  loaded++, loads++;
  (void)error;
  *model = made;
  end_work();
  return SYNTH_OK;
}

static synth_status open_lane(synth_model *model, synth_lane **lane, synth_error *error) {
  begin_work();
  demand(atomic_load(&model->is_loaded), "a lane is opened on a model that is loaded");
  if (strncmp(model->name, "unopenable", 10) == 0) {
    end_work();
    return synth_fail(error, SYNTH_FAILED, NULL, "It has no lane.");
  }
  synth_lane *made = calloc(1, sizeof *made);
  demand(made != NULL, "memory");
  made->model = model;
  atomic_store(&made->is_open, true);
  model->lanes++, lanes++;
  *lane = made;
  end_work();
  return SYNTH_OK;
}

static synth_status synthesize(synth_lane *lane, const synth_request *request, const synth_sink *sink,
                               synth_error *error) {
  (void)request, (void)error;
  const float counts[] = {(float)loaded / 1000, (float)loads / 1000, (float)lanes / 1000};
  demand(atomic_load(&lane->is_open) && atomic_load(&lane->model->is_loaded), "a lane speaks that is open");
  if (!sink->begin(sink->context, 8000, 1)) return SYNTH_CANCELLED;
  take_time();
  demand(atomic_load(&lane->is_open) && atomic_load(&lane->model->is_loaded), "a lane stays open while it speaks");
  return sink->audio(sink->context, counts, 3) ? SYNTH_OK : SYNTH_CANCELLED;
}

static void close_lane(synth_lane *lane) {
  begin_work();
  demand(atomic_exchange(&lane->is_open, false), "a lane is closed once");
  demand(atomic_load(&lane->model->is_loaded), "a lane is closed before its model is unloaded");
  lane->model->lanes--, lanes--;
  end_work();
}

static void unload(synth_model *model) {
  begin_work();
  demand(atomic_exchange(&model->is_loaded, false), "a model is unloaded once");
  demand(atomic_load(&model->lanes) == 0, "a model is unloaded after its lanes are closed");
  for (int piece = 0; model->pieces && piece < PIECES; piece++) free(model->pieces[piece]);
  free(model->pieces);
  take_time();
  loaded--;
  char line[128];
  snprintf(line, sizeof line, "unloaded %s", model->name);
  host->log(SYNTH_INFO, line);
  end_work();
}

SYNTH_EXPORT const synth_engine *synth_engine_entry(uint32_t abi, const synth_host *from) {
  static const synth_engine engine = {
    .struct_size = sizeof engine, .abi = SYNTH_ABI, .id = "counted", .name = "Counted", .version = "1", .license = "MIT",
    .rate_min = 1, .rate_max = 1, .pitch_min = 1, .pitch_max = 1, .load = load, .open = open_lane,
    .synthesize = synthesize, .close = close_lane, .unload = unload};
  host = from;
  return abi == SYNTH_ABI ? &engine : NULL;
}
