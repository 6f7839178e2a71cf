#pragma once
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <dlfcn.h>
#include <stdbool.h>

/* The libraries by the names that the linker would note. They carry the whole version. Here, because Swift does not join
   strings of macros. */
static const char *const synth_cmark_library = "libcmark-gfm.so." CMARK_GFM_VERSION_STRING;
static const char *const synth_cmark_extensions_library = "libcmark-gfm-extensions.so." CMARK_GFM_VERSION_STRING;

/* The functions that are used, with the types of the header. The map links nothing: the libraries are opened with dlopen
   when a Markdown document is read, so that the start of a program does not wait for them. */
typedef struct synth_cmark {
    __typeof__(&cmark_gfm_core_extensions_ensure_registered) register_extensions;
    __typeof__(&cmark_find_syntax_extension) find_extension;
    __typeof__(&cmark_parser_attach_syntax_extension) attach_extension;
    __typeof__(&cmark_parser_new) parser_new;
    __typeof__(&cmark_parser_feed) parser_feed;
    __typeof__(&cmark_parser_finish) parser_finish;
    __typeof__(&cmark_parser_free) parser_free;
    __typeof__(&cmark_node_free) node_free;
    __typeof__(&cmark_render_html) render_html;
    __typeof__(&cmark_get_default_mem_allocator) allocator;
    __typeof__(&cmark_node_next) node_next;
    __typeof__(&cmark_node_parent) node_parent;
    __typeof__(&cmark_node_first_child) node_first_child;
    __typeof__(&cmark_node_get_type) node_type;
    __typeof__(&cmark_node_get_type_string) node_type_name;
    __typeof__(&cmark_node_get_literal) node_literal;
    __typeof__(&cmark_node_get_start_line) node_start_line;
    __typeof__(&cmark_node_get_start_column) node_start_column;
    __typeof__(&cmark_node_get_end_line) node_end_line;
    __typeof__(&cmark_node_get_list_type) list_type;
    __typeof__(&cmark_node_get_list_start) list_start;
    __typeof__(&cmark_node_get_list_tight) list_tight;
} synth_cmark;

#define SYNTH_FIND(field, name) ((functions->field = (__typeof__(functions->field))dlsym(library, name)) != NULL)

/* Whether what dlopen returned for the library of extensions, which brings the other one, has all of them. */
static inline bool synth_cmark_find(void *library, synth_cmark *functions) {
    return SYNTH_FIND(register_extensions, "cmark_gfm_core_extensions_ensure_registered") &&
           SYNTH_FIND(find_extension, "cmark_find_syntax_extension") &&
           SYNTH_FIND(attach_extension, "cmark_parser_attach_syntax_extension") &&
           SYNTH_FIND(parser_new, "cmark_parser_new") && SYNTH_FIND(parser_feed, "cmark_parser_feed") &&
           SYNTH_FIND(parser_finish, "cmark_parser_finish") && SYNTH_FIND(parser_free, "cmark_parser_free") &&
           SYNTH_FIND(render_html, "cmark_render_html") &&
           SYNTH_FIND(allocator, "cmark_get_default_mem_allocator") &&
           SYNTH_FIND(node_free, "cmark_node_free") && SYNTH_FIND(node_next, "cmark_node_next") &&
           SYNTH_FIND(node_parent, "cmark_node_parent") &&
           SYNTH_FIND(node_first_child, "cmark_node_first_child") &&
           SYNTH_FIND(node_type, "cmark_node_get_type") &&
           SYNTH_FIND(node_type_name, "cmark_node_get_type_string") &&
           SYNTH_FIND(node_literal, "cmark_node_get_literal") &&
           SYNTH_FIND(node_start_line, "cmark_node_get_start_line") &&
           SYNTH_FIND(node_start_column, "cmark_node_get_start_column") &&
           SYNTH_FIND(node_end_line, "cmark_node_get_end_line") &&
           SYNTH_FIND(list_type, "cmark_node_get_list_type") &&
           SYNTH_FIND(list_start, "cmark_node_get_list_start") &&
           SYNTH_FIND(list_tight, "cmark_node_get_list_tight");
}

#undef SYNTH_FIND
