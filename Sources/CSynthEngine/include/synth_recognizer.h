/* synth_recognizer.h: the contract between synthhost and a speech recognizer.

   A recognizer is a shared object that exports synth_recognizer_entry. The same file may also export an engine's entry
   function (synth_engine.h). The host loads it in a separate process, the worker, and calls the functions of the table that
   the entry function returns. The rules of synth_engine.h for lifetimes, threads, versioning, memory, strings and behavior also
   apply to this header; a request is one call to recognize, and [lane] means recognize.

   Division of labor: the host captures or reads the audio, mixes it down to one channel at the recognizer's rate, enforces
   time limits, stores and trims the recording, and converts the text to a number or to one of several names. A recognizer
   converts frames to text. It may also report where speech begins and ends; a recognizer that does only that is a detector.

   Audio is pulled: a recognizer reads when it is ready for more. Therefore, a slow recognizer loses no audio and needs
   no queue, and one that needs all of the audio simply reads to the end. */

#ifndef SYNTH_RECOGNIZER_H
#define SYNTH_RECOGNIZER_H

#include "synth_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SYNTH_RECOGNIZER_ABI 1 /* changes only if something is removed or its meaning changes */

typedef struct synth_listener synth_listener; /* a loaded model; defined by the recognizer, opaque to the host */
typedef struct synth_ear synth_ear;           /* a lane: one recording at a time */

typedef SYNTH_ENUM(synth_recognizer_capability) {
  SYNTH_CAN_TRANSCRIBE = 1 << 0,       /* produces text; without it, the recognizer is a detector */
  SYNTH_CAN_DETECT_SPEECH = 1 << 1,    /* reports where speech begins and ends, at most 500 ms after the frames were read */
  SYNTH_CAN_GIVE_PARTIALS = 1 << 2,    /* produces text while audio is still arriving */
  SYNTH_CAN_TIME_SPOKEN_WORDS = 1 << 3,
  SYNTH_CAN_DETECT_LANGUAGE = 1 << 4,  /* recognition.language may be NULL even if the model has several languages */
  SYNTH_CAN_TRANSLATE = 1 << 5,        /* supports SYNTH_TO_ENGLISH */
  SYNTH_CAN_HEED_HINTS = 1 << 6,       /* words in the hints are more likely to be recognized */
  SYNTH_CAN_PUNCTUATE = 1 << 7,        /* the text has capitals and punctuation */
  SYNTH_RECOGNIZES_ALIKE = 1 << 8,     /* the same frames always produce the same finals in any lane and process, however they are read;
                                          but a final that follows partials begins with their stable part */
  SYNTH_RECOGNIZER_IS_EXAMPLE = 1 << 9 /* does not transcribe: a template or test; used only if it or its model is specified by name */
} synth_recognizer_capability;

typedef SYNTH_ENUM(synth_hint_kind) {
  SYNTH_HINT_TEXT = 0,   /* any text */
  SYNTH_HINT_NUMBER = 1, /* a number, in digits or in words; the host parses both */
  SYNTH_HINT_CHOICE = 2  /* one of the phrases */
} synth_hint_kind;

typedef SYNTH_ENUM(synth_recognition_flag) {
  SYNTH_LIVE = 1 << 0,      /* the audio is live, and a user is waiting for the text */
  SYNTH_TO_ENGLISH = 1 << 1 /* translate to English, regardless of the spoken language */
} synth_recognition_flag;

typedef SYNTH_ENUM(synth_want) { /* the results that the host uses; all others are dropped and need not be computed */
  SYNTH_WANT_PARTIALS = 1 << 0,
  SYNTH_WANT_SPOKEN_WORDS = 1 << 1,
  SYNTH_WANT_SPEECH_EVENTS = 1 << 2,
  SYNTH_WANT_LEFT_OUT = 1 << 3 /* added later */
} synth_want;

typedef SYNTH_ENUM(synth_heard_kind) {
  SYNTH_PARTIAL = 0, /* the text after the last final; replaces the previous partial */
  SYNTH_FINAL = 1,   /* will not change; a request can have any number of finals, in the order of the audio */
  SYNTH_LEFT_OUT = 2 /* added later: excluded from the text because it was probably never spoken; reported before later finals */
} synth_heard_kind;

