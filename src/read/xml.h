/* Reads XML into a tree of elements with their attributes, each with its span. Only what data files
 * need: character data, comments and processing instructions are passed over; document type
 * declarations, and with them entities of the file's own, are refused. */
#ifndef KS_READ_XML_H
#define KS_READ_XML_H

#include "base/diag.h"

typedef struct ks_xml_attribute {
    ks_str name, value;
    ks_span span; /* of the value, without its quotes */
} ks_xml_attribute;

typedef struct ks_xml ks_xml;

struct ks_xml {
    ks_str name;
    ks_span span; /* of the name in the opening tag */
    const ks_xml_attribute *attributes;
    size_t n_attributes;
    ks_xml *parent, *first, *last, *next; /* first and last child, next sibling */
};

/* Bounds for hostile input; attribute lengths in bytes. */
enum {
    KS_XML_MOST_BYTES = 4 << 20,
    KS_XML_MOST_DEPTH = 32,
    KS_XML_MOST_ELEMENTS = 20000,
    KS_XML_MOST_ATTRIBUTES = 64,
    KS_XML_LONGEST = 1024
};

/* The root element, or NULL after an error: X001, X002, X003. The source must outlive it. */
ks_xml *ks_read_xml(ks_diags *diags, const ks_source *source);

/* The attribute of this name, or NULL. */
const ks_xml_attribute *ks_xml_find(const ks_xml *element, const char *name);
/* The same; NULL after an error (X005). */
const ks_xml_attribute *ks_xml_need(ks_diags *diags, const ks_xml *element, const char *name);
/* True if the element has this name. */
bool ks_xml_is(const ks_xml *element, const char *name);

#endif
