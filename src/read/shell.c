#include "read/shell.h"

#include <string.h>

enum { LONGEST_PLACEHOLDER = 64, LONGEST_EXPANSION = 4096 };

typedef struct splitter {
    ks_diags *diags;
    ks_shell *shell;
    ks_str text; /* of the source, up to the end of what is split */
    size_t at;
    char *bytes; /* of all words */
    size_t used;
    ks_shell_word word;
    size_t from; /* of the word that is open, in the source */
    bool open;   /* a word is being read */
    bool drop;   /* the next word is the target of a redirection */
    bool by_lines;
    bool joined; /* a line without a backslash before it has been joined */
    bool failed;
    ks_span before; /* the operator in front of the command that is being read */
    size_t first;   /* its first word */
} splitter;

static char peek(const splitter *s, size_t ahead)
{
    return s->at + ahead < s->text.n ? s->text.s[s->at + ahead] : '\0';
}

static ks_span span_of(const splitter *s, size_t from, size_t to)
{
    return (ks_span){s->shell->source, (uint32_t)from, (uint32_t)(to - from)};
}

static void fail(splitter *s, ks_span span, const char *what)
{
    if (!s->failed)
        ks_error(s->diags, KS_C002, span, "%s", what);
    s->failed = true;
}

static void open_word(splitter *s)
{
    if (s->open)
        return;
    s->open = true;
    s->from = s->at;
    s->word = (ks_shell_word){.at = s->used};
}

static void close_word(splitter *s)
{
    if (!s->open)
        return;
    s->open = false;
    if (s->drop) {
        s->drop = false;
        s->used = s->word.at;
        return;
    }
    s->word.text = (ks_str){s->bytes + s->word.at, s->used - s->word.at};
    s->word.span = span_of(s, s->from, s->at);
    if (s->shell->words.n == KS_MAX_WORDS) {
        fail(s, s->word.span, "more words than a command line can need");
        return;
    }
    *KS_PUSH(s->shell->arena, &s->shell->words) = s->word;
}

/* Takes the next `n` bytes into the word as they are. */
static void take(splitter *s, size_t n)
{
    open_word(s);
    for (; n && s->at < s->text.n; n--, s->at++) {
        s->shell->places[s->used] = (uint32_t)s->at;
        s->bytes[s->used++] = s->text.s[s->at];
    }
}

static void close_command(splitter *s, ks_span next)
{
    ks_shell *shell = s->shell;
    close_word(s);
    s->drop = false;
    if (shell->words.n == s->first) {
        if (next.source)
            s->before = next;
        return;
    }
    const ks_span last = shell->words.items[shell->words.n - 1].span;
    const ks_span begin = s->before.source ? s->before : shell->words.items[s->first].span;
    ks_shell_command *command = KS_PUSH(shell->arena, &shell->commands);
    *command = (ks_shell_command){s->first, shell->words.n - s->first,
                                  span_of(s, begin.at, (size_t)last.at + last.n)};
    s->first = shell->words.n;
    s->before = next;
}

/* Length of a line's end behind a backslash, blanks between them allowed, or 0. */
static size_t continuation(const splitter *s)
{
    size_t n = 1;
    while (peek(s, n) == ' ' || peek(s, n) == '\t' || peek(s, n) == '\r')
        n++;
    if (s->at + n >= s->text.n)
        return n;
    return peek(s, n) == '\n' ? n + 1 : 0;
}

static void read_backslash(splitter *s)
{
    size_t skip = continuation(s);
    if (skip) {
        /* A shell joins what stands directly before and after. */
        bool direct = peek(s, 1) == '\n' || (peek(s, 1) == '\r' && peek(s, 2) == '\n');
        if (!direct)
            close_word(s);
        s->at += skip;
        return;
    }
    open_word(s);
    s->word.quoted = true;
    s->at++;
    take(s, 1);
}

