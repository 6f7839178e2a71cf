/* Guards a terminal on which a program draws, so that it remains usable regardless of how the program ends. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

/* When this process exits or crashes, writes `farewell` to the terminal and applies `settings` to it. The caller owns
   `farewell`, which must remain valid. SIGWINCH, SIGCONT and SIGTSTP write 1 to `wake`, an eventfd, and are recorded. Does
   nothing if a terminal is already guarded. */
void linux_guard_terminal(int terminal, int wake, const struct termios *settings, const char *farewell, int count);

/* Stops guarding the terminal and restores the previous signal handlers. */
void linux_release_terminal(void);

/* Whether SIGWINCH or SIGCONT, which require a redraw, or SIGTSTP has been received since the last call. */
bool linux_terminal_changed(void);
bool linux_terminal_asked_to_stop(void);

/* Stops this process's group, like Ctrl-Z. Returns when the group is resumed, or immediately if it is orphaned. */
void linux_stop_group(void);
