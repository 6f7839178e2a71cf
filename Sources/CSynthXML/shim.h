#pragma once
/* Keeps libxml2's headers from including ICU's headers: Foundation contains another ICU with the same names. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>

/* Replaces a cast macro that Swift does not import. */
static inline const char *synth_xml_text(const xmlChar *text) { return (const char *)text; }

/* The code point of a named HTML entity; 0 if the name is unknown. */
static inline unsigned synth_html_entity(const char *name) {
  const htmlEntityDesc *entity = htmlEntityLookup((const xmlChar *)name);
  return entity ? entity->value : 0;
}
