/* What the model store needs and Swift cannot import: the Glibc module is built without _GNU_SOURCE and has no
   <sys/eventfd.h>. */
#pragma once

/* eventfd(2), close-on-exec and non-blocking. */
int linux_event(void);
/* Makes it readable for good. */
void linux_event_raise(int event);
/* pipe2(2) with O_CLOEXEC. */
int linux_pipe(int ends[2]);
/* posix_spawn_file_actions_addclosefrom_np(3); actions is a posix_spawn_file_actions_t, untyped so that its types keep
   to the Glibc module. */
int linux_spawn_close_from(void *actions, int first);
