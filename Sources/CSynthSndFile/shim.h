#pragma once
#include <dlfcn.h>
#include <sndfile.h>
#include <stdbool.h>

/* Pointers to the functions in use, with the types from the header. The module map does not link the library: libsndfile and its
   codecs are loaded with dlopen when a file in one of its formats is first written or read, so that programs do not load them at
   startup. */
typedef struct synth_sndfile {
    __typeof__(&sf_open_virtual) open;
    __typeof__(&sf_close) close;
    __typeof__(&sf_command) command;
    __typeof__(&sf_set_string) set_string;
    __typeof__(&sf_writef_float) write_float;
    __typeof__(&sf_writef_short) write_short;
    __typeof__(&sf_strerror) reason;
    __typeof__(&sf_open_fd) open_descriptor;
    __typeof__(&sf_readf_float) read_float;
    __typeof__(&sf_error) error;
} synth_sndfile;

/* Looks up the functions in a library opened with dlopen; returns false if one is missing. */
static inline bool synth_sndfile_find(void *library, synth_sndfile *functions) {
    functions->open = (__typeof__(functions->open))dlsym(library, "sf_open_virtual");
    functions->close = (__typeof__(functions->close))dlsym(library, "sf_close");
    functions->command = (__typeof__(functions->command))dlsym(library, "sf_command");
    functions->set_string = (__typeof__(functions->set_string))dlsym(library, "sf_set_string");
    functions->write_float = (__typeof__(functions->write_float))dlsym(library, "sf_writef_float");
    functions->write_short = (__typeof__(functions->write_short))dlsym(library, "sf_writef_short");
    functions->reason = (__typeof__(functions->reason))dlsym(library, "sf_strerror");
    functions->open_descriptor = (__typeof__(functions->open_descriptor))dlsym(library, "sf_open_fd");
    functions->read_float = (__typeof__(functions->read_float))dlsym(library, "sf_readf_float");
    functions->error = (__typeof__(functions->error))dlsym(library, "sf_error");
    return functions->open && functions->close && functions->command && functions->set_string &&
           functions->write_float && functions->write_short && functions->reason &&
           functions->open_descriptor && functions->read_float && functions->error;
}
