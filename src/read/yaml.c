#include "read/yaml.h"

#include "base/table.h"

#include <yaml.h>

typedef struct reader {
    ks_arena *arena;
    ks_diags *diags;
    const ks_source *source;
    yaml_parser_t parser;
    yaml_event_t event;
    size_t cursor_index, cursor_at; /* libyaml counts characters; we count bytes */
    bool ascii;                     /* which is the same here */
    size_t mark;                    /* length of the byte order mark, which libyaml does not see */
    size_t nodes;
    bool failed;
} reader;

enum { SMALL_MAP = 16 };

typedef struct level {
    ks_doc *doc;
    ks_str key; /* map: the key whose value comes next */
    ks_span key_span;
    bool has_key;
    ks_table keys;
} level;

static bool continues_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Byte offset of character `index`, walking on from (*from_index, *from_at). */
static size_t advance(const reader *r, size_t from_index, size_t from_at, size_t index)
{
    ks_str text = r->source->text;
    if (r->ascii)
        return index < text.n ? index : text.n;
    while (from_index < index && from_at < text.n) {
        from_at++;
        while (from_at < text.n && continues_character(text.s[from_at]))
            from_at++;
        from_index++;
    }
    return from_at;
}

static ks_span span_between(reader *r, yaml_mark_t start, yaml_mark_t end, bool with_end)
{
    if (start.index >= r->cursor_index) {
        r->cursor_at = advance(r, r->cursor_index, r->cursor_at, start.index);
        r->cursor_index = start.index;
    }
    size_t to = with_end ? advance(r, r->cursor_index, r->cursor_at, end.index) : r->cursor_at + 1;
    return (ks_span){r->source, (uint32_t)r->cursor_at, (uint32_t)(to - r->cursor_at)};
}

static void fail(reader *r, enum ks_code code, ks_span span, const char *text)
{
    if (!r->failed)
        ks_error(r->diags, code, span, "%s", text);
    r->failed = true;
}

/* Reports what libyaml could not read. */
static void fail_syntax(reader *r)
{
    ks_span span = span_between(r, r->parser.problem_mark, r->parser.problem_mark, false);
    bool encoding = r->parser.error == YAML_READER_ERROR;
    if (encoding) {
        size_t at = r->mark + r->parser.problem_offset;
        at = at < r->source->text.n ? at : 0;
        span = (ks_span){r->source, (uint32_t)at, 1};
    }
    if (!r->failed)
        ks_error(r->diags, KS_Y002, span, "not YAML: %s%s%s",
                 r->parser.context ? r->parser.context : "", r->parser.context ? ": " : "",
                 r->parser.problem ? r->parser.problem : "the text ends too early");
    if (!encoding && !r->failed && r->parser.problem && span.at < r->source->text.n &&
        r->source->text.s[span.at] == '\t')
        ks_add_note(r->diags, (ks_span){0}, "indent with blanks, not with tabs");
    r->failed = true;
}

static bool next_event(reader *r)
{
    yaml_event_delete(&r->event);
    if (!yaml_parser_parse(&r->parser, &r->event)) {
        fail_syntax(r);
        return false;
    }
    return true;
}

static void delete_parser(void *object)
{
    reader *r = object;
    yaml_event_delete(&r->event);
    yaml_parser_delete(&r->parser);
}

static ks_doc *new_doc(reader *r, enum ks_doc_kind kind, ks_span span)
{
    ks_doc *doc = KS_NEW(r->arena, ks_doc);
    doc->kind = kind;
    doc->span = span;
    if (++r->nodes > KS_MAX_NODES)
        fail(r, KS_Y005, span, "more values than a file of this kind can need");
    return doc;
}

