#pragma once
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <unicode/unum.h>
#include <unicode/upluralrules.h>

/* The functions that are used, with the types of the header. The map links nothing: ICU is opened with dlopen when a text
   first needs words for a number, so that the start of a program does not wait for it. */
typedef struct synth_icu {
    __typeof__(&unum_open) open_format;
    __typeof__(&unum_close) close_format;
    __typeof__(&unum_setTextAttribute) set_text;
    __typeof__(&unum_formatInt64) format;
    __typeof__(&uplrules_open) open_plurals;
    __typeof__(&uplrules_close) close_plurals;
    __typeof__(&uplrules_select) select_plural;
} synth_icu;

/* A function of the library. ICU puts its version into its names: unum_open_72. */
static inline void *synth_icu_function(void *library, const char *name, int version) {
    char versioned[64];
    snprintf(versioned, sizeof versioned, "%s_%d", name, version);
    return dlsym(library, versioned);
}

/* Opens one version of ICU. Whether it is there and has all functions. The stable C functions keep their types from
   version to version, so that a program may meet another one than it was built with. */
static inline bool synth_icu_open(int version, synth_icu *functions) {
    char file[32];
    snprintf(file, sizeof file, "libicui18n.so.%d", version);
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    functions->open_format =
        (__typeof__(functions->open_format))synth_icu_function(library, "unum_open", version);
    functions->close_format =
        (__typeof__(functions->close_format))synth_icu_function(library, "unum_close", version);
    functions->set_text =
        (__typeof__(functions->set_text))synth_icu_function(library, "unum_setTextAttribute", version);
    functions->format =
        (__typeof__(functions->format))synth_icu_function(library, "unum_formatInt64", version);
    functions->open_plurals =
        (__typeof__(functions->open_plurals))synth_icu_function(library, "uplrules_open", version);
    functions->close_plurals =
        (__typeof__(functions->close_plurals))synth_icu_function(library, "uplrules_close", version);
    functions->select_plural =
        (__typeof__(functions->select_plural))synth_icu_function(library, "uplrules_select", version);
    if (functions->open_format && functions->close_format && functions->set_text && functions->format &&
        functions->open_plurals && functions->close_plurals && functions->select_plural)
        return true;
    dlclose(library);
    return false;
}

/* The version that the program was built with. */
static inline int synth_icu_built_version(void) { return U_ICU_VERSION_MAJOR_NUM; }
