#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Number words from the installed ICU. ICU's own headers are not exposed: Foundation contains another version of them, and a
   program cannot import both.

   ICU is loaded with dlopen by the first icu_numbers_open, so that programs do not load it at startup, and is never
   unloaded. Its functions are looked up by name and version ("unum_open_72"): first the version that the program was built
   with, then any other version. */

typedef struct icu_numbers icu_numbers;

/* The version of the loaded ICU, such as "72.1"; NULL if ICU is not loaded. */
const char *icu_numbers_version(void);

/* The name of the ICU library that is tried first. */
const char *icu_numbers_library(void);

/* Returns NULL if ICU is missing or does not support the language, or if there is not enough memory. Not thread-safe. */
icu_numbers *icu_numbers_open(const char *locale);

void icu_numbers_close(icu_numbers *numbers);

/* Selects the rule set for later calls to icu_numbers_words, by its name in UTF-16. Returns false if there is no such
   rule set. */
bool icu_numbers_select(icu_numbers *numbers, const uint16_t *rule_set, int32_t length);

/* Writes the words for a number in UTF-16. Returns their length; -1 if there are none, or they do not fit. */
int32_t icu_numbers_words(icu_numbers *numbers, int64_t value, uint16_t *words, int32_t capacity);

/* Parses number words in UTF-16. Returns false if they contain anything but a number. */
bool icu_numbers_value(icu_numbers *numbers, const uint16_t *words, int32_t length, double *value);

/* Writes the name of a number's plural category in UTF-16: "one", "few". Returns its length; -1 if there is none. */
int32_t icu_numbers_plural(icu_numbers *numbers, double value, uint16_t *name, int32_t capacity);
