/* What the checks of an engine need from the kernel and the C library, and Swift cannot import. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* From now on the process is killed with SIGSYS if any thread asks for an internet socket (network) or for a new
   process or program (seccomp(2)). false = the kernel does not support it. Call linux_harden() before. */
bool linux_forbid_network(void);
bool linux_forbid_processes(void);

/* Bytes of the heap that are in use, in all arenas (mallinfo2 is absent from the Glibc module). */
size_t linux_heap_in_use(void);
