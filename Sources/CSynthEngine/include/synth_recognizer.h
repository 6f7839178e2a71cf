/* synth_recognizer.h: the contract between synthhost and a recognizer of speech.

   A recognizer is a shared object that exports synth_recognizer_entry. One file may export this entry, that of an engine
   (synth_engine.h), or both. The host loads it in a process of its own, the worker, and drives the table that the entry
   returns. What synth_engine.h says about lifetimes, threads, growth, memory, strings and behaviour holds here, too; a
   request is one call of recognize, and [lane] means recognize.

   Who does what: the host captures or reads the sound, mixes it to one channel at the recognizer's rate, keeps the limits
   of time, keeps and trims the recording, and makes a number, or one of some names, of the text. A recognizer makes text
   of frames. It may also say where speech begins and ends; one that says nothing else is a detector.

   Sound is pulled: a recognizer reads when it is ready for more. A slow one loses nothing and needs no queue, and one that
   needs the whole sound reads to its end. */

#ifndef SYNTH_RECOGNIZER_H
#define SYNTH_RECOGNIZER_H

#include "synth_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SYNTH_RECOGNIZER_ABI 1 /* changes only when something is removed or changes its meaning */

typedef struct synth_listener synth_listener; /* loaded weights; the recognizer's own, the host only carries the pointer */
typedef struct synth_ear synth_ear;           /* a lane: one sound at a time */

typedef SYNTH_ENUM(synth_recognizer_capability) {
  SYNTH_CAN_TRANSCRIBE = 1 << 0,       /* gives text; without it, events only: a detector */
  SYNTH_CAN_DETECT_SPEECH = 1 << 1,    /* says where speech begins and ends, at most 500 ms after the frames were read */
  SYNTH_CAN_GIVE_PARTIALS = 1 << 2,    /* gives text while the sound still comes */
  SYNTH_CAN_TIME_SPOKEN_WORDS = 1 << 3,
  SYNTH_CAN_DETECT_LANGUAGE = 1 << 4,  /* recognition.language may be NULL although the model knows several */
  SYNTH_CAN_TRANSLATE = 1 << 5,        /* heeds SYNTH_TO_ENGLISH */
  SYNTH_CAN_HEED_HINTS = 1 << 6,       /* what the hints name becomes likelier */
  SYNTH_CAN_PUNCTUATE = 1 << 7,        /* its text has capitals and punctuation */
  SYNTH_RECOGNIZES_ALIKE = 1 << 8,     /* the same frames give the same finals, in any lane and process, however they are read */
  SYNTH_RECOGNIZER_IS_EXAMPLE = 1 << 9 /* understands nothing: a template, a test; used only if it or its model is named */
} synth_recognizer_capability;

typedef SYNTH_ENUM(synth_hint_kind) {
  SYNTH_HINT_TEXT = 0,   /* anything may be said */
  SYNTH_HINT_NUMBER = 1, /* a number is expected; in digits or in words, the host reads both */
  SYNTH_HINT_CHOICE = 2  /* one of the phrases is expected */
} synth_hint_kind;

typedef SYNTH_ENUM(synth_recognition_flag) {
  SYNTH_LIVE = 1 << 0,      /* the sound comes as it is spoken, and somebody waits */
  SYNTH_TO_ENGLISH = 1 << 1 /* the text is to be English, whatever is spoken */
} synth_recognition_flag;

typedef SYNTH_ENUM(synth_want) { /* what the host uses; it drops the rest, which need not be computed */
  SYNTH_WANT_PARTIALS = 1 << 0,
  SYNTH_WANT_SPOKEN_WORDS = 1 << 1,
  SYNTH_WANT_SPEECH_EVENTS = 1 << 2
} synth_want;

typedef SYNTH_ENUM(synth_heard_kind) {
  SYNTH_PARTIAL = 0, /* of what follows the last final; takes the place of the partial before it */
  SYNTH_FINAL = 1    /* will not change; a request has any number of them, in the order of the sound */
} synth_heard_kind;

