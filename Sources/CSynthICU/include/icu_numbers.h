#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Words for numbers, by the ICU of this machine. ICU's own headers stay out of sight: Foundation brings another version of
   them, and one program cannot see both.

   ICU is opened with dlopen by the first icu_numbers_open, so that the start of a program does not wait for it, and never
   closed. Its functions are looked up by name and version ("unum_open_72"): the version that the program was built with
   first, then whichever is there. */

typedef struct icu_numbers icu_numbers;

/* The version of the ICU that is opened, such as "72.1"; NULL if there is none. */
const char *icu_numbers_version(void);

/* The name of the library that is looked for first. */
const char *icu_numbers_library(void);

/* NULL if there is no ICU, if it does not know the language, or without memory. One thread at a time may use the result. */
icu_numbers *icu_numbers_open(const char *locale);

void icu_numbers_close(icu_numbers *numbers);

/* Chooses the rule set of the words to come, by its name in UTF-16. Whether there is such a one. */
bool icu_numbers_select(icu_numbers *numbers, const uint16_t *rule_set, int32_t length);

/* Writes the words for a number in UTF-16. Returns their count, -1 if there are none or too many. */
int32_t icu_numbers_words(icu_numbers *numbers, int64_t value, uint16_t *words, int32_t capacity);

/* Reads the number that words in UTF-16 say. Whether they are a number, and nothing else. */
bool icu_numbers_value(icu_numbers *numbers, const uint16_t *words, int32_t length, double *value);

/* Writes the name of a number's plural category in UTF-16: "one", "few". Returns its length, -1 if there is none. */
int32_t icu_numbers_plural(icu_numbers *numbers, double value, uint16_t *name, int32_t capacity);
