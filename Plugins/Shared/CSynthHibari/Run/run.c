/* run.c: the public functions for a sentence. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "run.h"

hb_run *hb_run_create(const hb_model *model, hb_error *error) {
  if (error) *error = (hb_error){HB_OK, ""};
  hb_arena *arena = hb_arena_create();
  hb_run *run = arena ? hb_arena_take(arena, 1, sizeof *run) : NULL;
  if (run) {
    run->model = model;
    run->arena = arena;
    run->encoded = hb_arena_take(arena, HB_MAX_SYMBOLS * (size_t)model->prosody.width, 4);
    if (run->encoded && hb_text_create(&run->text, arena, model) && hb_network_create(&run->network, arena, model) &&
        hb_sound_create(&run->sound, arena, model))
      return run;
  }
  hb_arena_free(arena);
  hb_fail(error, HB_ERROR_MEMORY, "Not enough memory for a run.");
  return NULL;
}

void hb_run_free(hb_run *run) {
  if (!run) return;
  free(run->factors);
  hb_arena_free(run->arena); /* The run itself is in the arena. */
}

void hb_request_init(hb_request *request) { *request = (hb_request){.pitch = 1}; }

static hb_status check(const hb_model *m, const hb_request *q, hb_error *error) {
  if (!q->ids || q->count < 2 || q->count > HB_MAX_SYMBOLS)
    return hb_fail(
        error, HB_ERROR_INPUT, "A sentence must have 2 to %d symbols; this one has %zu.", HB_MAX_SYMBOLS, q->count);
  if (!(q->pitch >= 0 && q->pitch <= 4)) return hb_fail(error, HB_ERROR_INPUT, "The pitch factor must be between 0 and 4.");
  for (size_t i = 0; i < q->count; i++) {
    if (q->ids[i] < 0 || q->ids[i] >= m->vocabulary)
      return hb_fail(
          error, HB_ERROR_INPUT, "Symbol %zu is %d; the model's symbols are 0 to %d.", i, (int)q->ids[i], m->vocabulary - 1);
  }
  return HB_OK;
}

hb_status hb_run_begin(hb_run *run, const hb_request *q, hb_error *error) {
  if (error) *error = (hb_error){HB_OK, ""};
  const hb_model *m = run->model;
  run->active = 0;
  hb_status status = check(m, q, error);
  if (status != HB_OK) return status;
  int count = (int)q->count;
  run->text.scratch.kernels = run->network.scratch.kernels = m->kernels;
  /* Errors in f0 accumulate into a phase error, so everything that affects f0 uses 16 bits. */
  run->network.pitch_mode = q->precision == HB_EXACT ? HB_FLOAT : HB_WIDE;
  run->network.sound_mode = q->precision == HB_EXACT ? HB_FLOAT : HB_NARROW;
  run->text.scratch.mode = run->network.pitch_mode;
  if (q->is_awaited && hb_text_is_long(count)) hb_team_begin(&run->text.team);
  hb_encode(&run->text, &m->prosody, q->ids, count, run->encoded);
  status = hb_durations(&run->text, m, run->encoded, count, run->durations, error);
  int w = m->pro.width;
  if (status == HB_OK) {
    run->text.scratch.mode = run->network.sound_mode;
    hb_encode(&run->text, &m->content, q->ids, count, run->network.content);
    hb_text_multiply(&run->text, run->encoded, w, m->pro_in_weight, w, count, run->network.pro_in);
  }
  hb_team_end(&run->text.team);
  if (status != HB_OK) return status;
  for (int i = 0; i < count; i++)
    for (int c = 0; c < w; c++) run->network.pro_in[i * w + c] += m->pro_in_bias[c];
  hb_network_begin(&run->network, count, run->durations);
  hb_sound_begin(&run->sound, q->seed, q->pitch, q->noise);
  run->active = 1;
  run->started = 0;
  return HB_OK;
}

hb_status hb_run_set_durations(hb_run *run, const int32_t *durations, hb_error *error) {
  if (error) *error = (hb_error){HB_OK, ""};
  if (!run->active || run->started)
    return hb_fail(error, HB_ERROR_INPUT, "Durations can be set only before the first samples are computed.");
  int count = run->network.count, silent = 0, units = 0;
  for (int i = 0; i < count; i++) {
    if (durations[i] < 0 || durations[i] > HB_MAX_UNITS)
      return hb_fail(
          error, HB_ERROR_INPUT, "Duration %d is %d; it must be between 0 and %d.", i, (int)durations[i], HB_MAX_UNITS);
    silent = durations[i] ? 0 : silent + 1;
    units += durations[i];
    if (silent > HB_MAX_SILENT) return hb_fail(error, HB_ERROR_INPUT, "Too many symbols in a row have no duration.");
  }
  if (units == 0) return hb_fail(error, HB_ERROR_INPUT, "No symbol has a duration.");
  memcpy(run->durations, durations, (size_t)count * sizeof *run->durations);
  hb_network_begin(&run->network, count, run->durations);
  return HB_OK;
}

