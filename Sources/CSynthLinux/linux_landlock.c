#define _GNU_SOURCE
#include "linux_confine.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* These numbers are the same on all architectures. */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

/* The kernel's format; later Landlock versions support more fields of the first struct. */
struct rules {
  uint64_t files, network, scoped;
};
struct path_rule {
  uint64_t access;
  int32_t folder;
} __attribute__((packed));

struct port_rule {
  uint64_t access, port;
};

enum { ASK_VERSION = 1, BENEATH_PATH = 1, TCP_PORT = 2, CONNECT = 2 };

/* The access rights that apply to a single file: execute, write, read, truncate, and ioctl on a device. */
static const uint64_t of_files = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15;

int linux_landlock_version(void) {
  return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, ASK_VERSION);
}

int linux_landlock_rules(int version, uint64_t files, uint64_t network, uint64_t scoped) {
  struct rules rules = {.files = files, .network = network, .scoped = scoped};
  size_t size = version < 4 ? 8 : version < 6 ? 16 : 24;
  return (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
}

int linux_landlock_allow(int rules, const char *path, uint64_t access) {
  int folder = open(path, O_PATH | O_CLOEXEC);
  if (folder < 0) return -1;
  struct stat status;
  int result = fstat(folder, &status);
  if (result == 0) {
    struct path_rule rule = {.access = S_ISDIR(status.st_mode) ? access : access & of_files, .folder = folder};
    result = (int)syscall(SYS_landlock_add_rule, rules, BENEATH_PATH, &rule, 0);
  }
  int failure = errno;
  /* Keep files in /proc open. Otherwise the kernel may discard and recreate their inodes when memory is short, and the rules would
     still apply to the old inodes. */
  bool isKept = result == 0 && strncmp(path, "/proc/", 6) == 0;
  if (!isKept) close(folder);
  errno = failure;
  return result;
}

int linux_landlock_allow_port(int rules, uint16_t port) {
  struct port_rule rule = {.access = CONNECT, .port = port};
  return (int)syscall(SYS_landlock_add_rule, rules, TCP_PORT, &rule, 0);
}

int linux_landlock_restrict(int rules) { return (int)syscall(SYS_landlock_restrict_self, rules, 0); }
