/* The table that Scripts/faults shares with the processes under test. `table.py` has the same layout. */
#pragma once
#include <stdint.h>

#define FAULTS_SITES 8192
#define FAULTS_FRAMES 5
#define FAULTS_NAME 16
#define FAULTS_ABOUT 64

/* Groups of functions. A lasting fault affects its whole group. */
enum faults_call {
    FAULTS_OPEN, FAULTS_CREATE, FAULTS_READ, FAULTS_WRITE, FAULTS_SEND, FAULTS_RECEIVE, FAULTS_MAP, FAULTS_CLOSE, FAULTS_THREAD,
    FAULTS_CLOCK, FAULTS_RENAME, FAULTS_REMOVE, FAULTS_FOLDER, FAULTS_SYNC, FAULTS_LENGTH, FAULTS_LOCK, FAULTS_SOCKET, FAULTS_CONNECT,
    FAULTS_ACCEPT, FAULTS_BIND, FAULTS_POLL, FAULTS_STATUS, FAULTS_FORK, FAULTS_EXECUTE,
};

enum faults_kind {
    FAULTS_ERROR = 1, /* The call fails with `error`. */
    FAULTS_SHORT,     /* A single byte is read or written. */
    FAULTS_END,       /* The call reports the end of the file or stream. */
    FAULTS_KILL,      /* The process is killed with SIGKILL before the call. */
    FAULTS_JUMP,      /* The clock is off by `jump` seconds. */
};

struct faults_site {
    uint64_t key; /* 0 if this entry is free. */
    uint64_t frames[FAULTS_FRAMES];
    uint32_t call, count;
    char program[FAULTS_NAME], about[FAULTS_ABOUT];
};

struct faults_table {
    uint32_t armed, kind, error, lasts, hit, fired, call, lasts_now;
    uint64_t target;
    int64_t jump;
    char failing[FAULTS_NAME];
    struct faults_site sites[FAULTS_SITES];
};
