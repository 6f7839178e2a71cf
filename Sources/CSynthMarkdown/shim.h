#pragma once
#include <dlfcn.h>
#include <md4c-html.h>
#include <md4c.h>
#include <stdbool.h>

/* The sonames of the libraries: md4c parses Markdown, and its HTML library converts named character references. */
static const char *const synth_markdown_library = "libmd4c.so.0";
static const char *const synth_markdown_page_library = "libmd4c-html.so.0";

/* Pointers to the functions in use, with the types from the headers. The module map does not link the libraries: they are loaded with
   dlopen when a Markdown document is first read, so that programs do not load them at startup. */
typedef struct synth_markdown {
    __typeof__(&md_parse) parse;
    __typeof__(&md_html) page;
} synth_markdown;

/* Looks up the functions in the two libraries opened with dlopen; returns false if one is missing. */
static inline bool synth_markdown_find(void *library, void *page_library, synth_markdown *functions) {
    functions->parse = (__typeof__(functions->parse))dlsym(library, "md_parse");
    functions->page = (__typeof__(functions->page))dlsym(page_library, "md_html");
    return functions->parse && functions->page;
}
