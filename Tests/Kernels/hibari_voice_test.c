/* Tests the compute core with a small voice: computing in pieces is bit-identical, all kernels agree with the plain kernels,
   and damaged tensors and invalid arguments cause an error with a message. */
#include "hibari.h"

#include <math.h>

#include "Run/run.h"
#include "check.h"
#include "small_voice.h"

enum { MOST_SAMPLES = 24000 * 20 };

static const char *const kernels[] = {"avx512-vnni", "avx2", "neon-dot", "neon", "plain"};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static const int32_t sentence[] = {0, 3, 7, 1, 19, 4, 4, 12, 8, 2, 15, 6, 11, 9, 5, 13, 0};
enum { SYMBOLS = sizeof sentence / sizeof *sentence };

/* All samples of the current run, in pieces of `frames` frames. */
static size_t all(hb_run *run, float *samples, size_t frames) {
  hb_error error;
  size_t count = 0, more;
  while ((more = hb_run_next(run, samples + count, frames * HB_HOP, &error))) count += more;
  CHECK(error.code == HB_OK, "%s", error.message);
  CHECK(count == hb_run_frames(run) * HB_HOP, "%zu samples of %zu frames", count, hb_run_frames(run));
  return count;
}

static hb_request request(void) {
  hb_request q;
  hb_request_init(&q);
  q.ids = sentence, q.count = SYMBOLS, q.seed = 5;
  return q;
}

static size_t speak(hb_run *run, const hb_request *q, float *samples, size_t frames) {
  hb_error error;
  CHECK(hb_run_begin(run, q, &error) == HB_OK, "%s", error.message);
  return all(run, samples, frames);
}

static double power_of(const float *samples, size_t count) {
  double power = 0;
  for (size_t i = 0; i < count; i++) power += (double)samples[i] * samples[i];
  return power;
}

static void pieces_and_kernels(hb_model *model) {
  static float whole[MOST_SAMPLES], other[MOST_SAMPLES], plain[MOST_SAMPLES];
  static const size_t pieces[] = {1, 3, 16, 40, 120};
  hb_error error;
  hb_request q = request();
  for (int k = KERNELS - 1; k >= 0; k--) {
    if (!hb_model_select_kernels(model, kernels[k])) continue;
    hb_run *run = hb_run_create(model, &error);
    size_t count = speak(run, &q, whole, MOST_SAMPLES / HB_HOP);
    CHECK(power_of(whole, count) > 0, "%s is silent", kernels[k]);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
      CHECK(speak(run, &q, other, pieces[i]) == count && !memcmp(whole, other, count * sizeof *whole),
          "%s in pieces of %zu frames", kernels[k], pieces[i]);
    q.precision = HB_EXACT;
    size_t exact = speak(run, &q, other, 40);
    q.precision = HB_INTEGER;
    if (k == KERNELS - 1) memcpy(plain, other, exact * sizeof *other);
    double error_power = 0;
    for (size_t i = 0; i < exact; i++) error_power += pow((double)other[i] - plain[i], 2);
    /* The error is at least 60 dB below the signal. Rounding changes where a harmonic begins or ends, which affects few
       samples. */
    CHECK(error_power <= 1e-6 * power_of(plain, exact), "%s differs from plain by %g", kernels[k],
        error_power / power_of(plain, exact));
    hb_run_free(run);
  }
}

/* Dividing the text encoders' rows between threads does not affect the results, whether a sentence has few or many
   parts. */
