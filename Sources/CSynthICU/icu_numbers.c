#include "icu_numbers.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unicode/unum.h>
#include <unicode/upluralrules.h>

/* The ICU versions to try in addition to the version of the headers. */
enum { OLDEST = 60, NEWEST = 99 };

/* Pointers to the functions in use, with the types from the headers. The types of ICU's stable functions do not change between versions. */
static struct {
    __typeof__(&unum_open) open_format;
    __typeof__(&unum_close) close_format;
    __typeof__(&unum_setTextAttribute) set_text;
    __typeof__(&unum_formatInt64) format;
    __typeof__(&unum_setAttribute) set_attribute;
    __typeof__(&unum_parseDouble) parse;
    __typeof__(&uplrules_open) open_plurals;
    __typeof__(&uplrules_close) close_plurals;
    __typeof__(&uplrules_select) select_plural;
} icu;

static bool is_open;
static char version_text[U_MAX_VERSION_STRING_LENGTH];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *function(void *library, const char *name, int version) {
    char versioned[64];
    snprintf(versioned, sizeof versioned, "%s_%d", name, version);
    return dlsym(library, versioned);
}

#define FIND(member, name) ((icu.member = (__typeof__(icu.member))function(library, name, version)) != NULL)

/* Both functions belong to libicuuc, a dependency of the loaded library, which dlsym searches too. */
static void note_version(void *library, int version) {
    __typeof__(&u_getVersion) get = (__typeof__(&u_getVersion))function(library, "u_getVersion", version);
    __typeof__(&u_versionToString) tell = (__typeof__(&u_versionToString))function(library, "u_versionToString", version);
    UVersionInfo numbers;
    if (!get || !tell)
        return;
    get(numbers);
    tell(numbers, version_text);
}

static bool open_version(int version) {
    char file[32];
    snprintf(file, sizeof file, "libicui18n.so.%d", version);
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    if (FIND(open_format, "unum_open") && FIND(close_format, "unum_close") &&
        FIND(set_text, "unum_setTextAttribute") && FIND(format, "unum_formatInt64") &&
        FIND(set_attribute, "unum_setAttribute") && FIND(parse, "unum_parseDouble") &&
        FIND(open_plurals, "uplrules_open") && FIND(close_plurals, "uplrules_close") &&
        FIND(select_plural, "uplrules_select")) {
        note_version(library, version);
        return true;
    }
    dlclose(library);
    return false;
}

static void open_library(void) {
    is_open = open_version(U_ICU_VERSION_MAJOR_NUM);
    for (int version = NEWEST; !is_open && version >= OLDEST; version--)
        is_open = open_version(version);
}

const char *icu_numbers_version(void) {
    pthread_once(&once, open_library);
    return is_open ? version_text : NULL;
}

const char *icu_numbers_library(void) { return "libicui18n.so." U_ICU_VERSION_SHORT; }

struct icu_numbers {
    UNumberFormat *format;
    UPluralRules *plurals;
};

icu_numbers *icu_numbers_open(const char *locale) {
    pthread_once(&once, open_library);
    icu_numbers *numbers = is_open ? calloc(1, sizeof *numbers) : NULL;
    if (!numbers)
        return NULL;
    UErrorCode status = U_ZERO_ERROR;
    numbers->format = icu.open_format(UNUM_SPELLOUT, NULL, 0, locale, NULL, &status);
    /* Negative codes are warnings that the data of another language or region is used instead. */
    if (status <= U_ZERO_ERROR && numbers->format)
        numbers->plurals = icu.open_plurals(locale, &status);
    if (status <= U_ZERO_ERROR && numbers->format && numbers->plurals)
        return numbers;
    icu_numbers_close(numbers);
    return NULL;
}

void icu_numbers_close(icu_numbers *numbers) {
    if (numbers->format)
        icu.close_format(numbers->format);
    if (numbers->plurals)
        icu.close_plurals(numbers->plurals);
    free(numbers);
}

bool icu_numbers_select(icu_numbers *numbers, const uint16_t *rule_set, int32_t length) {
    UErrorCode status = U_ZERO_ERROR;
    icu.set_text(numbers->format, UNUM_DEFAULT_RULESET, (const UChar *)rule_set, length, &status);
    return status <= U_ZERO_ERROR;
}

static int32_t written(int32_t count, int32_t capacity, UErrorCode status) {
    return status <= U_ZERO_ERROR && count > 0 && count <= capacity ? count : -1;
}

int32_t icu_numbers_words(icu_numbers *numbers, int64_t value, uint16_t *words, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t count = icu.format(numbers->format, value, (UChar *)words, capacity, NULL, &status);
    return written(count, capacity, status);
}

bool icu_numbers_value(icu_numbers *numbers, const uint16_t *words, int32_t length, double *value) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t end = 0;
    /* Accepts "forty two" for "forty-two", and any case. */
    icu.set_attribute(numbers->format, UNUM_LENIENT_PARSE, 1);
    *value = icu.parse(numbers->format, (const UChar *)words, length, &end, &status);
    return status <= U_ZERO_ERROR && end == length;
}

int32_t icu_numbers_plural(icu_numbers *numbers, double value, uint16_t *name, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t count = icu.select_plural(numbers->plurals, value, (UChar *)name, capacity, &status);
    return written(count, capacity, status);
}
