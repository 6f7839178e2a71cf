/* Simulates faults in calls to the C library, for Scripts/faults. The programs under test load this library first, so its functions
   replace those of the C library for the programs and their libraries.

   A call site is a function of the C library, a program, and the innermost return addresses within the program. All processes share the
   table of sites, which is a file next to this library. The script arms one fault in the table, and reads which sites were reached.
   Calls before `main` do not fail. */
#define _GNU_SOURCE
#include "faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static struct faults_table *table;
static uintptr_t text_begin, text_end, base;
static char program[FAULTS_NAME];
static int in_main;

static int find_program(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    /* The first object is the program. */
    base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
        uintptr_t begin = base + header->p_vaddr, end = begin + header->p_memsz;
        if (!text_begin || begin < text_begin) text_begin = begin;
        if (end > text_end) text_end = end;
    }
    return 1;
}

__attribute__((constructor)) static void open_table(void)
{
    Dl_info self;
    char path[4096];
    if (!dladdr((void *)open_table, &self)) return;
    const char *slash = strrchr(self.dli_fname, '/');
    if (!slash || slash - self.dli_fname > 4000) return;
    snprintf(path, sizeof path, "%.*s/table", (int)(slash - self.dli_fname), self.dli_fname);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void *mapped = mmap(NULL, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED) return;
    dl_iterate_phdr(find_program, NULL);
    snprintf(program, sizeof program, "%s", program_invocation_short_name);
    table = mapped;
}

static int (*program_main)(int, char **, char **);
static int counted_main(int count, char **words, char **variables)
{
    __atomic_store_n(&in_main, 1, __ATOMIC_RELAXED);
    return program_main(count, words, variables);
}

int __libc_start_main(int (*entry)(int, char **, char **), int count, char **words, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void *stack_end)
{
    int (*start)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
        dlsym(RTLD_NEXT, "__libc_start_main");
    program_main = entry;
    return start(counted_main, count, words, init, fini, loader_fini, stack_end);
}

/* The upper end of the calling thread's stack. */
static uintptr_t stack_end(void)
{
    static __thread uintptr_t end;
    if (!end) {
        end = 1; /* The call below may call functions of this file. */
        pthread_attr_t attributes;
        void *lowest;
        size_t size;
        if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
            if (pthread_attr_getstack(&attributes, &lowest, &size) == 0) end = (uintptr_t)lowest + size;
            pthread_attr_destroy(&attributes);
        }
    }
    return end;
}

/* Writes the innermost return addresses within the program, relative to its load address. `frame` is the frame of a function in
   this file. Libraries may use the frame register for something else, so each address is checked before it is read. */
static void find_frames(uint64_t frames[FAULTS_FRAMES], uintptr_t *frame)
{
    int count = 0;
    uintptr_t end = stack_end();
    for (int depth = 0; depth < 64 && count < FAULTS_FRAMES; depth++) {
        if (frame[1] >= text_begin && frame[1] < text_end) frames[count++] = frame[1] - base;
        /* Bit 60 marks the frames of asynchronous functions, so it is cleared. */
        uintptr_t next = frame[0] & ~(1ULL << 60);
        if (next <= (uintptr_t)frame || next + 16 > end || next % 8) break;
        frame = (uintptr_t *)next;
    }
}