static void two_threads(hb_model *model) {
  static float whole[MOST_SAMPLES], other[MOST_SAMPLES];
  static int32_t ids[HB_MAX_SYMBOLS];
  hb_error error;
  hb_request q = request();
  q.ids = ids;
  for (int i = 1; i < HB_MAX_SYMBOLS - 1; i++) ids[i] = sentence[1 + i * i % (SYMBOLS - 2)];
  for (int k = KERNELS - 1; k >= 0; k--) {
    if (!hb_model_select_kernels(model, kernels[k])) continue;
    hb_run *run = hb_run_create(model, &error);
    static const size_t counts[] = {63, 64, 65, 200, HB_MAX_SYMBOLS};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
      q.count = counts[i], q.is_awaited = 0;
      CHECK(hb_run_begin(run, &q, &error) == HB_OK, "%s", error.message);
      size_t frames = hb_run_frames(run), most = MOST_SAMPLES / HB_HOP;
      size_t count = hb_run_next(run, whole, (frames < most ? frames : most) * HB_HOP, &error);
      for (int round = 0; round < 10; round++) {
        q.is_awaited = 1;
        CHECK(hb_run_begin(run, &q, &error) == HB_OK, "%s", error.message);
        CHECK(hb_run_frames(run) == frames, "%s: %zu symbols have a different number of frames", kernels[k], q.count);
        size_t same = hb_run_next(run, other, (frames < most ? frames : most) * HB_HOP, &error);
        CHECK(same == count && !memcmp(whole, other, count * sizeof *whole), "%s: %zu symbols sound different",
            kernels[k], q.count);
      }
    }
    hb_run_free(run);
  }
}

static void durations(hb_model *model) {
  static float samples[MOST_SAMPLES];
  hb_error error;
  hb_request q = request();
  hb_run *run = hb_run_create(model, &error);
  int32_t set[SYMBOLS] = {0};
  CHECK(hb_run_set_durations(run, set, &error) == HB_ERROR_INPUT, "durations before a sentence");
  hb_run_begin(run, &q, &error);
  CHECK(hb_run_set_durations(run, set, &error) == HB_ERROR_INPUT, "only durations of 0");
  for (int i = 0; i < SYMBOLS; i++) set[i] = i % 3;
  CHECK(hb_run_set_durations(run, set, &error) == HB_OK, "%s", error.message);
  CHECK(hb_run_frames(run) == 2 * 16 && hb_run_durations(run)[2] == 2, "%zu frames", hb_run_frames(run));
  CHECK(all(run, samples, 7) == 32 * HB_HOP, "the durations that were set");
  CHECK(hb_run_set_durations(run, set, &error) == HB_ERROR_INPUT, "durations after the sentence");
  hb_run_begin(run, &q, &error);
  set[0] = -1;
  CHECK(hb_run_set_durations(run, set, &error) == HB_ERROR_INPUT, "a negative duration");
  set[0] = HB_MAX_UNITS + 1;
  CHECK(hb_run_set_durations(run, set, &error) == HB_ERROR_INPUT, "a duration that is too long");
  set[0] = HB_MAX_UNITS;
  CHECK(hb_run_set_durations(run, set, &error) == HB_OK, "the longest duration");
  all(run, samples, 96);
  int32_t many[HB_MAX_SYMBOLS] = {0}, few[HB_MAX_SYMBOLS] = {0};
  q.ids = many, q.count = HB_MAX_SYMBOLS;
  hb_run_begin(run, &q, &error);
  for (int i = 0; i < HB_MAX_SYMBOLS; i += HB_MAX_SILENT + 1) few[i] = 1;
  CHECK(hb_run_set_durations(run, few, &error) == HB_OK, "%s", error.message);
  all(run, samples, 16);
  hb_run_begin(run, &q, &error);
  few[HB_MAX_SILENT + 1] = 0;
  CHECK(hb_run_set_durations(run, few, &error) == HB_ERROR_INPUT, "too many symbols without a duration");
  hb_run_free(run);
}

/* Symbols without a duration do not affect adjacent symbols: a run without such symbols produces the same samples,
   provided that it uses the encoders' output from the complete run. */