typedef SYNTH_ENUM(synth_left_out_reason) {
  SYNTH_REPEATS_ITSELF = 1,
  SYNTH_HARDLY_LIKELY = 2, /* other transcriptions are about as likely */
  SYNTH_NOBODY_SPEAKS = 3
} synth_left_out_reason;

typedef SYNTH_ENUM(synth_speech_event_kind) {
  SYNTH_SPEECH_BEGINS = 0,
  SYNTH_SPEECH_ENDS = 1
} synth_speech_event_kind;

/* ---- provided by the host ---- */

typedef struct synth_hints {
  uint32_t struct_size;
  uint32_t kind;       /* synth_hint_kind */
  const char *context; /* preceding text, or a sentence with names and terms; NULL = none */
  const char *const *phrases; /* CHOICE: the choices; otherwise names and terms that may occur */
  size_t phrase_count;
} synth_hints;

/* Everything that the request points to is valid during the call. */
typedef struct synth_recognition {
  uint32_t struct_size;
  uint32_t flags;       /* synth_recognition_flag; may be ignored */
  uint64_t serial;      /* identifies the request for cancel; from 1, increasing on each lane */
  const char *language; /* BCP 47, declared by the model; NULL = detect it, or use the model's only language */
  const synth_hints *hints;
  uint32_t wants;       /* synth_want bits */
  uint32_t reserved;    /* 0 */
} synth_recognition;

/* The source of the audio. All calls are [lane], on the thread that runs recognize. */
typedef struct synth_sound {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  void *context;     /* the first argument of each function */
  /* Waits for at least one frame, copies up to capacity (at least 1) frames and returns the number copied. Frames are
     float32, one channel, at the recognizer's rate, -1 … 1, never NaN. 0 = the audio has ended or the request was cancelled;
     the result of the next call to a synth_hearing function distinguishes the two cases, and read returns 0 again. */
  size_t (*read)(void *context, float *frames, size_t capacity);
  /* The number of frames that can be read without waiting. Never waits. */
  size_t (*ready)(void *context);
  /* Added later; may be NULL. Whether all of the audio has arrived, even if it has not been read yet; there is then no
     point in reporting partials. Never waits. */
  bool (*complete)(void *context);
} synth_sound;

/* Like everything that it points to, valid during the call that receives it. */
typedef struct synth_spoken_word {
  uint32_t struct_size;
  float confidence;     /* 0 … 1; -1 = unknown */
  uint64_t frame;       /* its first frame, relative to the start of the request's audio */
  uint64_t frame_count;
  size_t text_offset;   /* its byte range in heard.text, on character boundaries */
  size_t text_length;
} synth_spoken_word;

typedef struct synth_heard {
  uint32_t struct_size;
  uint32_t kind;        /* synth_heard_kind */
  const char *text;     /* valid UTF-8 without NUL, text[length] is 0; no leading or trailing spaces */
  size_t length;        /* in bytes, at most 65536; in a FINAL, 0 = nothing was spoken */
  size_t stable_length; /* PARTIAL: the number of bytes, up to a character boundary, that will not change; FINAL: length */
  uint64_t frame;       /* the first frame of the text, relative to the start of the request's audio */
  uint64_t frame_count; /* the range must be within the frames that were read */
  const char *language; /* BCP 47, if it was detected; otherwise NULL */
  const synth_spoken_word *const *words; /* in order, at most 2048; may be empty */
  size_t word_count;
  float confidence;     /* 0 … 1, for the entire text; -1 = unknown */
  int32_t choice;       /* CHOICE: the index of the phrase that the recognizer chose; otherwise -1 */
  /* Added later: how the recognizer arrived at the text, for debugging. 0 = unknown. */
  float quiet_probability; /* 0 … 1: the probability that there is no speech */
  float repetition;        /* the zlib compression ratio of the decoded passage that contains the text; above 2 indicates repetition */
  float temperature;       /* 0 … 2: the sampling temperature */
  uint32_t reason;         /* LEFT_OUT: synth_left_out_reason; otherwise 0 */
} synth_heard;

