#pragma once
#include <dlfcn.h>
#include <ebur128.h>
#include <stdbool.h>

/* Pointers to the functions in use, with the types from the header. The module map does not link the library: libebur128 is loaded
   with dlopen when loudness is first measured, so that programs do not load it at startup. */
typedef struct synth_ebur128 {
    __typeof__(&ebur128_init) init;
    __typeof__(&ebur128_destroy) destroy;
    __typeof__(&ebur128_add_frames_float) add_frames;
    __typeof__(&ebur128_loudness_global) integrated;
} synth_ebur128;

/* Looks up the functions in a library opened with dlopen; returns false if one is missing. */
static inline bool synth_ebur128_find(void *library, synth_ebur128 *functions) {
    functions->init = (__typeof__(functions->init))dlsym(library, "ebur128_init");
    functions->destroy = (__typeof__(functions->destroy))dlsym(library, "ebur128_destroy");
    functions->add_frames = (__typeof__(functions->add_frames))dlsym(library, "ebur128_add_frames_float");
    functions->integrated = (__typeof__(functions->integrated))dlsym(library, "ebur128_loudness_global");
    return functions->init && functions->destroy && functions->add_frames && functions->integrated;
}
