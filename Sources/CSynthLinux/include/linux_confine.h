/* Landlock and seccomp. Their headers are outdated on some systems, and Swift cannot import them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Returns the kernel's Landlock version. If there is none, returns -1 and sets errno: to ENOSYS if the kernel was built
   without Landlock, to EOPNOTSUPP if Landlock was disabled when the kernel started, and to another value if a filter
   around this process rejects the query. */
int linux_landlock_version(void);

/* Additional permissions for a process that runs untrusted code, as bits. */
enum linux_permission {
  LINUX_MAY_CONNECT = 1 << 0,    /* connect to other machines */
  LINUX_MAY_WRITE_CODE = 1 << 1, /* generate machine code and run it */
  LINUX_MAY_CONTROL = 1 << 2,    /* control devices (ioctl) */
  LINUX_MAY_BECOME = 1 << 3      /* run another program in this process, still confined (execve) */
};

/* Creates a ruleset: handled accesses are denied unless a rule allows them (landlock(7)). `network` requires version 4, `scoped`
   version 6. Returns a descriptor; -1 and errno on failure. */
int linux_landlock_rules(int version, uint64_t files, uint64_t network, uint64_t scoped);

/* Allows access to a file, or to a folder and everything in it. Files in /proc stay open (O_PATH). Returns -1 and sets errno on failure. */
int linux_landlock_allow(int rules, const char *path, uint64_t access);

/* Allows connections to a TCP port; requires version 4. Returns -1 and sets errno on failure. */
int linux_landlock_allow_port(int rules, uint16_t port);

/* Applies the rules, in addition to earlier ones, to this thread and everything that it starts. Call linux_harden() first.
   Returns -1 and sets errno on failure. */
int linux_landlock_restrict(int rules);

/* Makes system calls fail in all threads of this process, except calls that `freedoms` (linux_permission) allows. linux_refused.c
   lists the calls, with the reasons. Call linux_harden() first. Returns false if this kernel does not support
   filters. */
bool linux_refuse_calls(uint32_t freedoms);

/* Returns 0 if this process can filter system calls. Otherwise, returns -1 and sets errno: to EINVAL or ENOSYS if the
   kernel was built without filters, and to another value if a filter around this process rejects the query. */
int linux_has_filters(void);

/* Limits the size of files and the number of open files. linux_harden() limits memory. */
void linux_limit_resources(void);
