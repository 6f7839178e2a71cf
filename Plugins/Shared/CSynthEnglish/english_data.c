#include "english_data.h"

#include <string.h>

/* #embed is a C23 feature; in older language modes, the compiler warns. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char english_words[] = {
#embed "Data/english.words"
};
static const unsigned char english_tags[] = {
#embed "Data/english.tags"
};
static const unsigned char english_sounds[] = {
#embed "Data/english.sounds"
};

#define FILE_CALLED(called, content) \
  if (strcmp(name, called) == 0) return (struct synth_english_file){content, sizeof content}

struct synth_english_file synth_english_file(const char *name) {
  FILE_CALLED("english.words", english_words);
  FILE_CALLED("english.tags", english_tags);
  FILE_CALLED("english.sounds", english_sounds);
  return (struct synth_english_file){NULL, 0};
}
