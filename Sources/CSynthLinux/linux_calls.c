#define _GNU_SOURCE
#include "linux_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stddef.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

ssize_t linux_send(int socket, const void *bytes, size_t count, int descriptor, bool wait) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.space;
    message.msg_controllen = sizeof control.space;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  }
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL | (wait ? 0 : MSG_DONTWAIT));
  } while (sent < 0 && errno == EINTR);
  return sent;
}

ssize_t linux_receive(int socket, void *bytes, size_t capacity, int *descriptor, bool *truncated, bool wait) {
  struct iovec part = {.iov_base = bytes, .iov_len = capacity};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = CMSG_LEN(sizeof(int))};
  *descriptor = -1;
  ssize_t received;
  bool reset = false, again;
  do {
    received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
    /* If the sender closes its socket before it has read all messages, the connection is reset. The reset is reported
       once, before the sender's last message. */
    again = received < 0 && (errno == EINTR || (errno == ECONNRESET && !reset));
    reset = reset || errno == ECONNRESET;
  } while (again);
  if (received < 0) return received;
  *truncated = (message.msg_flags & MSG_TRUNC) != 0;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
    memcpy(descriptor, CMSG_DATA(header), sizeof(int));
  return received;
}

int linux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int linux_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int linux_wait_exit(pid_t process, bool wait, int *code, int *signal) {
  int status;
  pid_t ended;
  do {
    ended = waitpid(process, &status, wait ? 0 : WNOHANG);
  } while (ended < 0 && errno == EINTR);
  if (ended <= 0) return (int)ended;
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  *signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return 1;
}

ssize_t linux_get_attribute(const char *path, const char *name, void *value, size_t capacity) {
  return lgetxattr(path, name, value, capacity);
}

void linux_name_thread(pthread_t thread, const char *name) {
  char cut[16] = {0};
  strncpy(cut, name, sizeof cut - 1);
  pthread_setname_np(thread, cut);
}

int linux_open_unnamed(const char *folder, unsigned mode) {
  return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, (mode_t)mode);
}

bool linux_is_mount(const char *path) {
  struct statx status;
  return statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, 0, &status) == 0 &&
         (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

int linux_accept(int socket) { return accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int64_t linux_peer_user(int socket) {
  struct ucred peer = {0};
  socklen_t length = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) || peer.pid == 0) return -1;
  return peer.uid;
}

pid_t linux_peer_process(int socket) {
  struct ucred peer = {0};
  socklen_t length = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) ? 0 : peer.pid;
}

int linux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/* A sanitizer's shadow memory alone exceeds any limit. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MEMORY_IS_SHADOWED 1
#endif
#endif

static void limit_to(int resource, rlim_t most) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur <= most) return;
  limit.rlim_cur = limit.rlim_max = most;
  setrlimit(resource, &limit);
}

static void limit_data(rlim_t most) {
#ifndef MEMORY_IS_SHADOWED
  limit_to(RLIMIT_DATA, most);
#else
  (void)most;
#endif
}

static void limit_memory(void) {
  limit_data((rlim_t)sysconf(_SC_PHYS_PAGES) * (rlim_t)sysconf(_SC_PAGE_SIZE) / 4 * 3);
  /* If memory still runs out, the kernel kills this process first instead of the user's other programs. */
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  ssize_t written = write(file, "1000", 4);
  (void)written;
  close(file);
}

void linux_harden(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  limit_memory();
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

void linux_limit_work(uint64_t seconds, uint64_t bytes) {
  limit_to(RLIMIT_CPU, seconds);
  limit_data(bytes);
}

const char *linux_file_with(const void *address) {
  Dl_info found;
  return dladdr(address, &found) ? found.dli_fname : NULL;
}

void linux_trim_heap(void) { malloc_trim(0); }

void linux_keep_heap_small(void) {
  mallopt(M_ARENA_MAX, 4);
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
}

int linux_memory_file(void) { return memfd_create("synthhost", MFD_CLOEXEC); }

int linux_signal(int process, int signal) { return (int)syscall(SYS_pidfd_send_signal, process, signal, NULL, 0); }
