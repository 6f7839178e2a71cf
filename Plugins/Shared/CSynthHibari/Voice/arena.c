/* arena.c: memory that is freed as a whole, and error messages. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model.h"

struct piece {
  struct piece *next;
  void *memory;
};
struct hb_arena {
  struct piece *pieces;
};

hb_arena *hb_arena_create(void) { return calloc(1, sizeof(hb_arena)); }

void *hb_arena_take(hb_arena *arena, size_t count, size_t size) {
  if (size && count > ((size_t)1 << 31) / size) return NULL;
  struct piece *p = malloc(sizeof *p);
  size_t bytes = (count * size + 127) / 64 * 64;
  void *memory = p ? aligned_alloc(64, bytes) : NULL;
  if (!memory) {
    free(p);
    return NULL;
  }
  memset(memory, 0, bytes);
  *p = (struct piece){arena->pieces, memory};
  arena->pieces = p;
  return memory;
}

void hb_arena_free(hb_arena *arena) {
  if (!arena) return;
  for (struct piece *p = arena->pieces, *next; p; p = next) {
    next = p->next;
    free(p->memory);
    free(p);
  }
  free(arena);
}

hb_status hb_fail(hb_error *error, hb_status code, const char *format, ...) {
  if (!error) return code;
  error->code = code;
  va_list list;
  va_start(list, format);
  vsnprintf(error->message, sizeof error->message, format, list);
  va_end(list);
  return code;
}
