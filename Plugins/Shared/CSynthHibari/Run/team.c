/* team.c: divides the parts of a step between two threads.
 *
 * Both threads spin briefly before they sleep: a step takes about 200 microseconds, and waking a thread takes a fifth
 * of that time. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <sched.h>
#include "team.h"

enum { LOOKS = 2000, STACK = 512 * 1024 };

static void rest(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* Claims a part for this thread and returns its index, or -1 if none is left. `work` never mixes data from two
 * steps, because a step starts only when every part of the previous one is finished. */
static int take(hb_team *t) {
  uint64_t left = atomic_load(&t->left);
  while (left & UINT32_MAX)
    if (atomic_compare_exchange_weak(&t->left, &left, left - 1)) return (int)(left & UINT32_MAX) - 1;
  return -1;
}

static int has_news(hb_team *t) { return (atomic_load(&t->left) & UINT32_MAX) || atomic_load(&t->stops); }

static void wake(hb_team *t) {
  pthread_mutex_lock(&t->mutex);
  pthread_cond_broadcast(&t->changed);
  pthread_mutex_unlock(&t->mutex);
}

static void *help(void *argument) {
  hb_team *t = argument;
  while (!atomic_load(&t->stops)) {
    int part = take(t);
    if (part >= 0) {
      t->work(t->context, part, 1);
      atomic_fetch_add(&t->finished, 1);
      if (atomic_load(&t->is_awaited)) wake(t);
      continue;
    }
    for (int i = 0; i < LOOKS && !has_news(t); i++) rest();
    if (has_news(t)) continue;
    pthread_mutex_lock(&t->mutex);
    atomic_store(&t->is_idle, 1);
    while (!has_news(t)) pthread_cond_wait(&t->changed, &t->mutex);
    atomic_store(&t->is_idle, 0);
    pthread_mutex_unlock(&t->mutex);
  }
  return NULL;
}

static int processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

void hb_team_begin(hb_team *t) {
  t->active = 0;
  if (processors() < 2) return;
  atomic_store(&t->left, 0);
  atomic_store(&t->stops, 0);
  atomic_store(&t->is_idle, 0);
  atomic_store(&t->is_awaited, 0);
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  pthread_attr_setstacksize(&attributes, STACK);
  if (pthread_mutex_init(&t->mutex, NULL) == 0) {
    if (pthread_cond_init(&t->changed, NULL) == 0) {
      t->active = pthread_create(&t->thread, &attributes, help, t) == 0;
      if (!t->active) pthread_cond_destroy(&t->changed);
    }
    if (!t->active) pthread_mutex_destroy(&t->mutex);
  }
  pthread_attr_destroy(&attributes);
}

void hb_team_end(hb_team *t) {
  if (!t->active) return;
  atomic_store(&t->stops, 1);
  wake(t);
  pthread_join(t->thread, NULL);
  pthread_cond_destroy(&t->changed);
  pthread_mutex_destroy(&t->mutex);
  t->active = 0;
}

void hb_team_do(hb_team *t, int parts, hb_part *work, void *context) {
  if (!t->active || parts < 2) {
    for (int part = 0; part < parts; part++) work(context, part, 0);
    return;
  }
  t->work = work;
  t->context = context;
  atomic_store(&t->finished, 0);
  atomic_store(&t->left, ((atomic_load(&t->left) >> 32) + 1) << 32 | (uint32_t)parts);
  if (atomic_load(&t->is_idle)) wake(t);
  for (int part = take(t); part >= 0; part = take(t)) {
    work(context, part, 0);
    atomic_fetch_add(&t->finished, 1);
  }
  for (int i = 0; i < LOOKS && atomic_load(&t->finished) < parts; i++) rest();
  if (atomic_load(&t->finished) >= parts) return;
  pthread_mutex_lock(&t->mutex);
  atomic_store(&t->is_awaited, 1);
  while (atomic_load(&t->finished) < parts) pthread_cond_wait(&t->changed, &t->mutex);
  atomic_store(&t->is_awaited, 0);
  pthread_mutex_unlock(&t->mutex);
}