/* True if the bytes at span read as the scalar's text, a run of blanks being one blank. */
static bool reads_as(ks_span span, ks_str text)
{
    ks_str raw = ks_slice(span.source->text, span.at, (size_t)span.at + span.n);
    size_t i = 0, j = 0;
    while (i < raw.n && j < text.n) {
        if (raw.s[i] == '\n' || raw.s[i] == '\r') {
            while (i < raw.n && (raw.s[i] == ' ' || raw.s[i] == '\n' || raw.s[i] == '\r'))
                i++;
            if (text.s[j++] != ' ')
                return false;
        } else if (raw.s[i++] != text.s[j++]) {
            return false;
        }
    }
    return i == raw.n && j == text.n;
}

static ks_doc *scalar_doc(reader *r)
{
    yaml_event_t *e = &r->event;
    ks_span span = span_between(r, e->start_mark, e->end_mark, true);
    if (e->data.scalar.anchor || (e->data.scalar.tag && e->data.scalar.tag[0]))
        fail(r, KS_Y004, span, "anchors and tags are not taken here: write the value itself");
    yaml_scalar_style_t style = e->data.scalar.style;
    bool in_quotes = style == YAML_SINGLE_QUOTED_SCALAR_STYLE ||
                     style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    if (in_quotes && span.n >= 2)
        span = ks_span_part(span, 1, span.n - 2);
    ks_doc *doc = new_doc(r, KS_SCALAR, span);
    doc->text = ks_copy(r->arena, (ks_str){(char *)e->data.scalar.value, e->data.scalar.length});
    doc->quoted = style != YAML_PLAIN_SCALAR_STYLE;
    doc->exact = reads_as(span, doc->text);
    return doc;
}

/* Index of the member with this key, or KS_ABSENT. Small maps are searched; the table of a larger
 * one holds its members but for the first few. */
static int find_key(const level *top, ks_str key)
{
    size_t n = top->doc->n < SMALL_MAP ? top->doc->n : SMALL_MAP;
    for (size_t i = 0; i < n; i++)
        if (ks_equal(top->doc->items[i].key, key))
            return (int)i;
    return ks_table_get(&top->keys, key);
}

/* Puts `value` into the list or map at `top`. In a map, scalars are keys by turns. */
static void place(reader *r, level *top, ks_doc *value)
{
    if (top->doc->kind == KS_MAP && !top->has_key) {
        if (value->kind != KS_SCALAR) {
            fail(r, KS_S003, value->span, "a key must be a single word");
            return;
        }
        int before = find_key(top, value->text);
        if (before != KS_ABSENT && !r->failed) {
            ks_error(r->diags, KS_Y003, value->span, "\"%.*s\" is there twice",
                     KS_ARG(value->text));
            ks_add_note(r->diags, top->doc->items[before].key_span, "first written here");
            r->failed = true;
        }
        top->key = value->text;
        top->key_span = value->span;
        top->has_key = true;
        return;
    }
    if (top->doc->kind == KS_MAP && top->doc->n >= SMALL_MAP)
        ks_table_put(&top->keys, top->key, (int)top->doc->n);
    ks_member *member = KS_PUSH(r->arena, top->doc);
    *member = (ks_member){top->key, top->key_span, value};
    if (top->doc->kind == KS_LIST)
        member->key_span = value->span;
    top->has_key = false;
}

static void open_level(reader *r, level *stack, size_t *depth, enum ks_doc_kind kind)
{
    yaml_event_t *e = &r->event;
    ks_span span = span_between(r, e->start_mark, e->end_mark, false);
    bool tagged = kind == KS_MAP
                      ? e->data.mapping_start.anchor || e->data.mapping_start.tag
                      : e->data.sequence_start.anchor || e->data.sequence_start.tag;
    if (tagged)
        fail(r, KS_Y004, span, "anchors and tags are not taken here: write the value itself");
    if (*depth == KS_MAX_DEPTH) {
        fail(r, KS_Y005, span, "nested too deeply");
        return;
    }
    ks_doc *doc = new_doc(r, kind, span);
    if (*depth)
        place(r, &stack[*depth - 1], doc);
    stack[(*depth)++] = (level){.doc = doc, .keys = {.arena = r->arena}};
}

