/* Makes a C engine built for this processor speak a sentence. This is a minimal host, which uses the table and the structs
   as a real host does. Usage: engine_test ENGINE.so */
#include "synth_engine.h"

#include <dlfcn.h>
#include <math.h>

#include "check.h"

static const char TEXT[] = "Hi, all. \xc3\x84h!";

struct heard {
  uint64_t frames, next_of[8];
  unsigned words, rate, begun;
  float peak;
};

static bool begin(void *context, uint32_t sample_rate, uint32_t channels) {
  struct heard *heard = context;
  CHECK(channels == 1 || channels == 2, "%u channels", channels);
  CHECK(heard->begun++ == 0, "begin is called only once");
  heard->rate = sample_rate;
  return true;
}

static bool audio(void *context, const float *frames, size_t count) {
  struct heard *heard = context;
  for (size_t i = 0; i < count; i++) {
    CHECK(fabsf(frames[i]) <= 1, "%g", frames[i]);
    if (fabsf(frames[i]) > heard->peak) heard->peak = fabsf(frames[i]);
  }
  heard->frames += count;
  return true;
}

static bool event(void *context, const synth_event *event) {
  struct heard *heard = context;
  CHECK(event->struct_size == sizeof *event, "%u bytes", event->struct_size);
  CHECK(event->text_offset + event->text_length < sizeof TEXT, "at %zu", event->text_offset);
  CHECK(event->frame >= heard->next_of[event->kind & 7], "frame %u", (unsigned)event->frame);
  heard->next_of[event->kind & 7] = event->frame;
  if (event->kind == SYNTH_WORD) heard->words++;
  return true;
}

static void log_line(synth_severity severity, const char *line) { printf("log %u: %s\n", (unsigned)severity, line); }

static void speak(const synth_engine *engine, synth_lane *lane, const synth_voice *voice) {
  char message[64] = "";
  synth_error error = {.struct_size = sizeof error, .capacity = sizeof message, .message = message};
  const synth_voice_use use = {.struct_size = sizeof use, .weight = 1, .id = voice->id}, *const uses[] = {&use};
  struct heard heard = {0};
  const synth_sink sink = {
    .struct_size = sizeof sink, .context = &heard, .begin = begin, .audio = audio, .event = event};
  synth_request request = {
    .struct_size = sizeof request, .kind = SYNTH_TEXT, .serial = 1, .text = TEXT, .length = sizeof TEXT - 1,
    .voices = uses, .voice_count = 1, .rate = 1, .pitch = 1, .wants = SYNTH_WORD | SYNTH_SENTENCE};
  synth_status status = engine->synthesize(lane, &request, &sink, &error);
  CHECK(status == SYNTH_OK, "%s", message);
  CHECK(heard.words == 3, "%u words", heard.words);
  CHECK(heard.frames > heard.rate / 2 && heard.peak >= 0.1f, "%u frames up to %g", (unsigned)heard.frames, heard.peak);
  /* A request that is cancelled before it begins produces no audio. */
  request.serial = 2;
  if (engine->cancel) {
    engine->cancel(lane, 2);
    heard = (struct heard){0};
    CHECK(engine->synthesize(lane, &request, &sink, &error) == SYNTH_CANCELLED, "cancelled");
    CHECK(heard.frames < heard.rate / 2, "%u frames", (unsigned)heard.frames);
  }
}

int main(int count, char **words) {
  void *library = count == 2 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) {
    printf("%s\n", count == 2 ? dlerror() : "usage: engine_test ENGINE.so");
    return 2;
  }
  __typeof__(&synth_engine_entry) entry = (__typeof__(&synth_engine_entry))dlsym(library, "synth_engine_entry");
  const synth_host host = {.struct_size = sizeof host, .abi = SYNTH_ABI, .version = "0", .log = log_line};
  const synth_engine *engine = entry ? entry(SYNTH_ABI, &host) : NULL;
  const synth_voice *voice = engine && engine->voice ? engine->voice(0) : NULL;
  CHECK(voice && engine->struct_size == sizeof *engine && voice->struct_size == sizeof *voice, "complete tables");
  if (!failed) {
    char message[64] = "";
    synth_error error = {.struct_size = sizeof error, .capacity = sizeof message, .message = message};
    const synth_load load = {.struct_size = sizeof load, .model = voice->model ? voice->model : voice->id};
    synth_model *model = NULL;
    synth_lane *lane = NULL;
    CHECK(engine->load(&load, &model, &error) == SYNTH_OK, "%s", message);
    CHECK(engine->open(model, &lane, &error) == SYNTH_OK, "%s", message);
    if (!failed) {
      speak(engine, lane, voice);
      engine->close(lane);
      engine->unload(model);
    }
  }
  return checks_end("engine");
}
