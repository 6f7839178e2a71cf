/* Landlock and seccomp, whose headers are too old on some systems and cannot be imported by Swift. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The kernel's Landlock version; -1 and errno if there is none: ENOSYS = the kernel was built without it, EOPNOTSUPP = it was started
   without it, other values = a filter around this process refuses the query. */
int linux_landlock_version(void);

/* Additional permissions of a process with untrusted code. Bits. */
enum linux_permission {
  LINUX_MAY_CONNECT = 1 << 0,    /* connect to other machines */
  LINUX_MAY_WRITE_CODE = 1 << 1, /* write machine code and run it */
  LINUX_MAY_CONTROL = 1 << 2,    /* control devices (ioctl) */
  LINUX_MAY_BECOME = 1 << 3      /* become another program, which stays confined (execve) */
};

/* Creates a ruleset: handled accesses are refused unless a rule allows them (landlock(7)). `network` requires version 4, `scoped`
   version 6. Returns a descriptor; -1 and errno on failure. */
int linux_landlock_rules(int version, uint64_t files, uint64_t network, uint64_t scoped);

/* Allows access to a file, or to everything below a folder. Files in /proc are kept open (O_PATH). -1 and errno on failure. */
int linux_landlock_allow(int rules, const char *path, uint64_t access);

/* Allows connections to a TCP port, from version 4. -1 and errno on failure. */
int linux_landlock_allow_port(int rules, uint16_t port);

/* Applies the rules, in addition to older ones, to this thread and everything that it starts. Call linux_harden() first.
   -1 and errno on failure. */
int linux_landlock_restrict(int rules);

/* Refuses the system calls in linux_refused.c, which gives the reasons, to all threads of this process, except those that its
   freedoms allow. Call linux_harden() first. Returns false if this kernel has no filters. */
bool linux_refuse_calls(uint32_t freedoms);

/* Whether this process can filter system calls. -1 and errno if not: EINVAL or ENOSYS = the kernel was built without filters, other
   values = a filter around this process refuses the query. */
int linux_has_filters(void);

/* Limits the size of files and the number of open ones. linux_harden() limits memory. */
void linux_limit_resources(void);