typedef SYNTH_ENUM(synth_speech_event_kind) {
  SYNTH_SPEECH_BEGINS = 0,
  SYNTH_SPEECH_ENDS = 1
} synth_speech_event_kind;

/* ---- what the host gives ---- */

typedef struct synth_hints {
  uint32_t struct_size;
  uint32_t kind;       /* synth_hint_kind */
  const char *context; /* what was said before, or a sentence with names and terms; NULL = nothing */
  const char *const *phrases; /* what may be chosen; else names and terms that may occur */
  size_t phrase_count;
} synth_hints;

/* Everything that it points to lives during the call. */
typedef struct synth_recognition {
  uint32_t struct_size;
  uint32_t flags;       /* synth_recognition_flag; may be ignored */
  uint64_t serial;      /* what cancel names; from 1, rising on each lane */
  const char *language; /* BCP-47, one that the model declares; NULL = find out, or the only one */
  const synth_hints *hints;
  uint32_t wants;       /* synth_want bits */
  uint32_t reserved;    /* 0 */
} synth_recognition;

/* Where the sound comes from. All calls [lane], from the thread that called recognize. */
typedef struct synth_sound {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  void *context;     /* the first argument of each */
  /* Waits for at least one frame, copies at most capacity of them (never 0), and returns how many: float32, one channel, the
     recognizer's rate, -1 … 1, never NaN. 0 = the sound has ended, or a stop was asked for: the next call of the sink tells
     which, and read gives 0 again. */
  size_t (*read)(void *context, float *frames, size_t capacity);
  /* How many frames read would give without waiting. Never waits itself. */
  size_t (*ready)(void *context);
  /* Added since; may be NULL. Whether all of the sound has come, read or not: then a partial text is not worth its time. Never
     waits. */
  bool (*complete)(void *context);
} synth_sound;

/* Lives during the call that gets it, with all that it points to. */
typedef struct synth_spoken_word {
  uint32_t struct_size;
  float confidence;     /* 0 … 1; -1 = not known */
  uint64_t frame;       /* its first, counted from the first frame that was read */
  uint64_t frame_count;
  size_t text_offset;   /* its bytes in heard.text; a range ends between two characters */
  size_t text_length;
} synth_spoken_word;

typedef struct synth_heard {
  uint32_t struct_size;
  uint32_t kind;        /* synth_heard_kind */
  const char *text;     /* valid UTF-8, no 0 inside, text[length] is 0; without spaces at its ends */
  size_t length;        /* in bytes, at most 65536; 0 in a FINAL = nothing was said */
  size_t stable_length; /* PARTIAL: so many bytes will not change, to the end of a character; FINAL: length */
  uint64_t frame;       /* what was heard begins here, counted from the first frame that was read */
  uint64_t frame_count; /* it ends among the frames that were read */
  const char *language; /* BCP-47, if it was found out; else NULL */
  const synth_spoken_word *const *words; /* in order, at most 2048; may be none */
  size_t word_count;
  float confidence;     /* 0 … 1, of the whole; -1 = not known */
  int32_t choice;       /* CHOICE: the place in phrases, if the recognizer decided among them; else -1 */
  /* Added since: how the text came about, for people who look for its mistakes. 0 = not known. */
  float quiet_probability; /* 0 … 1: that nobody speaks here */
  float repetition;        /* how many times smaller zlib makes the text that this is a part of; above 2 it repeats itself */
  float temperature;       /* 0 … 2: how much the choice of words was left to chance */
  uint32_t reserved;       /* 0 */
} synth_heard;

typedef struct synth_speech_event {
  uint32_t struct_size;
  uint32_t kind;  /* synth_speech_event_kind; they alternate, the first is BEGINS */
  uint64_t frame; /* BEGINS: its first; ENDS: the one after its last. Never decreases, never more than were read */
} synth_speech_event;

