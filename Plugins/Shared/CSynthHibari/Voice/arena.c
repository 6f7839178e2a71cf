/* arena.c: memory that is freed as a unit, and error messages.

   Large blocks are mapped instead of being allocated on the heap. Otherwise, after a voice is freed, the C library would
   keep heap blocks that lie between blocks still in use by other threads, so the memory of a process that often changes its
   voice would grow. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "model.h"

#ifndef __has_feature
#define __has_feature(name) 0
#endif

/* The minimum size in bytes of a mapped block. Under AddressSanitizer, no block is mapped,
   because the sanitizer checks only the heap. */
#if __has_feature(address_sanitizer) || defined(__SANITIZE_ADDRESS__)
static const size_t mapped_from = SIZE_MAX;
#else
static const size_t mapped_from = 64 * 1024;
#endif

struct piece {
  struct piece *next;
  void *memory;
  size_t bytes;
};
struct hb_arena {
  struct piece *pieces;
};

hb_arena *hb_arena_create(void) { return calloc(1, sizeof(hb_arena)); }

void *hb_arena_take(hb_arena *arena, size_t count, size_t size) {
  if (size && count > ((size_t)1 << 31) / size) return NULL;
  struct piece *p = malloc(sizeof *p);
  size_t bytes = (count * size + 127) / 64 * 64;
  void *memory = NULL;
  if (p && bytes >= mapped_from) {
    memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) memory = NULL;
  } else if (p) {
    memory = aligned_alloc(64, bytes);
    if (memory) memset(memory, 0, bytes);
  }
  if (!memory) {
    free(p);
    return NULL;
  }
  *p = (struct piece){arena->pieces, memory, bytes};
  arena->pieces = p;
  return memory;
}

void hb_arena_free(hb_arena *arena) {
  if (!arena) return;
  for (struct piece *p = arena->pieces, *next; p; p = next) {
    next = p->next;
    if (p->bytes >= mapped_from) munmap(p->memory, p->bytes);
    else free(p->memory);
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