/* Handles one event inside the document; returns the finished document or NULL. */
static ks_doc *take_event(reader *r, level *stack, size_t *depth)
{
    ks_doc *done = NULL;
    switch ((int)r->event.type) {
    case YAML_ALIAS_EVENT:
        fail(r, KS_Y004, span_between(r, r->event.start_mark, r->event.end_mark, true),
             "aliases are not taken here: write the value itself");
        break;
    case YAML_SCALAR_EVENT:
        if (*depth)
            place(r, &stack[*depth - 1], scalar_doc(r));
        else
            done = scalar_doc(r);
        break;
    case YAML_SEQUENCE_START_EVENT:
        open_level(r, stack, depth, KS_LIST);
        break;
    case YAML_MAPPING_START_EVENT:
        open_level(r, stack, depth, KS_MAP);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        done = stack[--*depth].doc;
        done = *depth ? NULL : done;
        break;
    default:
        break;
    }
    return done;
}

static ks_doc *read_root(reader *r)
{
    level *stack = KS_NEW_ARRAY(r->arena, level, KS_MAX_DEPTH);
    size_t depth = 0;
    ks_doc *root = NULL;
    while (!root && !r->failed && next_event(r) && r->event.type != YAML_STREAM_END_EVENT)
        root = take_event(r, stack, &depth);
    return root;
}

/* After the document there must be no other. */
static void check_end(reader *r)
{
    while (!r->failed && next_event(r) && r->event.type != YAML_STREAM_END_EVENT)
        if (r->event.type == YAML_DOCUMENT_START_EVENT)
            fail(r, KS_Y006, span_between(r, r->event.start_mark, r->event.end_mark, true),
                 "a second document begins here; a file holds one");
}

static bool is_ascii(ks_str text)
{
    unsigned char bits = 0;
    for (size_t i = 0; i < text.n; i++)
        bits |= (unsigned char)text.s[i];
    return bits < 0x80;
}

ks_doc *ks_read_yaml(ks_diags *diags, const ks_source *source)
{
    ks_str text = source->text;
    ks_span start = {source, 0, 1};
    if (text.n > KS_MAX_FILE) {
        ks_error(diags, KS_Y005, start, "larger than 4 MiB");
        return NULL;
    }
    reader *r = KS_NEW(diags->arena, reader);
    *r = (reader){.arena = diags->arena, .diags = diags, .source = source};
    /* First the cleanup, which may find the arena full; a parser of zeroes may be deleted. */
    ks_cleanup *cleanup = ks_defer(diags->arena, delete_parser, r);
    if (!yaml_parser_initialize(&r->parser)) {
        ks_error(diags, KS_Y001, start, "no memory for the YAML reader");
        ks_finish(diags->arena, cleanup);
        return NULL;
    }
    size_t mark = ks_starts_with(text, KS_STR("\xef\xbb\xbf")) ? 3 : 0;
    r->ascii = is_ascii(text);
    r->cursor_at = r->mark = mark;
    yaml_parser_set_encoding(&r->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r->parser, (const unsigned char *)(text.s ? text.s + mark : ""),
                                 text.n - mark);
    ks_doc *root = read_root(r);
    if (!root)
        fail(r, KS_Y006, start, "the file is empty");
    check_end(r);
    bool failed = r->failed;
    ks_finish(diags->arena, cleanup);
    return failed ? NULL : root;
}

ks_str ks_yaml_quoted(ks_arena *arena, ks_str text)
{
    ks_builder b = {.arena = arena};
    ks_add(&b, KS_STR("\""));
    for (size_t i = 0; i < text.n; i++) {
        unsigned char byte = (unsigned char)text.s[i];
        if (byte == '"' || byte == '\\')
            ks_addf(&b, "\\%c", byte);
        else
            ks_addf(&b, "%c", byte < 0x20 || byte > 0x7e ? '?' : byte);
    }
    ks_add(&b, KS_STR("\""));
    return ks_built(&b);
}
