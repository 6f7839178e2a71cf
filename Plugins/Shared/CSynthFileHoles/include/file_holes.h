/* Wraps fallocate for Swift, which cannot import it from glibc because it requires _GNU_SOURCE. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Hide the symbol so that a plugin does not export it. */
#pragma GCC visibility push(hidden)

/* Punches a hole in a file: deallocates the range, which then reads as zeros, without changing the file size. Returns
   false and sets errno if the file system does not support holes. */
bool file_holes_punch(int file, off_t offset, off_t length);

#pragma GCC visibility pop