typedef struct synth_speech_event {
  uint32_t struct_size;
  uint32_t kind;  /* synth_speech_event_kind; the kinds alternate, starting with BEGINS */
  uint64_t frame; /* BEGINS: the first frame; ENDS: the frame after the last. Must not decrease or exceed the number of frames read */
} synth_speech_event;

/* The host's callbacks for one recognize call. All calls are [lane], on the thread that runs recognize. If a function
   returns false, make no more calls and return SYNTH_CANCELLED. */
typedef struct synth_hearing {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  void *context;     /* the first argument of each function */
  bool (*text)(void *context, const synth_heard *heard);
  bool (*event)(void *context, const synth_speech_event *event);
  /* Checks whether to stop, and reports the fraction of the audio read so far that has been processed, 0 … 1; -1 =
     unknown. Cheap: call this at least every 100 ms while not reading. */
  bool (*progress)(void *context, float done);
} synth_hearing;

/* ---- provided by the recognizer ---- */

/* A model that the user can choose: "Whisper base", "Parakeet 0.6B v3". Valid until exit. */
typedef struct SYNTH_SENDABLE synth_recognizer_model {
  uint32_t struct_size;
  uint32_t capabilities; /* synth_recognizer_capability: the subset that this model has */
  const char *id;        /* [A-Za-z0-9._+-]+, unique within the recognizer */
  const char *name;
  const char *license;   /* the model's license; NULL = the recognizer's license */
  const char *const *languages; /* BCP 47; none = a detector, or any language */
  size_t language_count;
  const synth_source *const *sources; /* its files; none = built in */
  size_t source_count;
} synth_recognizer_model;

/* Immutable. Valid until exit. No function pointer is NULL unless its comment says "may be NULL". */
typedef struct SYNTH_SENDABLE synth_recognizer {
  uint32_t struct_size;
  uint32_t abi;        /* the SYNTH_RECOGNIZER_ABI that the recognizer was compiled with */
  const char *id;      /* [a-z0-9-]+, unique among recognizers */
  const char *name;    /* "Whisper" */
  const char *version;
  const char *license; /* SPDX, for the recognizer and everything that it links */
  const char *url;     /* a page with more information, where users can report problems; may be NULL */
  uint32_t capabilities; /* synth_recognizer_capability */
  uint32_t max_lanes;    /* the maximum number of simultaneous recognize calls per process; 0 = no limit */
  uint32_t sample_rate;  /* in hertz, of the input audio: 8000 … 48000 */
  uint32_t max_seconds;  /* the maximum length of a request's audio; the host splits longer audio at pauses. 0 = no limit */

  /* [scan] As in synth_engine. All roles have MODEL scope. May be NULL if there are none. */
  const synth_role *(*role)(uint32_t index);
  const synth_recognizer_model *(*model)(uint32_t index);

  /* [worker] As in synth_engine; load->model is the model's ID. */
  synth_status (*load)(const synth_load *load, synth_listener **model, synth_error *error);
  synth_status (*open)(synth_listener *model, synth_ear **lane, synth_error *error);

  /* [lane] Transcribes one recording and returns after its last text has been reported. It may return before the end of the audio if
     no more text will follow. */
  synth_status (*recognize)(synth_ear *lane, const synth_recognition *recognition, const synth_sound *sound,
                            const synth_hearing *hearing, synth_error *error);

  /* [any] As in synth_engine. The host itself unblocks a waiting read. May be NULL. */
  void (*cancel)(synth_ear *lane, uint64_t serial);

  /* [worker] As in synth_engine. */
  void (*close)(synth_ear *lane);
  void (*unload)(synth_listener *model);

  /* [scan] As in synth_engine. May be NULL if there are none. */
  const char *(*variable)(uint32_t index);
  const synth_need *(*need)(uint32_t index);
} synth_recognizer;

/* [scan] Called once per process. Returns NULL if this abi is not supported. Must not read files or start anything. The host
   tries the newest abi that it supports first. */
SYNTH_EXPORT const synth_recognizer *synth_recognizer_entry(uint32_t abi, const synth_host *host);

#ifdef __cplusplus
}
#endif
#endif
