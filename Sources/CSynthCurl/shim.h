#pragma once
#include <curl/curl.h>

/* Wrappers for variadic functions, which Swift cannot call. */
static inline CURLcode synth_curl_set_number(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode synth_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode synth_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}
/* Receives bytes and returns how many it accepted; any number other than `size * count` ends the transfer. */
typedef size_t (*synth_curl_take)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode synth_curl_set_take(CURL *easy, CURLoption option, synth_curl_take take) {
    return curl_easy_setopt(easy, option, take);
}
/* A wrapper because Swift does not import the macro. */
static inline CURLcode synth_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
