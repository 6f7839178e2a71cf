#define _GNU_SOURCE
#include "store_calls.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <unistd.h>

int linux_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void linux_event_raise(int event) { (void)eventfd_write(event, 1); }

int linux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int linux_spawn_close_from(void *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
