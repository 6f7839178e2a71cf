/* A function that Swift cannot import from glibc, because fallocate needs _GNU_SOURCE. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Hidden, so that a plugin does not export it. */
#pragma GCC visibility push(hidden)

/* Punches a hole into a file: the range is released and then reads as zeros, and the file keeps its size. Returns
   false and sets errno if the file system does not support it. */
bool file_holes_punch(int file, off_t offset, off_t length);

#pragma GCC visibility pop
