/* The frozen layout of synth_engine.h on 64-bit machines. The host must be able to read the structs of engines
   that were built with earlier versions. For a new field, append a line and change the size. Never change another
   line. */

#include "synth_engine.h"

#ifdef __cplusplus
#define ASSERT(condition) static_assert(condition, #condition)
#else
#define ASSERT(condition) _Static_assert(condition, #condition)
#endif

#define FIELD(type, field, offset) ASSERT(offsetof(type, field) == offset)
#define SIZE(type, size) ASSERT(sizeof(type) == size)

ASSERT(sizeof(void *) == 8 && sizeof(size_t) == 8 && sizeof(float) == 4 && sizeof(bool) == 1);

FIELD(synth_host, struct_size, 0);
FIELD(synth_host, abi, 4);
FIELD(synth_host, version, 8);
FIELD(synth_host, log, 16);
SIZE(synth_host, 24);

FIELD(synth_file, struct_size, 0);
FIELD(synth_file, reserved, 4);
FIELD(synth_file, role, 8);
FIELD(synth_file, path, 16);
SIZE(synth_file, 24);

FIELD(synth_load, struct_size, 0);
FIELD(synth_load, threads, 4);
FIELD(synth_load, model, 8);
FIELD(synth_load, cache_directory, 16);
FIELD(synth_load, files, 24);
FIELD(synth_load, file_count, 32);
SIZE(synth_load, 40);

FIELD(synth_voice_use, struct_size, 0);
FIELD(synth_voice_use, weight, 4);
FIELD(synth_voice_use, id, 8);
FIELD(synth_voice_use, speaker, 16);
FIELD(synth_voice_use, files, 24);
FIELD(synth_voice_use, file_count, 32);
SIZE(synth_voice_use, 40);

FIELD(synth_request, struct_size, 0);
FIELD(synth_request, kind, 4);
FIELD(synth_request, serial, 8);
FIELD(synth_request, text, 16);
FIELD(synth_request, length, 24);
FIELD(synth_request, language, 32);
FIELD(synth_request, voices, 40);
FIELD(synth_request, voice_count, 48);
FIELD(synth_request, rate, 56);
FIELD(synth_request, pitch, 60);
FIELD(synth_request, wants, 64);
FIELD(synth_request, variation, 68);
FIELD(synth_request, flags, 72);
FIELD(synth_request, reserved, 76);
FIELD(synth_request, pitch_points, 80);
FIELD(synth_request, pitch_point_count, 88);
FIELD(synth_request, intonation, 96);
FIELD(synth_request, reserved_2, 100);
SIZE(synth_request, 104);

FIELD(synth_pitch_point, struct_size, 0);
FIELD(synth_pitch_point, factor, 4);
FIELD(synth_pitch_point, text_offset, 8);
SIZE(synth_pitch_point, 16);

FIELD(synth_event, struct_size, 0);
FIELD(synth_event, kind, 4);
FIELD(synth_event, frame, 8);
FIELD(synth_event, frame_count, 16);
FIELD(synth_event, text_offset, 24);
FIELD(synth_event, text_length, 32);
FIELD(synth_event, label, 40);
SIZE(synth_event, 48);

FIELD(synth_sink, struct_size, 0);
FIELD(synth_sink, reserved, 4);
FIELD(synth_sink, context, 8);
FIELD(synth_sink, begin, 16);
FIELD(synth_sink, audio, 24);
FIELD(synth_sink, event, 32);
SIZE(synth_sink, 40);

FIELD(synth_error, struct_size, 0);
FIELD(synth_error, capacity, 4);
FIELD(synth_error, message, 8);
FIELD(synth_error, role, 16);
SIZE(synth_error, 24);

FIELD(synth_role, struct_size, 0);
FIELD(synth_role, scope, 4);
FIELD(synth_role, flags, 8);
FIELD(synth_role, reserved, 12);
FIELD(synth_role, name, 16);
SIZE(synth_role, 24);

FIELD(synth_source, struct_size, 0);
FIELD(synth_source, reserved, 4);
FIELD(synth_source, role, 8);
FIELD(synth_source, url, 16);
FIELD(synth_source, sha256, 24);
FIELD(synth_source, size, 32);
SIZE(synth_source, 40);

FIELD(synth_voice, struct_size, 0);
FIELD(synth_voice, gender, 4);
FIELD(synth_voice, id, 8);
FIELD(synth_voice, name, 16);
FIELD(synth_voice, language, 24);
FIELD(synth_voice, accent, 32);
FIELD(synth_voice, license, 40);
FIELD(synth_voice, model, 48);
FIELD(synth_voice, speakers, 56);
FIELD(synth_voice, speaker_count, 64);
FIELD(synth_voice, sources, 72);
FIELD(synth_voice, source_count, 80);
SIZE(synth_voice, 88);

