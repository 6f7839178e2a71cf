/* The frozen layout of synth_recognizer.h on 64-bit machines. As in layout.c, append a line for a new field and change
   the size. Never change another line. */

#include "synth_recognizer.h"

#ifdef __cplusplus
#define ASSERT(condition) static_assert(condition, #condition)
#else
#define ASSERT(condition) _Static_assert(condition, #condition)
#endif

#define FIELD(type, field, offset) ASSERT(offsetof(type, field) == offset)
#define SIZE(type, size) ASSERT(sizeof(type) == size)

ASSERT(SYNTH_CAN_TRANSCRIBE == 1 << 0);
ASSERT(SYNTH_CAN_DETECT_SPEECH == 1 << 1);
ASSERT(SYNTH_CAN_GIVE_PARTIALS == 1 << 2);
ASSERT(SYNTH_CAN_TIME_SPOKEN_WORDS == 1 << 3);
ASSERT(SYNTH_CAN_DETECT_LANGUAGE == 1 << 4);
ASSERT(SYNTH_CAN_TRANSLATE == 1 << 5);
ASSERT(SYNTH_CAN_HEED_HINTS == 1 << 6);
ASSERT(SYNTH_CAN_PUNCTUATE == 1 << 7);
ASSERT(SYNTH_RECOGNIZES_ALIKE == 1 << 8);
ASSERT(SYNTH_RECOGNIZER_IS_EXAMPLE == 1 << 9);
ASSERT(sizeof(synth_recognizer_capability) == 4);

ASSERT(SYNTH_HINT_TEXT == 0);
ASSERT(SYNTH_HINT_NUMBER == 1);
ASSERT(SYNTH_HINT_CHOICE == 2);
ASSERT(sizeof(synth_hint_kind) == 4);

ASSERT(SYNTH_LIVE == 1 << 0);
ASSERT(SYNTH_TO_ENGLISH == 1 << 1);
ASSERT(sizeof(synth_recognition_flag) == 4);

ASSERT(SYNTH_WANT_PARTIALS == 1 << 0);
ASSERT(SYNTH_WANT_SPOKEN_WORDS == 1 << 1);
ASSERT(SYNTH_WANT_SPEECH_EVENTS == 1 << 2);
ASSERT(sizeof(synth_want) == 4);

ASSERT(SYNTH_PARTIAL == 0);
ASSERT(SYNTH_FINAL == 1);
ASSERT(sizeof(synth_heard_kind) == 4);

ASSERT(SYNTH_SPEECH_BEGINS == 0);
ASSERT(SYNTH_SPEECH_ENDS == 1);
ASSERT(sizeof(synth_speech_event_kind) == 4);

FIELD(synth_hints, struct_size, 0);
FIELD(synth_hints, kind, 4);
FIELD(synth_hints, context, 8);
FIELD(synth_hints, phrases, 16);
FIELD(synth_hints, phrase_count, 24);
SIZE(synth_hints, 32);

FIELD(synth_recognition, struct_size, 0);
FIELD(synth_recognition, flags, 4);
FIELD(synth_recognition, serial, 8);
FIELD(synth_recognition, language, 16);
FIELD(synth_recognition, hints, 24);
FIELD(synth_recognition, wants, 32);
FIELD(synth_recognition, reserved, 36);
SIZE(synth_recognition, 40);

FIELD(synth_sound, struct_size, 0);
FIELD(synth_sound, reserved, 4);
FIELD(synth_sound, context, 8);
FIELD(synth_sound, read, 16);
FIELD(synth_sound, ready, 24);
FIELD(synth_sound, complete, 32);
SIZE(synth_sound, 40);

FIELD(synth_spoken_word, struct_size, 0);
FIELD(synth_spoken_word, confidence, 4);
FIELD(synth_spoken_word, frame, 8);
FIELD(synth_spoken_word, frame_count, 16);
FIELD(synth_spoken_word, text_offset, 24);
FIELD(synth_spoken_word, text_length, 32);
SIZE(synth_spoken_word, 40);

FIELD(synth_heard, struct_size, 0);
FIELD(synth_heard, kind, 4);
FIELD(synth_heard, text, 8);
FIELD(synth_heard, length, 16);
FIELD(synth_heard, stable_length, 24);
FIELD(synth_heard, frame, 32);
FIELD(synth_heard, frame_count, 40);
FIELD(synth_heard, language, 48);
FIELD(synth_heard, words, 56);
FIELD(synth_heard, word_count, 64);
FIELD(synth_heard, confidence, 72);
FIELD(synth_heard, choice, 76);
FIELD(synth_heard, quiet_probability, 80);
FIELD(synth_heard, repetition, 84);
FIELD(synth_heard, temperature, 88);
FIELD(synth_heard, reason, 92);
SIZE(synth_heard, 96);

FIELD(synth_speech_event, struct_size, 0);
FIELD(synth_speech_event, kind, 4);
FIELD(synth_speech_event, frame, 8);
SIZE(synth_speech_event, 16);

FIELD(synth_hearing, struct_size, 0);
FIELD(synth_hearing, reserved, 4);
FIELD(synth_hearing, context, 8);
FIELD(synth_hearing, text, 16);
FIELD(synth_hearing, event, 24);
FIELD(synth_hearing, progress, 32);
SIZE(synth_hearing, 40);

FIELD(synth_recognizer_model, struct_size, 0);
FIELD(synth_recognizer_model, capabilities, 4);
FIELD(synth_recognizer_model, id, 8);
FIELD(synth_recognizer_model, name, 16);
FIELD(synth_recognizer_model, license, 24);
FIELD(synth_recognizer_model, languages, 32);
FIELD(synth_recognizer_model, language_count, 40);
FIELD(synth_recognizer_model, sources, 48);
FIELD(synth_recognizer_model, source_count, 56);
SIZE(synth_recognizer_model, 64);

FIELD(synth_recognizer, struct_size, 0);
FIELD(synth_recognizer, abi, 4);
FIELD(synth_recognizer, id, 8);
FIELD(synth_recognizer, name, 16);
FIELD(synth_recognizer, version, 24);
FIELD(synth_recognizer, license, 32);
FIELD(synth_recognizer, url, 40);
FIELD(synth_recognizer, capabilities, 48);
FIELD(synth_recognizer, max_lanes, 52);
FIELD(synth_recognizer, sample_rate, 56);
FIELD(synth_recognizer, max_seconds, 60);
FIELD(synth_recognizer, role, 64);
FIELD(synth_recognizer, model, 72);
FIELD(synth_recognizer, load, 80);
FIELD(synth_recognizer, open, 88);
FIELD(synth_recognizer, recognize, 96);
FIELD(synth_recognizer, cancel, 104);
FIELD(synth_recognizer, close, 112);
FIELD(synth_recognizer, unload, 120);
FIELD(synth_recognizer, variable, 128);
FIELD(synth_recognizer, need, 136);
SIZE(synth_recognizer, 144);
