/* The system calls that engine.c makes with -DFAULT_ASKS=how and -DOUTSIDE="a folder that engines may not open". */
#pragma once
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/un.h>

#define SECRET OUTSIDE "/.ssh/id"

static void open_and_close(const char *path, int flags) {
  int file = open(path, flags, 0600);
  if (file >= 0) close(file);
}

static void ask_for_all(const char *cache) {
  char link[4096];
  struct sockaddr_un nobody = {.sun_family = AF_UNIX, .sun_path = "\0nobody"};
  struct sockaddr_in far = {.sin_family = AF_INET, .sin_port = 0x5000 /* port 80 */, .sin_addr = {0x0100007f}};
  open_and_close(SECRET, O_RDONLY);
  open_and_close(SECRET, O_RDONLY);
  open_and_close(SECRET, O_WRONLY | O_TRUNC);
  open_and_close(OUTSIDE "/new", O_WRONLY | O_CREAT);
  int folder = open(OUTSIDE "/.ssh", O_PATH | O_DIRECTORY);
  openat(folder, "id", O_RDONLY);
  close(folder);
  socket(AF_INET, SOCK_STREAM, 0);
  socket(AF_UNIX, SOCK_STREAM, 0);
  connect(-1, (struct sockaddr *)&nobody, offsetof(struct sockaddr_un, sun_path) + sizeof "nobody");
  connect(-1, (struct sockaddr *)&far, sizeof far);
  execl("/usr/bin/id", "id", NULL);
  if (fork() == 0) _exit(0);
  mkdir(OUTSIDE "/folder", 0700);
  rename(SECRET, OUTSIDE "/moved");
  unlink(SECRET);
  chmod(SECRET, 0666);
  snprintf(link, sizeof link, "%s/link", cache);
  symlink("/etc", link);
  ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  kill(1, 0);
  mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ioctl(0, 0x1234);
}

/* Calls that an engine may make, and calls that fail even without confinement. */
static void ask_modestly(const char *cache) {
  char path[4096], other[4096];
  struct stat status;
  snprintf(path, sizeof path, "%s/folder", cache);
  mkdir(path, 0700);
  snprintf(path, sizeof path, "%s/folder/file", cache);
  open_and_close(path, O_WRONLY | O_CREAT | O_EXCL);
  open_and_close(path, O_RDWR | O_TRUNC);
  snprintf(other, sizeof other, "%s/other", cache);
  rename(path, other);
  unlink(other);
  unlink(other);
  open_and_close(other, O_RDONLY);
  open_and_close(cache, O_RDONLY | O_DIRECTORY);
  open_and_close(cache, O_RDWR | O_TMPFILE);
  open_and_close("/dev/null", O_RDWR | O_TRUNC);
  open_and_close("/dev/stdin", O_RDONLY);
  open_and_close("/proc/self/maps", O_RDONLY);
  open_and_close("/proc/self/status", O_RDONLY);
  open_and_close("/usr/lib", O_RDONLY | O_DIRECTORY);
  open_and_close("/etc/nothing.conf", O_RDONLY);
  open_and_close("", O_RDONLY);
  open_and_close(SECRET, O_PATH);
  open_and_close(SECRET, O_WRONLY | O_CREAT | O_EXCL);
  mkdir(OUTSIDE, 0700);
  unlink(OUTSIDE "/nothing");
  stat(SECRET, &status);
  if (chdir("/usr") == 0) open_and_close("lib", O_RDONLY | O_DIRECTORY);
}

static _Atomic int asked;

static void *ask_again_and_again(void *count) {
  for (int i = 0; i < *(int *)count; i++, asked++) open_and_close(SECRET, O_RDONLY);
  return NULL;
}

static void interrupted(int number) { (void)number; }

static void ask_wildly(void) {
  static char endless[3 * 4096];
  char *pages = mmap(NULL, 2 * 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *border = pages + 65536;
  munmap(border, 65536);
  memset(endless, 'a', sizeof endless);
  memset(border - 100, 'b', 100);
  open((char *)8, O_RDONLY);
  open(endless, O_RDONLY);
  open(border - 100, O_RDONLY);
  execve((char *)8, NULL, NULL);
  execve(border - 100, NULL, NULL);
  connect(-1, (struct sockaddr *)8, 16);
  connect(-1, (struct sockaddr *)(border - 3), 16);
  connect(-1, (struct sockaddr *)pages, 1u << 30);
  memcpy(border - sizeof SECRET, SECRET, sizeof SECRET);
  open(border - sizeof SECRET, O_RDONLY);
  unlink("/"), unlink("//"), rename("/", "/"), mkdir("/", 0700), openat(12345, "id", O_RDONLY);
  syscall(-1L), syscall(100000L);

  static int count = 300;
  pthread_t threads[4];
  signal(SIGALRM, interrupted);
  ualarm(1000, 1000);
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, ask_again_and_again, &count);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  ualarm(0, 0);
  for (int family = 1000; family < 4000; family++) socket(family, SOCK_STREAM, 0);
}

/* Exits while threads are waiting for replies. */
static void ask_and_end(void) {
  static int count = 1 << 30;
  pthread_t thread;
  open_and_close(SECRET, O_RDONLY);
  for (int i = 0; i < 4; i++) pthread_create(&thread, NULL, ask_again_and_again, &count);
  while (asked < 100) usleep(100);
  open_and_close("/etc/shadow", O_RDONLY);
  abort();
}

/* NULL, or the reason why the engine does not load. */
static const char *ask(const char *cache) {
  if (strcmp(FAULT_ASKS, "all") == 0) ask_for_all(cache);
  if (strcmp(FAULT_ASKS, "modestly") == 0) ask_modestly(cache);
  if (strcmp(FAULT_ASKS, "wildly") == 0) ask_wildly();
  if (strcmp(FAULT_ASKS, "to-the-end") == 0) ask_and_end();
  if (strcmp(FAULT_ASKS, "for-a-file") == 0 && open(SECRET, O_RDONLY) < 0) return "The key cannot be read.";
  return NULL;
}
