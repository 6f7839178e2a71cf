/* team.h: a second thread that computes part of a step while a listener waits for the first audio. */
#ifndef HB_TEAM_H
#define HB_TEAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* Computes one part of a step. `worker` is 0 or 1; each worker has its own buffers. */
typedef void hb_part(void *context, int part, int worker);

typedef struct {
  int active; /* Whether the second thread is running. */
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  hb_part *work;
  void *context;
  _Atomic uint64_t left; /* Step number << 32 | number of parts not yet started */
  _Atomic int finished, stops, is_idle, is_awaited;
} hb_team;

/* Starts the second thread, unless there is only one processor or memory is exhausted; then one thread computes
 * everything. */
void hb_team_begin(hb_team *team);
/* Ends the second thread. */
void hb_team_end(hb_team *team);

/*
 * Computes all parts of a step. The calling thread also takes parts, so it never waits for the other thread to start. The
 * results do not depend on which thread computes a part.
 */
void hb_team_do(hb_team *team, int parts, hb_part *work, void *context);

#endif
