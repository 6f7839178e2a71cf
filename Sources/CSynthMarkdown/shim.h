#pragma once
#include <dlfcn.h>
#include <md4c-html.h>
#include <md4c.h>
#include <stdbool.h>

/* The libraries by the names that the linker would note: md4c reads Markdown, and the one of its pages knows the names of
   characters. */
static const char *const synth_markdown_library = "libmd4c.so.0";
static const char *const synth_markdown_page_library = "libmd4c-html.so.0";

/* The functions that are used, with the types of the headers. The map links nothing: the libraries are opened with dlopen
   when a Markdown document is read, so that the start of a program does not wait for them. */
typedef struct synth_markdown {
    __typeof__(&md_parse) parse;
    __typeof__(&md_html) page;
} synth_markdown;

/* Whether what dlopen returned for the two libraries has them. */
static inline bool synth_markdown_find(void *library, void *page_library, synth_markdown *functions) {
    functions->parse = (__typeof__(functions->parse))dlsym(library, "md_parse");
    functions->page = (__typeof__(functions->page))dlsym(page_library, "md_html");
    return functions->parse && functions->page;
}