static struct faults_site *site_of(enum faults_call call, void *frame, const char *about)
{
    uint64_t frames[FAULTS_FRAMES] = {0};
    find_frames(frames, frame);
    uint64_t key = 1469598103934665603ULL;
    for (const char *c = program; *c; c++) key = (key ^ (uint8_t)*c) * 1099511628211ULL;
    key = (key ^ (uint64_t)call) * 1099511628211ULL;
    for (int i = 0; i < FAULTS_FRAMES; i++) key = (key ^ frames[i]) * 1099511628211ULL;
    key |= 1;
    for (uint64_t step = 0; step < FAULTS_SITES; step++) {
        struct faults_site *site = &table->sites[(key + step) % FAULTS_SITES];
        uint64_t found = 0;
        if (__atomic_compare_exchange_n(&site->key, &found, key, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            site->call = call;
            memcpy(site->frames, frames, sizeof frames);
            memcpy(site->program, program, sizeof program);
            snprintf(site->about, sizeof site->about, "%s", about);
            found = key;
        }
        if (found == key) return site;
    }
    return NULL;
}

/* Returns the fault to simulate in this call, or 0 to make the real call. */
static enum faults_kind decide(enum faults_call call, void *frame, const char *about)
{
    if (!about || !table || !__atomic_load_n(&in_main, __ATOMIC_RELAXED) || !__atomic_load_n(&table->armed, __ATOMIC_ACQUIRE)) return 0;
    int error = errno;
    enum faults_kind kind = 0;
    struct faults_site *site = site_of(call, frame, about);
    if (site) {
        uint32_t number = __atomic_fetch_add(&site->count, 1, __ATOMIC_RELAXED);
        if (table->kind && site->key == table->target && number == table->hit &&
            __atomic_fetch_add(&table->fired, 1, __ATOMIC_ACQ_REL) == 0) {
            memcpy(table->failing, program, sizeof program);
            __atomic_store_n(&table->lasts_now, table->lasts, __ATOMIC_RELEASE);
            kind = table->kind;
        } else if (__atomic_load_n(&table->lasts_now, __ATOMIC_ACQUIRE) && call == table->call && strcmp(program, table->failing) == 0)
            /* After the first fault, every call in this group fails. */
            kind = table->kind;
    }
    if (kind == FAULTS_KILL) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
    errno = kind == FAULTS_ERROR ? (int)table->error : error;
    return kind;
}

#define REAL(result, name, ...) \
    static result (*real)(__VA_ARGS__); \
    if (!real) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)
#define HERE __builtin_frame_address(0)

