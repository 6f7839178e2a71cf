/* What Swift cannot import from glibc: fallocate needs _GNU_SOURCE. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Hidden, so that a plugin does not export it. */
#pragma GCC visibility push(hidden)

/* Gives the disk a range of a file back, which then reads as zeros; the file keeps its size. false and errno if the file
   system cannot. */
bool file_holes_punch(int file, off_t offset, off_t length);

#pragma GCC visibility pop
