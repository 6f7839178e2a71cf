/* Support for C tests that can run on any processor, including an emulated one: checks, pseudo-random numbers, and memory
   between guard pages. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int checked, failed;

#define CHECK(condition, ...) \
  do { \
    checked++; \
    if (condition) break; \
    if (failed++ < 20) printf("%s:%d: %s: ", __FILE__, __LINE__, #condition), printf(__VA_ARGS__), putchar('\n'); \
  } while (0)

/* Returns the program's exit code. */
static inline int checks_end(const char *name) {
  printf("%s: %d checks, %d failed\n", name, checked, failed);
  return failed != 0;
}

static uint64_t random_state = 1;

/* A number from -1 to 1. */
static inline float random_number(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (float)(int32_t)(random_state >> 32) / 2147483648.0f;
}

/* Whether the numbers start at the end of a guard page, or end at the start of one. */
enum edge { AT_START, AT_END };

struct placed {
  float *numbers;
  char *pages;
  /* The size without the guard pages. */
  size_t size;
};

/* Free pages, for reuse. Under an emulator, mapping new pages accounts for most of the run time. */
static struct placed free_pages[16];
enum { MOST_FREE = sizeof free_pages / sizeof *free_pages };

static inline char *pages(size_t size, size_t page) {
  for (int i = 0; i < MOST_FREE; i++)
    if (free_pages[i].size == size) return free_pages[i].size = 0, free_pages[i].pages;
  char *pages = mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages != MAP_FAILED && !mprotect(pages + page, size, PROT_READ | PROT_WRITE)) return pages;
  perror("memory");
  exit(2);
}

/* Any access outside the numbers ends the program. With AT_END, the address is a multiple of four, but usually not of a
   higher power of two. */
static inline struct placed place(size_t count, enum edge edge) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t size = (count * sizeof(float) + page) / page * page;
  struct placed placed = {.pages = pages(size, page), .size = size};
  placed.numbers = (float *)(placed.pages + page + (edge == AT_START ? 0 : size - count * sizeof(float)));
  return placed;
}

static inline struct placed place_random(size_t count, enum edge edge, float scale, float center) {
  struct placed placed = place(count, edge);
  for (size_t i = 0; i < count; i++) placed.numbers[i] = center + scale * random_number();
  return placed;
}

static inline void release(struct placed placed) {
  for (int i = 0; i < MOST_FREE; i++)
    if (!free_pages[i].size) {
      free_pages[i] = placed;
      return;
    }
  munmap(placed.pages, placed.size + 2 * (size_t)sysconf(_SC_PAGESIZE));
}