/* The host's side of one recognize. All calls [lane], from the thread that called recognize. false = stop: make no further
   call and return SYNTH_CANCELLED. */
typedef struct synth_hearing {
  uint32_t struct_size;
  uint32_t reserved; /* 0 */
  void *context;     /* the first argument of each */
  bool (*text)(void *context, const synth_heard *heard);
  bool (*event)(void *context, const synth_speech_event *event);
  /* Costs little. Call it at least every 100 ms while nothing is read: it asks whether to stop, and shows the user how much
     of the sound that was read is understood, 0 … 1; -1 = not known. */
  bool (*progress)(void *context, float done);
} synth_hearing;

/* ---- what the recognizer gives ---- */

/* What the user chooses: "Whisper base", "Parakeet 0.6B v3". Lives until exit. */
typedef struct SYNTH_SENDABLE synth_recognizer_model {
  uint32_t struct_size;
  uint32_t capabilities; /* synth_recognizer_capability: those of the recognizer that this model has */
  const char *id;        /* [A-Za-z0-9._+-]+, unique in the recognizer */
  const char *name;
  const char *licence;   /* NULL = the recognizer's */
  const char *const *languages; /* BCP-47; none = a detector, or any language */
  size_t language_count;
  const synth_source *const *sources; /* its files; none = built in */
  size_t source_count;
} synth_recognizer_model;

/* Immutable. Lives until exit. No function pointer is NULL unless it says "may be NULL". */
typedef struct SYNTH_SENDABLE synth_recognizer {
  uint32_t struct_size;
  uint32_t abi;        /* SYNTH_RECOGNIZER_ABI that it was compiled with */
  const char *id;      /* [a-z0-9-]+, unique among recognizers */
  const char *name;    /* "Whisper" */
  const char *version;
  const char *licence; /* SPDX, of the recognizer with what it links */
  const char *url;     /* where to read more and report faults; may be NULL */
  uint32_t capabilities; /* synth_recognizer_capability */
  uint32_t max_lanes;    /* recognize calls at once in one process, which the host keeps to; 0 = any number */
  uint32_t sample_rate;  /* of all that it reads: 8000 … 48000 */
  uint32_t max_seconds;  /* the longest sound of one request: the host cuts in a pause before. 0 = any, it cuts by itself */

  /* [scan] As in synth_engine. Its roles have MODEL scope. May be NULL = none. */
  const synth_role *(*role)(uint32_t index);
  const synth_recognizer_model *(*model)(uint32_t index);

  /* [worker] As in synth_engine; load->model is the model's id. */
  synth_status (*load)(const synth_load *load, synth_listener **model, synth_error *error);
  synth_status (*open)(synth_listener *model, synth_ear **lane, synth_error *error);

  /* [lane] Understands one sound, and returns after its last text was given. It may return before the sound ended if it
     knows that nothing more will come of it. */
  synth_status (*recognize)(synth_ear *lane, const synth_recognition *recognition, const synth_sound *sound,
                            const synth_hearing *hearing, synth_error *error);

  /* [any] As in synth_engine. The host ends a read that waits by itself. May be NULL. */
  void (*cancel)(synth_ear *lane, uint64_t serial);

  /* [worker] As in synth_engine. */
  void (*close)(synth_ear *lane);
  void (*unload)(synth_listener *model);

  /* [scan] As in synth_engine. May be NULL = none. */
  const char *(*variable)(uint32_t index);
  const synth_need *(*need)(uint32_t index);
} synth_recognizer;

/* [scan] Called once in a process. NULL = this abi is not supported. It reads and starts nothing. The host asks for the newest
   abi that it knows first. */
SYNTH_EXPORT const synth_recognizer *synth_recognizer_entry(uint32_t abi, const synth_host *host);

#ifdef __cplusplus
}
#endif
#endif
