#include "read/xml.h"

#include <expat.h>

typedef struct reader {
    ks_arena *arena;
    ks_diags *diags;
    const ks_source *source;
    XML_Parser parser;
    ks_xml *root, *open; /* the innermost element that is open */
    size_t depth, elements;
    bool failed;
} reader;

static void stop(reader *r, enum ks_code code, ks_span span, const char *text)
{
    if (!r->failed)
        ks_error(r->diags, code, span, "%s", text);
    r->failed = true;
    XML_StopParser(r->parser, XML_FALSE);
}

/* Where expat is: the event's text. */
static ks_span event_span(const reader *r)
{
    size_t n = r->source->text.n;
    XML_Index index = XML_GetCurrentByteIndex(r->parser);
    size_t at = index < 0 ? n : (size_t)index < n ? (size_t)index : n;
    size_t length = (size_t)XML_GetCurrentByteCount(r->parser);
    length = length < n - at ? length : n - at;
    return (ks_span){r->source, (uint32_t)at, (uint32_t)length};
}

/* The span of the next attribute's value in an opening tag, from *at on; expat has checked that the
 * tag is well formed. */
static ks_span next_value(ks_span tag, size_t *at)
{
    ks_str text = ks_slice(tag.source->text, tag.at, (size_t)tag.at + tag.n);
    size_t i = *at;
    while (i < text.n && text.s[i] != '"' && text.s[i] != '\'')
        i++;
    size_t from = i < text.n ? i + 1 : i;
    size_t to = i < text.n ? ks_find_byte(text, text.s[i], from) : from;
    *at = to + 1;
    return ks_span_part(tag, from, to - from);
}

static bool read_attributes(reader *r, ks_xml *element, ks_span tag, const XML_Char **pairs)
{
    size_t n = 0, at = 1 + element->name.n;
    while (pairs[2 * n])
        n++;
    if (n > KS_XML_MOST_ATTRIBUTES) {
        stop(r, KS_X002, element->span, "more attributes than an element of this kind can need");
        return false;
    }
    ks_xml_attribute *list = KS_NEW_ARRAY(r->arena, ks_xml_attribute, n);
    for (size_t i = 0; i < n; i++) {
        ks_str name = ks_from_c(pairs[2 * i]), value = ks_from_c(pairs[2 * i + 1]);
        list[i].span = next_value(tag, &at);
        if (name.n > KS_XML_LONGEST || value.n > KS_XML_LONGEST) {
            stop(r, KS_X002, list[i].span, "an attribute is longer than any that is needed");
            return false;
        }
        list[i].name = ks_copy(r->arena, name);
        list[i].value = ks_copy(r->arena, value);
    }
    element->attributes = list;
    element->n_attributes = n;
    return true;
}

static void XMLCALL begin_element(void *context, const XML_Char *name, const XML_Char **pairs)
{
    reader *r = context;
    ks_span tag = event_span(r);
    ks_str text = ks_from_c(name);
    ks_span span = ks_span_part(tag, tag.n ? 1 : 0, text.n < tag.n ? text.n : 0);
    if (r->failed)
        return;
    if (++r->depth > KS_XML_MOST_DEPTH || ++r->elements > KS_XML_MOST_ELEMENTS ||
        text.n > KS_XML_LONGEST) {
        stop(r, KS_X002, span, "deeper, or with more elements, than a file of this kind can need");
        return;
    }
    ks_xml *element = KS_NEW(r->arena, ks_xml);
    element->name = ks_copy(r->arena, text);
    element->span = span;
    element->parent = r->open;
    if (!read_attributes(r, element, tag, pairs))
        return;
    if (!r->open)
        r->root = element;
    else if (r->open->last)
        r->open->last = r->open->last->next = element;
    else
        r->open->first = r->open->last = element;
    r->open = element;
}

static void XMLCALL end_element(void *context, const XML_Char *name)
{
    reader *r = context;
    (void)name;
    if (r->failed || !r->open)
        return;
    r->open = r->open->parent;
    r->depth--;
}

static void XMLCALL refuse_doctype(void *context, const XML_Char *name, const XML_Char *system_id,
                                   const XML_Char *public_id, int has_subset)
{
    reader *r = context;
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_subset;
    stop(r, KS_X003, event_span(r), "document type declarations are not taken");
}

static void delete_parser(void *object)
{
    XML_ParserFree(object);
}

static void fail_syntax(reader *r)
{
    ks_span span = event_span(r);
    if (r->failed)
        return;
    span.n = span.at < r->source->text.n ? 1 : 0;
    ks_error(r->diags, KS_X001, span, "not XML: %s", XML_ErrorString(XML_GetErrorCode(r->parser)));
    r->failed = true;
}

ks_xml *ks_read_xml(ks_diags *diags, const ks_source *source)
{
    reader r = {.arena = diags->arena, .diags = diags, .source = source};
    if (source->text.n > KS_XML_MOST_BYTES) {
        ks_error(diags, KS_X002, (ks_span){source, 0, 0},
                 "the text is larger than a file of this kind can be");
        return NULL;
    }
    /* The encoding is named here, so that the file cannot choose one in which spans are no bytes. */
    r.parser = XML_ParserCreate("UTF-8");
    if (!r.parser) {
        ks_error(diags, KS_X002, (ks_span){source, 0, 0}, "there is no memory to read this");
        return NULL;
    }
    ks_cleanup *cleanup = ks_defer(diags->arena, delete_parser, r.parser);
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, begin_element, end_element);
    XML_SetStartDoctypeDeclHandler(r.parser, refuse_doctype);
    const char *text = source->text.n ? source->text.s : "";
    if (XML_Parse(r.parser, text, (int)source->text.n, XML_TRUE) != XML_STATUS_OK)
        fail_syntax(&r);
    ks_finish(diags->arena, cleanup);
    return r.failed ? NULL : r.root;
}

const ks_xml_attribute *ks_xml_find(const ks_xml *element, const char *name)
{
    for (size_t i = 0; i < element->n_attributes; i++)
        if (ks_equal_c(element->attributes[i].name, name))
            return &element->attributes[i];
    return NULL;
}

const ks_xml_attribute *ks_xml_need(ks_diags *diags, const ks_xml *element, const char *name)
{
    const ks_xml_attribute *a = ks_xml_find(element, name);
    if (!a)
        ks_error(diags, KS_X005, element->span, "<%.*s> has no \"%s\"", KS_ARG(element->name),
                 name);
    return a;
}

bool ks_xml_is(const ks_xml *element, const char *name)
{
    return ks_equal_c(element->name, name);
}
