#define _GNU_SOURCE
#include "linux_terminal.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
static const int news[] = {SIGWINCH, SIGCONT, SIGTSTP};
enum { CRASHES = sizeof crashes / sizeof *crashes, NEWS = sizeof news / sizeof *news };

/* Modified only while `guarded` is false. */
static struct termios kept;
static const char *last_words;
static int last_count, terminal_of_process, wake_of_process;
static struct sigaction before_crash[CRASHES], before_news[NEWS];
static atomic_bool guarded, changed, asked;

/* Calls only async-signal-safe functions. */
static void restore(void) {
  if (!atomic_exchange(&guarded, false)) return;
  if (write(terminal_of_process, last_words, (size_t)last_count) < 0) { /* The terminal is gone. */
  }
  tcsetattr(terminal_of_process, TCSANOW, &kept);
}

static void crashed(int number) {
  restore();
  for (int i = 0; i < CRASHES; i++)
    if (crashes[i] == number) sigaction(number, &before_crash[i], NULL);
  /* Pass the signal to the previous handler. A fault would recur even without this call, but a signal sent by a
     process would not. */
  raise(number);
}

static void told(int number) {
  int saved = errno;
  if (number == SIGTSTP)
    atomic_store(&asked, true);
  else
    atomic_store(&changed, true);
  uint64_t one = 1;
  if (write(wake_of_process, &one, sizeof one) < 0) { /* Already signaled. */
  }
  errno = saved;
}

static void handle(const int *numbers, int count, void (*handler)(int), struct sigaction *before) {
  struct sigaction action = {.sa_flags = SA_RESTART};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < count; i++) sigaction(numbers[i], &action, &before[i]);
}

void linux_guard_terminal(int terminal, int wake, const struct termios *settings, const char *farewell, int count) {
  static atomic_bool registered;
  if (atomic_load(&guarded)) return;
  kept = *settings;
  last_words = farewell;
  last_count = count;
  terminal_of_process = terminal;
  wake_of_process = wake;
  atomic_store(&guarded, true);
  if (!atomic_exchange(&registered, true)) atexit(restore);
  handle(crashes, CRASHES, crashed, before_crash);
  handle(news, NEWS, told, before_news);
}

void linux_release_terminal(void) {
  if (!atomic_exchange(&guarded, false)) return;
  for (int i = 0; i < CRASHES; i++) sigaction(crashes[i], &before_crash[i], NULL);
  for (int i = 0; i < NEWS; i++) sigaction(news[i], &before_news[i], NULL);
}

bool linux_terminal_changed(void) { return atomic_exchange(&changed, false); }
bool linux_terminal_asked_to_stop(void) { return atomic_exchange(&asked, false); }

void linux_stop_group(void) {
  struct sigaction usual = {.sa_handler = SIG_DFL}, before;
  sigemptyset(&usual.sa_mask);
  sigaction(SIGTSTP, &usual, &before);
  kill(0, SIGTSTP);
  sigaction(SIGTSTP, &before, NULL);
}
