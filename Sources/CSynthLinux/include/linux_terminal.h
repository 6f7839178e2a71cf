/* A terminal that a program draws on, and what leaves it usable when the program ends in any way. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

/* From now on the terminal gets `settings` and the bytes of `farewell` (kept by the caller) when this process exits or crashes.
   SIGWINCH, SIGCONT and SIGTSTP write the number 1 to `wake`, an eventfd, and are counted. One terminal at a time. */
void linux_guard_terminal(int terminal, int wake, const struct termios *settings, const char *farewell, int count);

/* The process cares for the terminal itself again; the signals have the effects that they had before. */
void linux_release_terminal(void);

/* Signals since the last call: SIGWINCH or SIGCONT, so that all has to be drawn again; SIGTSTP, which asks to stop. */
bool linux_terminal_changed(void);
bool linux_terminal_asked_to_stop(void);

/* Stops the group of this process, as the terminal does for Ctrl-Z. Returns when it continues, or at once if nobody could continue it. */
void linux_stop_group(void);
