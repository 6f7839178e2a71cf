#pragma once
/* Its headers include those of ICU otherwise, and Foundation has another ICU, of the same names. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>

/* A macro with a cast that Swift does not import. */
static inline const char *synth_xml_text(const xmlChar *text) { return (const char *)text; }

/* What a named entity of HTML stands for; 0 = there is none of that name. */
static inline unsigned synth_html_entity(const char *name) {
  const htmlEntityDesc *entity = htmlEntityLookup((const xmlChar *)name);
  return entity ? entity->value : 0;
}
