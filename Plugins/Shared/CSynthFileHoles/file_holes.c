#define _GNU_SOURCE
#include "file_holes.h"

#include <fcntl.h>

bool file_holes_punch(int file, off_t offset, off_t length) {
    return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, length) == 0;
}