static mode_t type_of(int descriptor)
{
    struct stat status;
    REAL(int, "fstat", int, struct stat *);
    int error = errno;
    mode_t type = real(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0;
    errno = error;
    return type;
}

static int is_file(int descriptor)
{
    mode_t type = type_of(descriptor);
    return type == S_IFREG || type == S_IFDIR;
}

static const char *kind_of(int descriptor)
{
    switch (type_of(descriptor)) {
    case S_IFREG: case S_IFDIR: return "file";
    case S_IFSOCK: return "socket";
    case S_IFIFO: return "pipe";
    /* An eventfd, which only wakes a thread, does not fail. */
    default: return NULL;
    }
}

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    REAL(int, "open", const char *, int, ...);
    enum faults_call call = flags & O_CREAT ? FAULTS_CREATE : FAULTS_OPEN;
    if (decide(call, HERE, path)) return -1;
    return real(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    REAL(int, "openat", int, const char *, int, ...);
    enum faults_call call = flags & O_CREAT ? FAULTS_CREATE : FAULTS_OPEN;
    if (decide(call, HERE, path)) return -1;
    return real(folder, path, flags, mode);
}

ssize_t read(int descriptor, void *bytes, size_t count)
{
    REAL(ssize_t, "read", int, void *, size_t);
    enum faults_kind kind = decide(is_file(descriptor) ? FAULTS_READ : FAULTS_RECEIVE, HERE, kind_of(descriptor));
    if (kind == FAULTS_ERROR) return -1;
    if (kind == FAULTS_END) return 0;
    return real(descriptor, bytes, kind == FAULTS_SHORT && count > 1 ? 1 : count);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset)
{
    REAL(ssize_t, "pread", int, void *, size_t, off_t);
    enum faults_kind kind = decide(FAULTS_READ, HERE, kind_of(descriptor));
    if (kind == FAULTS_ERROR) return -1;
    if (kind == FAULTS_END) return 0;
    return real(descriptor, bytes, kind == FAULTS_SHORT && count > 1 ? 1 : count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    REAL(ssize_t, "write", int, const void *, size_t);
    enum faults_kind kind = decide(is_file(descriptor) ? FAULTS_WRITE : FAULTS_SEND, HERE, kind_of(descriptor));
    if (kind == FAULTS_ERROR) return -1;
    return real(descriptor, bytes, kind == FAULTS_SHORT && count > 1 ? 1 : count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset)
{
    REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
    enum faults_kind kind = decide(FAULTS_WRITE, HERE, kind_of(descriptor));
    if (kind == FAULTS_ERROR) return -1;
    return real(descriptor, bytes, kind == FAULTS_SHORT && count > 1 ? 1 : count, offset);
}

/* Whether the socket preserves message boundaries, so that a message cannot be sent or received partially. */
static int keeps_messages(int descriptor)
{
    int type = 0;
    socklen_t size = sizeof type;
    return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags)
{
    REAL(ssize_t, "send", int, const void *, size_t, int);
    enum faults_kind kind = decide(FAULTS_SEND, HERE, "socket");
    if (kind == FAULTS_ERROR) return -1;
    if (kind == FAULTS_SHORT && count > 1 && !keeps_messages(descriptor)) count = 1;
    return real(descriptor, bytes, count, flags);
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags)
{
    REAL(ssize_t, "sendmsg", int, const struct msghdr *, int);
    return decide(FAULTS_SEND, HERE, "message") == FAULTS_ERROR ? -1 : real(descriptor, message, flags);
}

ssize_t recv(int descriptor, void *bytes, size_t count, int flags)
{
    REAL(ssize_t, "recv", int, void *, size_t, int);
    enum faults_kind kind = decide(FAULTS_RECEIVE, HERE, "socket");
    if (kind == FAULTS_ERROR) return -1;
    if (kind == FAULTS_END) return 0;
    if (kind == FAULTS_SHORT && count > 1 && !keeps_messages(descriptor)) count = 1;
    return real(descriptor, bytes, count, flags);
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags)
{
    REAL(ssize_t, "recvmsg", int, struct msghdr *, int);
    enum faults_kind kind = decide(FAULTS_RECEIVE, HERE, "message");
    if (kind == FAULTS_ERROR) return -1;
    if (kind == FAULTS_END) return 0;
    return real(descriptor, message, flags);
}

void *mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t offset)
{
    REAL(void *, "mmap", void *, size_t, int, int, int, off_t);
    if (decide(FAULTS_MAP, HERE, descriptor < 0 ? "memory" : "file")) return MAP_FAILED;
    return real(address, size, protection, flags, descriptor, offset);
}

int close(int descriptor)
{
    REAL(int, "close", int);
    /* The descriptor is closed even if an error is reported. */
    if (is_file(descriptor) && decide(FAULTS_CLOSE, HERE, "file") == FAULTS_ERROR) {
        int error = errno;
        real(descriptor);
        errno = error;
        return -1;
    }
    return real(descriptor);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context)
{
    REAL(int, "pthread_create", pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    int error = errno;
    /* libdispatch would retry forever, so only threads that the program itself starts fail. */
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    if (caller < text_begin || caller >= text_end) return real(thread, attributes, body, context);
    if (decide(FAULTS_THREAD, HERE, "") == FAULTS_ERROR) {
        int result = errno;
        errno = error;
        return result;
    }
    return real(thread, attributes, body, context);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    REAL(int, "clock_gettime", clockid_t, struct timespec *);
    int result = real(clock, time);
    if (clock == CLOCK_REALTIME && decide(FAULTS_CLOCK, HERE, "") == FAULTS_JUMP) time->tv_sec += table->jump;
    return result;
}

struct dirent *readdir(DIR *folder)
{
    REAL(struct dirent *, "readdir", DIR *);
    return decide(FAULTS_READ, HERE, "folder") == FAULTS_ERROR ? NULL : real(folder);
}

DIR *opendir(const char *path)
{
    REAL(DIR *, "opendir", const char *);
    return decide(FAULTS_OPEN, HERE, path) ? NULL : real(path);
}

/* Defines a function that returns -1 on errors, and has no other results that a fault could change. */
#define FAILING(name, call, about, parameters, types, arguments) \
    int name parameters \
    { \
        static int(*real) types; \
        if (!real) real = (int(*) types)dlsym(RTLD_NEXT, #name); \
        return decide(call, HERE, about) == FAULTS_ERROR ? -1 : real arguments; \
    }

FAILING(rename, FAULTS_RENAME, to, (const char *from, const char *to), (const char *, const char *), (from, to))
FAILING(renameat, FAULTS_RENAME, to, (int one, const char *from, int other, const char *to), (int, const char *, int, const char *),
        (one, from, other, to))
FAILING(linkat, FAULTS_RENAME, to, (int one, const char *from, int other, const char *to, int flags),
        (int, const char *, int, const char *, int), (one, from, other, to, flags))
FAILING(unlink, FAULTS_REMOVE, path, (const char *path), (const char *), (path))
FAILING(unlinkat, FAULTS_REMOVE, path, (int folder, const char *path, int flags), (int, const char *, int), (folder, path, flags))
FAILING(rmdir, FAULTS_REMOVE, path, (const char *path), (const char *), (path))
FAILING(mkdir, FAULTS_FOLDER, path, (const char *path, mode_t mode), (const char *, mode_t), (path, mode))
FAILING(mkdirat, FAULTS_FOLDER, path, (int folder, const char *path, mode_t mode), (int, const char *, mode_t), (folder, path, mode))
FAILING(fsync, FAULTS_SYNC, "", (int descriptor), (int), (descriptor))
FAILING(ftruncate, FAULTS_LENGTH, "", (int descriptor, off_t length), (int, off_t), (descriptor, length))
FAILING(flock, FAULTS_LOCK, "", (int descriptor, int operation), (int, int), (descriptor, operation))
FAILING(socket, FAULTS_SOCKET, "", (int family, int type, int protocol), (int, int, int), (family, type, protocol))
FAILING(socketpair, FAULTS_SOCKET, "", (int family, int type, int protocol, int pair[2]), (int, int, int, int[2]),
        (family, type, protocol, pair))
FAILING(pipe2, FAULTS_SOCKET, "", (int pair[2], int flags), (int[2], int), (pair, flags))
FAILING(eventfd, FAULTS_SOCKET, "", (unsigned value, int flags), (unsigned, int), (value, flags))
FAILING(memfd_create, FAULTS_SOCKET, name, (const char *name, unsigned flags), (const char *, unsigned), (name, flags))
FAILING(connect, FAULTS_CONNECT, "", (int descriptor, const struct sockaddr *address, socklen_t size),
        (int, const struct sockaddr *, socklen_t), (descriptor, address, size))
FAILING(accept4, FAULTS_ACCEPT, "", (int descriptor, struct sockaddr *address, socklen_t *size, int flags),
        (int, struct sockaddr *, socklen_t *, int), (descriptor, address, size, flags))
FAILING(bind, FAULTS_BIND, "", (int descriptor, const struct sockaddr *address, socklen_t size),
        (int, const struct sockaddr *, socklen_t), (descriptor, address, size))
FAILING(listen, FAULTS_BIND, "", (int descriptor, int backlog), (int, int), (descriptor, backlog))
FAILING(poll, FAULTS_POLL, "", (struct pollfd *ready, nfds_t count, int timeout), (struct pollfd *, nfds_t, int),
        (ready, count, timeout))
FAILING(stat, FAULTS_STATUS, path, (const char *path, struct stat *status), (const char *, struct stat *), (path, status))
FAILING(lstat, FAULTS_STATUS, path, (const char *path, struct stat *status), (const char *, struct stat *), (path, status))
FAILING(fstat, FAULTS_STATUS, "", (int descriptor, struct stat *status), (int, struct stat *), (descriptor, status))
FAILING(fork, FAULTS_FORK, "", (void), (void), ())
FAILING(execve, FAULTS_EXECUTE, path, (const char *path, char *const words[], char *const variables[]),
        (const char *, char *const[], char *const[]), (path, words, variables))
