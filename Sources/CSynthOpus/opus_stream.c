#include "opus_stream.h"

#include <dlfcn.h>
#include <opus/opusenc.h>
#include <pthread.h>
#include <stdlib.h>

/* The highest complexity is 10. For 520 s of speech from a neural voice, complexity 5 takes 0.61 times as much CPU time as
   complexity 10, and the files have the same size. */
enum { COMPLEXITY = 5 };
/* The length of a page in samples at 48 kHz (50 ms). */
enum { LIVE_PAGE = 2400 };

/* Pointers to the functions in use, with the types from the header. */
static struct {
    __typeof__(&ope_comments_create) make_comments;
    __typeof__(&ope_comments_add) add_comment;
    __typeof__(&ope_comments_destroy) free_comments;
    __typeof__(&ope_encoder_create_callbacks) open;
    __typeof__(&ope_encoder_ctl) set;
    __typeof__(&ope_encoder_write_float) write;
    __typeof__(&ope_encoder_drain) drain;
    __typeof__(&ope_encoder_destroy) free_encoder;
} opus;

static bool is_open;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define FIND(member, name) ((opus.member = (__typeof__(opus.member))dlsym(library, name)) != NULL)

static void open_library(void) {
    void *library = dlopen("libopusenc.so.0", RTLD_NOW | RTLD_LOCAL);
    is_open = library && FIND(make_comments, "ope_comments_create") && FIND(add_comment, "ope_comments_add") &&
              FIND(free_comments, "ope_comments_destroy") && FIND(open, "ope_encoder_create_callbacks") &&
              FIND(set, "ope_encoder_ctl") && FIND(write, "ope_encoder_write_float") &&
              FIND(drain, "ope_encoder_drain") && FIND(free_encoder, "ope_encoder_destroy");
}

struct opus_stream {
    OggOpusEnc *encoder;
    opus_stream_take take;
    void *context;
    bool has_failed;
    bool has_samples;
};

static int take_page(void *user, const unsigned char *bytes, opus_int32 count) {
    struct opus_stream *stream = user;
    if (!stream->has_failed && !stream->take(stream->context, bytes, count)) stream->has_failed = true;
    return stream->has_failed;
}

static int end_pages(void *user) {
    (void)user;
    return 0;
}

static bool set_up(OggOpusEnc *encoder, const opus_stream_options *options) {
    if (opus.set(encoder, OPUS_SET_BITRATE(options->bitrate)) != OPE_OK ||
        opus.set(encoder, OPUS_SET_COMPLEXITY(COMPLEXITY)) != OPE_OK ||
        opus.set(encoder, OPUS_SET_SIGNAL(OPUS_SIGNAL_VOICE)) != OPE_OK ||
        opus.set(encoder, OPE_SET_COMMENT_PADDING(0)) != OPE_OK)
        return false;
    return !options->is_live || (opus.set(encoder, OPE_SET_DECISION_DELAY(0)) == OPE_OK &&
                                 opus.set(encoder, OPE_SET_MUXING_DELAY(LIVE_PAGE)) == OPE_OK);
}

struct opus_stream *opus_stream_open(const opus_stream_options *options, opus_stream_take take, void *context) {
    pthread_once(&once, open_library);
    if (!is_open) return NULL;
    struct opus_stream *stream = calloc(1, sizeof *stream);
    OggOpusComments *comments = opus.make_comments();
    if (stream && comments) {
        stream->take = take;
        stream->context = context;
        static const OpusEncCallbacks callbacks = {take_page, end_pages};
        if ((!options->title || opus.add_comment(comments, "TITLE", options->title) == OPE_OK) &&
            (!options->author || opus.add_comment(comments, "ARTIST", options->author) == OPE_OK))
            stream->encoder =
                opus.open(&callbacks, stream, comments, options->rate, options->channels, 0, NULL);
    }
    if (comments) opus.free_comments(comments);
    if (stream && stream->encoder && set_up(stream->encoder, options)) return stream;
    if (stream && stream->encoder) opus.free_encoder(stream->encoder);
    free(stream);
    return NULL;
}

bool opus_stream_write(struct opus_stream *stream, const float *samples, int32_t frames) {
    if (frames > 0) stream->has_samples = true;
    return !stream->has_failed && opus.write(stream->encoder, samples, frames) == OPE_OK;
}

bool opus_stream_close(struct opus_stream *stream) {
    /* libopusenc 0.2.1 aborts the process when an encoder for 48 kHz is drained without samples. There are at most 255 channels. */
    static const float silence[255];
    if (!stream->has_samples && opus.write(stream->encoder, silence, 1) != OPE_OK) stream->has_failed = true;
    bool is_whole = !stream->has_failed && opus.drain(stream->encoder) == OPE_OK && !stream->has_failed;
    opus.free_encoder(stream->encoder);
    free(stream);
    return is_whole;
}
