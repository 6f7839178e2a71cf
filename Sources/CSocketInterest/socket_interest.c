#define _GNU_SOURCE
#include "socket_interest.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>

/* From libcurl's interface, whose numbers never change. Its header need not be installed to build with Foundation. */
enum { UNKNOWN_OPTION = 6, SOCKET_FUNCTION = 20001, POLL_REMOVE = 4 };
typedef int socket_function(void *easy, int socket, int what, void *context, void *assigned);
typedef int setopt_function(void *multi, int option, ...);

/* Foundation's function. It is the same for every session, and each sets it before its first connection. */
static socket_function *foundation;

/* `assigned` holds the event sources that Foundation has attached to the socket. libcurl calls this only if something
   has changed. */
static int change(void *easy, int socket, int what, void *context, void *assigned) {
    if (assigned && what != POLL_REMOVE) {
        foundation(easy, socket, POLL_REMOVE, context, assigned);
        assigned = NULL;
    }
    return foundation(easy, socket, what, context, assigned);
}

/* Every option takes one argument of the size of a pointer. */
int curl_multi_setopt(void *multi, int option, ...) {
    va_list rest;
    va_start(rest, option);
    void *value = va_arg(rest, void *);
    va_end(rest);
    setopt_function *original = (setopt_function *)dlsym(RTLD_NEXT, "curl_multi_setopt");
    if (!original) return UNKNOWN_OPTION;
    if (option == SOCKET_FUNCTION && value) {
        foundation = (socket_function *)value;
        value = (void *)change;
    }
    return original(multi, option, value);
}
