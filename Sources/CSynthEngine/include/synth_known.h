/* Copies a struct from the other side, which may be shorter or longer than our version, and zeroes the fields that the
   other side's version lacks.

   This is C code rather than a generic Swift function because Swift looks up the size of a C struct by name at run time
   and might find the size from an engine that was built with a different version of the header. */
#ifndef SYNTH_KNOWN_H
#define SYNTH_KNOWN_H

#include "synth_engine.h"
#include "synth_recognizer.h"
#include <string.h>

#define SYNTH_KNOWN(type)                                                                    \
  static inline type type##_known(const type *theirs) {                                      \
    type ours;                                                                               \
    memset(&ours, 0, sizeof ours);                                                           \
    memcpy(&ours, theirs, theirs->struct_size < sizeof ours ? theirs->struct_size : sizeof ours); \
    return ours;                                                                             \
  }

SYNTH_KNOWN(synth_host)
SYNTH_KNOWN(synth_file)
SYNTH_KNOWN(synth_load)
SYNTH_KNOWN(synth_voice_use)
SYNTH_KNOWN(synth_pitch_point)
SYNTH_KNOWN(synth_request)
SYNTH_KNOWN(synth_event)
SYNTH_KNOWN(synth_sink)
SYNTH_KNOWN(synth_role)
SYNTH_KNOWN(synth_source)
SYNTH_KNOWN(synth_voice)
SYNTH_KNOWN(synth_need)
SYNTH_KNOWN(synth_engine)
SYNTH_KNOWN(synth_hints)
SYNTH_KNOWN(synth_recognition)
SYNTH_KNOWN(synth_sound)
SYNTH_KNOWN(synth_spoken_word)
SYNTH_KNOWN(synth_heard)
SYNTH_KNOWN(synth_speech_event)
SYNTH_KNOWN(synth_hearing)
SYNTH_KNOWN(synth_recognizer_model)
SYNTH_KNOWN(synth_recognizer)

#undef SYNTH_KNOWN
#endif