static void silent_symbols(hb_model *model) {
  enum { STEP = HB_MAX_SILENT + 1, HEARD = (HB_MAX_SYMBOLS + STEP - 1) / STEP };
  static float whole[HEARD * HB_UNIT_FRAMES * HB_HOP], alone[HEARD * HB_UNIT_FRAMES * HB_HOP];
  int32_t ids[HB_MAX_SYMBOLS], set[HB_MAX_SYMBOLS] = {0}, ones[HEARD];
  hb_error error;
  hb_request q = request();
  for (int i = 0; i < HB_MAX_SYMBOLS; i++) ids[i] = (i * 7 + i / 20) % VOCABULARY;
  for (int i = 0; i < HEARD; i++) set[i * STEP] = ones[i] = 1;
  hb_run *run = hb_run_create(model, &error), *other = hb_run_create(model, &error);
  q.ids = ids, q.count = HB_MAX_SYMBOLS;
  hb_run_begin(run, &q, &error);
  CHECK(hb_run_set_durations(run, set, &error) == HB_OK, "%s", error.message);
  q.count = HEARD;
  hb_run_begin(other, &q, &error);
  CHECK(hb_run_set_durations(other, ones, &error) == HB_OK, "%s", error.message);
  size_t content = (size_t)model->content.width, prosody = (size_t)model->pro.width;
  for (size_t i = 0; i < HEARD; i++) {
    memcpy(other->network.content + i * content, run->network.content + i * STEP * content, content * sizeof(float));
    memcpy(other->network.pro_in + i * prosody, run->network.pro_in + i * STEP * prosody, prosody * sizeof(float));
  }
  size_t count = all(run, whole, 16);
  CHECK(all(other, alone, 16) == count && !memcmp(whole, alone, count * sizeof *whole), "symbols without a duration");
  hb_run_free(run);
  hb_run_free(other);
}

enum { MOST_FRAMES = 800 };

/* Speaks a sentence, and records the f0 and the spectral parts of its frames. */
static size_t traced(hb_run *run, float pitch, float intonation, float *f0, float *parts, float *samples) {
  hb_error error;
  hb_request q = request();
  q.pitch = pitch;
  hb_run_begin(run, &q, &error);
  float mean = intonation == 1 ? 0 : hb_run_mean_pitch(run);
  hb_run_set_intonation(run, mean, intonation);
  hb_run_set_trace(run, (hb_trace){f0, parts, MOST_FRAMES});
  return all(run, samples, 11);
}

static void pitch(hb_model *model) {
  static float samples[MOST_SAMPLES], f0[2][MOST_FRAMES], parts[2][MOST_FRAMES * 5 * HB_BINS];
  hb_error error;
  hb_run *run = hb_run_create(model, &error);
  size_t count = traced(run, 1, 1, f0[0], parts[0], samples) / HB_HOP, voiced = 0;
  double mean = 0;
  CHECK(count <= MOST_FRAMES, "%zu frames", count);
  for (size_t i = 0; i < count; i++)
    if (f0[0][i] >= 40) mean += log(f0[0][i]), voiced++;
  CHECK(voiced > 0, "no frame is voiced");
  mean = exp(mean / (double)voiced);
  static const struct {
    float pitch, intonation;
  } ways[] = {{0, 1}, {0.5f, 1}, {1.41f, 1}, {1, 0}, {1, 2}, {1.2f, 0.5f}};
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
    size_t same = traced(run, ways[w].pitch, ways[w].intonation, f0[1], parts[1], samples) / HB_HOP;
    CHECK(same == count && !memcmp(parts[0], parts[1], count * 5 * HB_BINS * sizeof **parts), "way %zu changes the parts", w);
    for (size_t i = 0; i < count; i++) {
      double f = f0[0][i], wanted = ways[w].pitch * (f >= 40 ? mean * pow(f / mean, ways[w].intonation) : f);
      if (wanted > 11900) wanted = 11900;
      CHECK(fabs(f0[1][i] - wanted) <= 0.002 * fabs(wanted), "way %zu, frame %zu: %g instead of %g", w, i, f0[1][i], wanted);
    }
  }
  hb_run_free(run);
}