FIELD(synth_engine, struct_size, 0);
FIELD(synth_engine, abi, 4);
FIELD(synth_engine, id, 8);
FIELD(synth_engine, name, 16);
FIELD(synth_engine, version, 24);
FIELD(synth_engine, license, 32);
FIELD(synth_engine, url, 40);
FIELD(synth_engine, capabilities, 48);
FIELD(synth_engine, max_lanes, 52);
FIELD(synth_engine, rate_min, 56);
FIELD(synth_engine, rate_max, 60);
FIELD(synth_engine, pitch_min, 64);
FIELD(synth_engine, pitch_max, 68);
FIELD(synth_engine, role, 72);
FIELD(synth_engine, voice, 80);
FIELD(synth_engine, load, 88);
FIELD(synth_engine, open, 96);
FIELD(synth_engine, synthesize, 104);
FIELD(synth_engine, cancel, 112);
FIELD(synth_engine, close, 120);
FIELD(synth_engine, unload, 128);
FIELD(synth_engine, variable, 136);
FIELD(synth_engine, need, 144);
SIZE(synth_engine, 152);

FIELD(synth_need, struct_size, 0);
FIELD(synth_need, kind, 4);
FIELD(synth_need, path, 8);
FIELD(synth_need, reason, 16);
SIZE(synth_need, 24);
ASSERT(SYNTH_NEED_NETWORK == 1);
ASSERT(SYNTH_NEED_EXECUTABLE_MEMORY == 2);
ASSERT(SYNTH_NEED_DEVICE == 3);
ASSERT(SYNTH_NEED_FOLDER == 4);

ASSERT(SYNTH_OK == 0);
ASSERT(SYNTH_CANCELLED == 1);
ASSERT(SYNTH_BAD_REQUEST == 2);
ASSERT(SYNTH_MISSING_FILE == 3);
ASSERT(SYNTH_BAD_FILE == 4);
ASSERT(SYNTH_NO_MEMORY == 5);
ASSERT(SYNTH_FAILED == 6);
ASSERT(sizeof(synth_status) == 4);

ASSERT(SYNTH_CAN_SPEAK_PHONEMES == 1);
ASSERT(SYNTH_CAN_TIME_WORDS == 2);
ASSERT(SYNTH_CAN_TIME_PHONEMES == 4);
ASSERT(SYNTH_CAN_BLEND == 8);
ASSERT(SYNTH_IS_DETERMINISTIC == 16);
ASSERT(SYNTH_CAN_STREAM == 32);
ASSERT(SYNTH_CAN_VARY == 64);
ASSERT(SYNTH_IS_EXAMPLE == 128);
ASSERT(SYNTH_CAN_SHAPE_PITCH == 256);
ASSERT(SYNTH_CAN_WHISPER == 512);
ASSERT(sizeof(synth_capability) == 4);

ASSERT(SYNTH_DEBUG == 0);
ASSERT(SYNTH_INFO == 1);
ASSERT(SYNTH_WARNING == 2);
ASSERT(sizeof(synth_severity) == 4);

ASSERT(SYNTH_SCOPE_MODEL == 0);
ASSERT(SYNTH_SCOPE_VOICE == 1);
ASSERT(sizeof(synth_scope) == 4);

ASSERT(SYNTH_ROLE_OPTIONAL == 1);
ASSERT(SYNTH_ROLE_FOLDER == 2);
ASSERT(sizeof(synth_role_flag) == 4);

ASSERT(SYNTH_UNSAID == 0);
ASSERT(SYNTH_FEMALE == 1);
ASSERT(SYNTH_MALE == 2);
ASSERT(SYNTH_NEUTRAL == 3);
ASSERT(sizeof(synth_gender) == 4);

ASSERT(SYNTH_TEXT == 0);
ASSERT(SYNTH_PHONEMES == 1);
ASSERT(SYNTH_TEXT_AND_PHONEMES == 2);
ASSERT(sizeof(synth_text_kind) == 4);

ASSERT(SYNTH_SENTENCE == 1);
ASSERT(SYNTH_WORD == 2);
ASSERT(SYNTH_PHONEME == 4);
ASSERT(sizeof(synth_event_kind) == 4);

ASSERT(SYNTH_AWAITED == 1);
ASSERT(SYNTH_WHISPERED == 2);
ASSERT(SYNTH_EVENTS_ONLY == 4);
ASSERT(sizeof(synth_request_flag) == 4);

ASSERT(SYNTH_ABI == 1);
