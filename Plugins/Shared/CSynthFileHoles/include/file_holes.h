/* Swift cannot import this from glibc, because fallocate needs _GNU_SOURCE. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Hidden, so that a plugin does not export it. */
#pragma GCC visibility push(hidden)

/* Punches a hole in a file: deallocates the range, which then reads as zeros, without changing the file size. Returns
   false and sets errno if the file system does not support holes. */
bool file_holes_punch(int file, off_t offset, off_t length);

#pragma GCC visibility pop