const int32_t *hb_run_durations(const hb_run *run) { return run->durations; }
size_t hb_run_frames(const hb_run *run) { return run->active ? (size_t)run->network.frames : 0; }

hb_status hb_run_set_pitch(hb_run *run, const float *factors, size_t count, hb_error *error) {
  if (error) *error = (hb_error){HB_OK, ""};
  if (!run->active || run->started)
    return hb_fail(error, HB_ERROR_INPUT, "Pitch factors can be set only before the first samples are computed.");
  size_t frames = (size_t)run->network.frames;
  if (!factors) count = 0;
  if (count > frames) count = frames;
  if (count > run->factor_capacity) {
    float *larger = realloc(run->factors, count * sizeof *larger);
    if (!larger) return hb_fail(error, HB_ERROR_MEMORY, "Not enough memory for %zu pitch factors.", count);
    run->factors = larger;
    run->factor_capacity = count;
  }
  if (count) memcpy(run->factors, factors, count * sizeof *factors);
  run->sound.factors = run->factors;
  run->sound.factor_count = count;
  return HB_OK;
}

float hb_run_mean_pitch(hb_run *run) {
  hb_network *n = &run->network;
  double sum = 0;
  int64_t voiced = 0, done = 0;
  if (!run->active || run->started) return 0;
  while (done < n->frames && hb_network_features(n, done + 1)) {
    for (; done < n->features.end && done < n->frames; done++) {
      float f0 = hb_track_row(&n->features, done)[HB_F0];
      if (f0 >= 40 && f0 < 12000) sum += log(f0), voiced++;
    }
    n->features.keep = done;
  }
  hb_network_begin(n, n->count, run->durations);
  return voiced ? (float)exp(sum / (double)voiced) : 0;
}

void hb_run_set_intonation(hb_run *run, float center, float scale) {
  if (!run->active || run->started) return;
  run->sound.center = center >= 40 && center < 12000 ? center : 0;
  run->sound.intonation = scale >= 0 && scale <= 4 ? scale : 1;
}

void hb_run_set_trace(hb_run *run, hb_trace trace) { run->sound.trace = trace; }

size_t hb_run_next(hb_run *run, float *samples, size_t max, hb_error *error) {
  if (error) *error = (hb_error){HB_OK, ""};
  hb_sound *s = &run->sound;
  hb_network *n = &run->network;
  int64_t room = max > (size_t)1 << 30 ? 1 << 20 : (int64_t)(max / HB_HOP), done = 0;
  if (!run->active) return 0;
  if (room < 1) {
    hb_fail(error, HB_ERROR_INPUT, "The buffer must have space for at least %d samples.", HB_HOP);
    return 0;
  }
  run->started = 1;
  for (;;) {
    int64_t copied = s->ready_count < room - done ? s->ready_count : room - done;
    memcpy(samples + done * HB_HOP, s->ready + s->ready_at * HB_HOP, (size_t)copied * HB_HOP * sizeof *samples);
    done += copied;
    s->ready_at += (int)copied;
    s->ready_count -= (int)copied;
    /* The last two hops of a batch are completed by the next batch, so a call for 16 hops first
       returns 14. */
    if (s->next == n->frames || (done > 0 && done >= room - 2)) break;
    int64_t ahead = room - done < HB_AHEAD ? room - done : HB_AHEAD;
    bool is_decoded = n->dec.tracks[n->dec.chain->blocks].end >= s->next + HB_BATCH ||
                      hb_network_decode(n, s->next + (ahead < HB_BATCH ? HB_BATCH : ahead));
    /* The pulse train is computed in full batches, so it needs f0 beyond the frames that a decoder with few blocks reads. */
    if (!is_decoded || !hb_network_features(n, s->next + 2 * HB_BATCH + 2)) {
      hb_fail(error, HB_ERROR_MODEL, "The model needs more context than fits in the workspace.");
      run->active = 0;
      return 0;
    }
    if (!hb_sound_batch(s, n)) {
      hb_fail(error, HB_ERROR_NUMERIC, "The model produced a sample that is not a finite number.");
      run->active = 0;
      return 0;
    }
  }
  return (size_t)done * HB_HOP;
}
