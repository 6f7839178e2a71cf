/* Measures the minimum cost of speaking with a model: ONNX Runtime alone, with its default options, on the IDs that an
   engine computed for a text.

     floor MODEL THREADS [STYLES ROWS]

   STYLES, float32[ROWS][256], selects Kokoro. Otherwise, the model is Piper with its default scales.

   Each line of standard input is a text: the runs of the model are separated by ";", and the IDs in a run by spaces.
   The output for each text is a line of JSON with times in milliseconds since the line was read. The first line of
   the output is about loading. */
#define _POSIX_C_SOURCE 200809L
#include <onnxruntime_c_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { style_width = 256, most_ids = 8192 };

static const OrtApi *api;
static OrtEnv *environment;
static OrtSession *session;
static OrtMemoryInfo *memory;
static float *styles;
static long rows;

static void check(OrtStatus *status) {
    if (!status) return;
    fprintf(stderr, "floor: %s\n", api->GetErrorMessage(status));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static double processor(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static void load(const char *model, int threads) {
    OrtSessionOptions *options;
    check(api->CreateEnv(ORT_LOGGING_LEVEL_FATAL, "floor", &environment));
    check(api->CreateSessionOptions(&options));
    check(api->SetIntraOpNumThreads(options, threads));
    check(api->CreateSession(environment, model, options, &session));
    check(api->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory));
}

static OrtValue *tensor(void *data, size_t bytes, int64_t rank, int64_t first, int64_t second,
                        ONNXTensorElementDataType type) {
    int64_t shape[] = {first, second};
    OrtValue *value;
    check(api->CreateTensorWithDataAsOrtValue(memory, data, bytes, shape, (size_t)rank, type, &value));
    return value;
}

/* Returns the number of frames. */
static size_t run(int64_t *ids, int64_t count) {
    static const char *const piper[] = {"input", "input_lengths", "scales"}, *const kokoro[] = {"tokens", "style", "speed"};
    float scales[] = {0.667f, 1, 0.8f}, speed = 1;
    const ONNXTensorElementDataType real = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, whole = ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64;
    OrtValue *inputs[3], *output = NULL;
    OrtTensorTypeAndShapeInfo *shape;
    const char *name = styles ? "audio" : "output";
    size_t frames;

    inputs[0] = tensor(ids, (size_t)count * sizeof *ids, 2, 1, count, whole);
    if (styles) {
        long row = count - 2 < rows ? (long)count - 2 : rows - 1;
        inputs[1] = tensor(styles + row * style_width, style_width * sizeof *styles, 2, 1, style_width, real);
        inputs[2] = tensor(&speed, sizeof speed, 1, 1, 0, real);
    } else {
        inputs[1] = tensor(&count, sizeof count, 1, 1, 0, whole);
        inputs[2] = tensor(scales, sizeof scales, 1, 3, 0, real);
    }
    check(api->Run(session, NULL, styles ? kokoro : piper, (const OrtValue *const *)inputs, 3, &name, 1, &output));
    check(api->GetTensorTypeAndShape(output, &shape));
    check(api->GetTensorShapeElementCount(shape, &frames));
    api->ReleaseTensorTypeAndShapeInfo(shape);
    for (int i = 0; i < 3; i++) api->ReleaseValue(inputs[i]);
    api->ReleaseValue(output);
    return frames;
}

static void speak(char *line) {
    static int64_t ids[most_ids];
    double start = now(), used = processor(), first = 0;
    size_t frames = 0;
    char *rest;
    for (char *phrase = strtok_r(line, ";", &rest); phrase; phrase = strtok_r(NULL, ";", &rest)) {
        int64_t count = 0;
        char *inner;
        for (char *id = strtok_r(phrase, " \n", &inner); id && count < most_ids; id = strtok_r(NULL, " \n", &inner))
            ids[count++] = atoll(id);
        if (count < 3) continue;
        frames += run(ids, count);
        if (first == 0) first = now() - start;
    }
    printf("{\"first\": %.3f, \"whole\": %.3f, \"cpu\": %.3f, \"frames\": %zu}\n", first, now() - start,
           processor() - used, frames);
    fflush(stdout);
}

int main(int count, char **arguments) {
    char *line = NULL;
    size_t size = 0;
    double start = now();
    if (count != 3 && count != 5) {
        fprintf(stderr, "usage: floor MODEL THREADS [STYLES ROWS]\n");
        return 64;
    }
    api = OrtGetApiBase()->GetApi(ORT_API_VERSION);
    if (!api) return 1;
    if (count == 5) {
        FILE *file = fopen(arguments[3], "rb");
        rows = atol(arguments[4]);
        styles = malloc((size_t)rows * style_width * sizeof *styles);
        if (!file || !styles || fread(styles, style_width * sizeof *styles, (size_t)rows, file) != (size_t)rows) return 1;
        fclose(file);
    }
    load(arguments[1], atoi(arguments[2]));
    printf("{\"version\": \"%s\", \"load\": %.3f}\n", OrtGetApiBase()->GetVersionString(), now() - start);
    fflush(stdout);
    while (getline(&line, &size, stdin) > 0) speak(line);
    return 0;
}
