#pragma once

#include <stddef.h>

struct synth_english_file {
  /* NULL if there is no file with this name. */
  const unsigned char *bytes;
  size_t size;
};

/* A file of the Data folder, which is embedded in the program. */
struct synth_english_file synth_english_file(const char *name);