static void arguments(hb_model *model) {
  static float samples[MOST_SAMPLES], again[MOST_SAMPLES];
  static const float wild[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 0, 2, -2};
  hb_error error;
  hb_run *run = hb_run_create(model, &error);
  CHECK(hb_run_next(run, samples, 600, &error) == 0 && error.code == HB_OK, "next before begin");
  int32_t many[HB_MAX_SYMBOLS + 1] = {0}, unknown[] = {0, VOCABULARY, 0}, negative[] = {0, -1, 0};
  const struct {
    const int32_t *ids;
    size_t count;
    float pitch;
  } wrong[] = {{NULL, 3, 1}, {many, 1, 1}, {many, HB_MAX_SYMBOLS + 1, 1}, {unknown, 3, 1}, {negative, 3, 1}, {many, 3, NAN},
      {many, 3, -1}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    hb_request q;
    hb_request_init(&q);
    q.ids = wrong[i].ids, q.count = wrong[i].count, q.pitch = wrong[i].pitch;
    CHECK(hb_run_begin(run, &q, &error) == HB_ERROR_INPUT && error.message[0], "wrong argument %zu", i);
  }
  hb_request q = request();
  hb_run_begin(run, &q, &error);
  CHECK(hb_run_next(run, samples, HB_HOP - 1, &error) == 0 && error.code == HB_ERROR_INPUT, "a buffer that is too small");
  CHECK(hb_run_set_pitch(run, wild, 8, &error) == HB_OK, "%s", error.message);
  size_t count = all(run, samples, 5);
  for (size_t i = 0; i < count; i++) CHECK(isfinite(samples[i]), "sample %zu", i);
  CHECK(hb_run_set_pitch(run, wild, 8, &error) == HB_ERROR_INPUT, "pitch after the end");
  /* An abandoned sentence does not affect the next one. */
  count = speak(run, &q, samples, 40);
  hb_request other = q;
  other.ids = many, other.count = 300;
  hb_run_begin(run, &other, &error);
  hb_run_set_pitch(run, wild + 6, 1, &error);
  hb_run_next(run, again, 40 * HB_HOP, &error);
  CHECK(speak(run, &q, again, 16) == count && !memcmp(samples, again, count * sizeof *again), "after a dropped sentence");
  hb_run_free(run);
}

/* Damages each tensor in each way, one at a time. */
static void damaged(struct small_voice *voice) {
  static const uint32_t sizes[] = {0, 1, 15, 17, 1000, 65536, 0x7fffffff, 0x80000000u, 0xffffffffu};
  static float samples[8 * HB_HOP];
  for (size_t i = 0; i < voice->count; i++) {
    hb_tensor *t = &voice->tensors[i], good = *t;
    for (int kind = 0; kind < 6; kind++) {
      float strange = i % 2 ? NAN : INFINITY;
      char *copy = malloc(good.size);
      memcpy(copy, good.data, good.size);
      t->data = copy;
      switch (kind) {
      case 0: t->dims[i % (size_t)good.rank] = sizes[i % 9]; break;
      case 1: t->type = (hb_type)((good.type + 1) % 3); break;
      case 2: t->rank = good.rank % 4 + 1; break;
      case 3: t->size -= 1; break;
      case 4: t->name_length -= 1; break;
      case 5:
        if (good.type == HB_FLOAT32) memcpy(copy, &strange, 4);
        else if (good.type == HB_INT32) memcpy(copy, &(int32_t){-7}, 4);
        break;
      }
      hb_error error;
      hb_model *model = hb_model_build(voice->tensors, voice->count, &error);
      bool fits = (kind == 0 && t->dims[i % (size_t)good.rank] == good.dims[i % (size_t)good.rank]) ||
                  (kind == 5 && good.type == HB_INT8);
      CHECK(fits ? model != NULL : model == NULL && error.code == HB_ERROR_MODEL && error.message[0],
          "%s damaged in way %d", good.name, kind);
      if (model) {
        hb_run *run = hb_run_create(model, &error);
        hb_request q = request();
        if (run && hb_run_begin(run, &q, &error) == HB_OK) hb_run_next(run, samples, 8 * HB_HOP, &error);
        hb_run_free(run);
      }
      hb_model_free(model);
      free(copy);
      *t = good;
    }
  }
  hb_error error;
  CHECK(!hb_model_build(NULL, 0, &error) && error.code == HB_ERROR_MODEL, "no tensors");
}

int main(void) {
  struct small_voice *voice = small_voice();
  hb_error error;
  hb_model *model = hb_model_build(voice->tensors, voice->count, &error);
  CHECK(model != NULL, "%s", error.message);
  if (!model) return checks_end("hibari_voice");
  CHECK(hb_model_vocabulary(model) == VOCABULARY, "%d", hb_model_vocabulary(model));
  pieces_and_kernels(model);
  two_threads(model);
  durations(model);
  silent_symbols(model);
  pitch(model);
  arguments(model);
  hb_model_free(model);
  damaged(voice);
  free_small_voice(voice);
  return checks_end("hibari_voice");
}