static void read_single_quotes(splitter *s)
{
    open_word(s);
    s->word.quoted = true;
    size_t end = ks_find_byte(s->text, '\'', s->at + 1);
    if (end == s->text.n) {
        fail(s, span_of(s, s->at, s->at + 1), "this quote is not closed");
        s->at = end;
        return;
    }
    s->at++;
    take(s, end - s->at);
    s->at = end + 1;
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Bytes up to and with the next `c`, from the one behind the present byte; 0 if it is not near. */
static size_t length_to(const splitter *s, char c)
{
    ks_str near = ks_slice(s->text, s->at + 1, s->at + LONGEST_EXPANSION);
    size_t n = ks_find_byte(near, c, 0);
    return n < near.n ? n + 2 : 0;
}

/* Length of `$NAME`, `${...}`, `$(...)`, `` `...` `` at the present byte; 0: an ordinary byte. */
static size_t expansion(const splitter *s)
{
    size_t n = 1;
    if (peek(s, 0) == '`')
        return length_to(s, '`');
    if (peek(s, 1) == '{')
        return length_to(s, '}');
    if (peek(s, 1) == '(') {
        size_t depth = 0;
        for (; n < LONGEST_EXPANSION && s->at + n < s->text.n; n++) {
            depth += peek(s, n) == '(';
            if (peek(s, n) == ')' && --depth == 0)
                return n + 1;
        }
        return 2;
    }
    if (peek(s, 1) && strchr("@*#?$!-", peek(s, 1)))
        return 2;
    while (is_name_byte(peek(s, n)))
        n++;
    return n > 1 ? n : 0;
}

static void note_variable(splitter *s, size_t n)
{
    if (!s->word.variable.source)
        s->word.variable = span_of(s, s->at, s->at + n);
}

static void read_expansion(splitter *s)
{
    size_t n = expansion(s);
    open_word(s);
    if (n)
        note_variable(s, n);
    take(s, n ? n : 1);
}

static void read_double_quotes(splitter *s)
{
    size_t begin = s->at;
    open_word(s);
    s->word.quoted = true;
    s->at++;
    while (s->at < s->text.n && peek(s, 0) != '"') {
        char c = peek(s, 0), next = peek(s, 1);
        if (c == '\\' && next == '\n')
            s->at += 2;
        else if (c == '\\' && next && strchr("\"\\$`", next)) {
            s->at++;
            take(s, 1);
        } else if (c == '$' || c == '`')
            read_expansion(s);
        else
            take(s, 1);
    }
    if (s->at >= s->text.n)
        fail(s, span_of(s, begin, begin + 1), "this quote is not closed");
    else
        s->at++;
}

/* `<your-model>` in place of a value is no redirection. Its length, or 0. */
static size_t placeholder(const splitter *s)
{
    size_t n = 1;
    char c = peek(s, 1);
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
        return 0;
    while (n < LONGEST_PLACEHOLDER &&
           (is_name_byte(peek(s, n)) || (peek(s, n) && strchr("./-", peek(s, n)))))
        n++;
    return peek(s, n) == '>' ? n + 1 : 0;
}

/* `>`, `<` and their kin; a number directly before belongs to them, the word behind is the target. */
static void read_redirection(splitter *s)
{
    bool number = s->open && !s->word.quoted && s->used > s->word.at;
    for (size_t i = s->word.at; number && i < s->used; i++)
        number = s->bytes[i] >= '0' && s->bytes[i] <= '9';
    if (number) {
        s->open = false;
        s->used = s->word.at;
    } else
        close_word(s);
    while (peek(s, 0) == '<' || peek(s, 0) == '>' || peek(s, 0) == '&')
        s->at++;
    /* `>&-` closes and has no target. */
    s->drop = !(s->text.s[s->at - 1] == '&' && peek(s, 0) == '-');
    if (peek(s, 0) == '|' || peek(s, 0) == '-')
        s->at++;
}

static void read_angle(splitter *s)
{
    size_t n = peek(s, 0) == '<' ? placeholder(s) : 0;
    if (!n) {
        read_redirection(s);
        return;
    }
    open_word(s);
    note_variable(s, n);
    take(s, n);
}

static void read_operator(splitter *s)
{
    size_t begin = s->at;
    char c = peek(s, 0);
    if (c == '&' && peek(s, 1) == '>') {
        read_redirection(s);
        return;
    }
    close_word(s);
    s->at++;
    if (c != '(' && c != ')' && (peek(s, 0) == c || (c == '|' && peek(s, 0) == '&')))
        s->at++;
    close_command(s, c == '(' || c == ')' ? (ks_span){0} : span_of(s, begin, s->at));
}

/* A command may not begin with a dash: such a line goes on with the one before, whose backslash was
 * lost when it was copied. */
static bool goes_on(splitter *s)
{
    size_t next = s->at + 1;
    while (next < s->text.n && s->text.s[next] && strchr(" \t\r", s->text.s[next]))
        next++;
    if (next >= s->text.n || s->text.s[next] != '-' || s->shell->words.n == s->first)
        return false;
    if (!s->joined) {
        ks_warning(s->diags, KS_C003, span_of(s, next, next + 1),
                   "this line is taken as going on with the one before");
        ks_add_note(s->diags, (ks_span){0}, "a shell wants a backslash at the end of that one");
    }
    s->joined = true;
    return true;
}

static void read_line_end(splitter *s)
{
    close_word(s);
    if (s->by_lines && !goes_on(s))
        close_command(s, (ks_span){0});
    s->at++;
}

/* A blank that does not break, as web pages have it, is a blank. */
static void read_other(splitter *s)
{
    if (peek(s, 0) != '\xc2' || peek(s, 1) != '\xa0') {
        take(s, 1);
        return;
    }
    close_word(s);
    s->at += 2;
}

static void read_byte(splitter *s)
{
    switch (peek(s, 0)) {
    case ' ':
    case '\t':
    case '\r':
        close_word(s);
        s->at++;
        break;
    case '\n':
        read_line_end(s);
        break;
    case '\\':
        read_backslash(s);
        break;
    case '\'':
        read_single_quotes(s);
        break;
    case '"':
        read_double_quotes(s);
        break;
    case '$':
        if (peek(s, 1) == '\'' || peek(s, 1) == '"')
            s->at++;
        else
            read_expansion(s);
        break;
    case '`':
        read_expansion(s);
        break;
    case '<':
    case '>':
        read_angle(s);
        break;
    case '&':
    case '|':
    case ';':
    case '(':
    case ')':
        read_operator(s);
        break;
    case '#':
        if (s->open)
            take(s, 1);
        else
            s->at = ks_find_byte(s->text, '\n', s->at);
        break;
    default:
        read_other(s);
    }
}

/* Bytes of the UTF-8 character at `at`; 0: none, or a control byte that no command line holds. */
static size_t character_length(ks_str text, size_t at)
{
    unsigned char c = (unsigned char)text.s[at];
    size_t n = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
    if (n == 1)
        return (c >= 0x20 && c != 0x7f) || c == '\t' || c == '\n' || c == '\r';
    for (size_t i = 1; i < n; i++)
        if (at + i >= text.n || ((unsigned char)text.s[at + i] & 0xc0) != 0x80)
            return 0;
    unsigned char next = n ? (unsigned char)text.s[at + 1] : 0;
    bool bad = (c == 0xe0 && next < 0xa0) || (c == 0xed && next > 0x9f) ||
               (c == 0xf0 && next < 0x90) || (c == 0xf4 && next > 0x8f);
    return bad ? 0 : n;
}

static void check_bytes(splitter *s)
{
    for (size_t at = s->at, n; at < s->text.n && !s->failed; at += n) {
        n = character_length(s->text, at);
        if (!n)
            fail(s, span_of(s, at, at + 1), "not a character of UTF-8, or a control character");
    }
}

bool ks_split_words(ks_diags *diags, ks_span text, bool by_lines, ks_shell *shell)
{
    ks_arena *arena = diags->arena;
    *shell = (ks_shell){.arena = arena, .source = text.source};
    splitter s = {.diags = diags, .shell = shell, .at = text.at, .by_lines = by_lines};
    if (text.n > KS_MAX_COMMAND) {
        fail(&s, ks_span_part(text, 0, 1), "a command line holds at most 64 KiB");
        return false;
    }
    s.text = ks_slice(text.source->text, 0, (size_t)text.at + text.n);
    s.bytes = ks_alloc(arena, (size_t)text.n + 1, 1);
    shell->places = KS_NEW_ARRAY(arena, uint32_t, (size_t)text.n + 1);
    check_bytes(&s);
    while (s.at < s.text.n && !s.failed)
        read_byte(&s);
    close_command(&s, (ks_span){0});
    return !s.failed;
}

ks_doc *ks_word_part(const ks_shell *shell, const ks_shell_word *word, size_t from, size_t to)
{
    ks_doc *doc = KS_NEW(shell->arena, ks_doc);
    *doc = (ks_doc){.kind = KS_SCALAR,
                    .text = ks_slice(word->text, from, to),
                    .quoted = word->quoted,
                    .span = {shell->source, word->span.at + word->span.n, 0}};
    if (doc->text.n) {
        const uint32_t *places = shell->places + word->at;
        doc->span.at = places[from];
        doc->span.n = places[from + doc->text.n - 1] + 1 - places[from];
    } else if (word->quoted && word->span.n)
        doc->span.at--;
    doc->exact = doc->text.n == doc->span.n;
    return doc;
}

static bool is_plain_word(ks_str word)
{
    for (size_t i = 0; i < word.n; i++)
        if (!is_name_byte(word.s[i]) && !strchr("-+=./,:@%", word.s[i]))
            return false;
    return word.n > 0;
}

ks_str ks_join_words(ks_arena *arena, const char *const *words, size_t n)
{
    ks_builder b = {.arena = arena};
    for (size_t i = 0; i < n; i++) {
        ks_str rest = ks_from_c(words[i]);
        if (i)
            ks_add(&b, KS_STR(" "));
        if (is_plain_word(rest)) {
            ks_add(&b, rest);
            continue;
        }
        ks_add(&b, KS_STR("'"));
        while (rest.n) {
            size_t quote = ks_find_byte(rest, '\'', 0);
            ks_add(&b, ks_slice(rest, 0, quote));
            if (quote < rest.n)
                ks_add(&b, KS_STR("'\\''"));
            rest = ks_slice(rest, quote + 1, rest.n);
        }
        ks_add(&b, KS_STR("'"));
    }
    return ks_built(&b);
}
