#include "linux_calls.h"

#include <stddef.h>
#include <sys/auxv.h>

static int argument_count;
static char **arguments;

/* The C library passes these arguments to constructors. */
__attribute__((constructor)) static void remember(int count, char **words, char **environment) {
  (void)environment;
  argument_count = count;
  arguments = words;
}

int linux_argument_count(void) { return argument_count; }

const char *linux_argument(int number) {
  return number >= 0 && number < argument_count ? arguments[number] : NULL;
}

const char *linux_executable(void) { return (const char *)getauxval(AT_EXECFN); }
