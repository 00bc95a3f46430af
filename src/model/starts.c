#include "model/starts.h"

#include <math.h>
#include <string.h>

/* Where a text stands that is read in parts: in how many brackets, in which quotes. */
typedef struct brackets {
    size_t depth;
    char quote; /* 0: none */
    bool escaped;
} brackets;

struct ks_start_reader {
    const ks_log_signs *signs;
    ks_log_reader *lines;
    ks_arena *arena;
    size_t wanted, n;
    ks_start *now, *chosen, *spare; /* three that take turns, so that memory does not grow */
    ks_log_name version, gpu;       /* the newest */
    brackets brackets;              /* of the flags, as far as they were read */
};

/* Free memory that goes up by more than this was given back. */
static const double given_back = 0.3 * 1073741824.0;

/* ---- Signs. ---------------------------------------------------------------------------------------- */

void ks_add_log_sign(ks_log_signs *signs, ks_str text, ks_log_sign sign)
{
    ks_log_pattern pattern;
    int known = ks_find_log_sign(signs, text);
    if (known >= 0) {
        ks_log_sign *old = &signs->signs.items[known];
        old->ends |= sign.ends;
        old->begins |= sign.begins;
        old->flags |= sign.flags;
        old->some_flags |= sign.some_flags;
        old->step &= sign.step;
        old->free_at = old->free_at >= 0 ? old->free_at : sign.free_at;
        return;
    }
    if (!ks_log_pattern_of(signs->arena, text, &pattern))
        return;
    pattern.may_be_cut = sign.role == KS_ROLE_CHECK;
    ks_table_put(&signs->by_text, text, (int)signs->patterns.n);
    *KS_PUSH(signs->arena, &signs->patterns) = pattern;
    *KS_PUSH(signs->arena, &signs->signs) = sign;
}

int ks_find_log_sign(const ks_log_signs *signs, ks_str text)
{
    return ks_table_get(&signs->by_text, text);
}

static bool is_free_reading(const ks_engine *engine, ks_str quantity)
{
    for (size_t i = 0; i < engine->phases.n; i++)
        if (ks_equal(engine->phases.items[i].free_name, quantity))
            return true;
    return false;
}

/* Which of a pattern's numbers is a reading of free memory. */
static int free_number(const ks_engine *engine, const ks_log_pattern *pattern)
{
    int number = 0;
    for (size_t i = 0; i < pattern->n; i++) {
        if (pattern->items[i].kind != KS_LOG_NUMBER)
            continue;
        if (is_free_reading(engine, pattern->items[i].text))
            return number;
        number++;
    }
    return -1;
}

bool ks_is_never_printed(const ks_log_line *line)
{
    const ks_doc *when = ks_member_of(line->row, "when");
    return when && ks_equal_c(when->text, "false");
}

static void add_profile(ks_log_signs *signs, const ks_engine *engine)
{
    size_t last = 0;
    for (size_t i = 0; i < engine->log.n; i++)
        last = engine->log.items[i].phase > last ? engine->log.items[i].phase : last;
    for (size_t i = 0; i < engine->log.n; i++) {
        const ks_log_line *line = &engine->log.items[i];
        ks_log_pattern pattern;
        if (ks_is_never_printed(line) || !ks_log_pattern_of(signs->arena, line->text.text, &pattern))
            continue;
        ks_log_sign sign = {.role = KS_ROLE_LINE, .flags = line->tells == KS_TELLS_FLAGS,
                            .some_flags = line->tells == KS_TELLS_SOME_FLAGS,
                            .step = line->tells == KS_TELLS_STEP,
                            .ends = line->phase == last || line->tells == KS_TELLS_END};
        sign.begins = line->phase == 0 && pattern.n_numbers == 0 && !sign.flags && !sign.some_flags;
        sign.free_at = free_number(engine, &pattern);
        ks_add_log_sign(signs, line->text.text, sign);
    }
    for (size_t i = 0; i < engine->checks.n; i++)
        ks_add_log_sign(signs, engine->checks.items[i].message_text.text,
                        (ks_log_sign){.role = KS_ROLE_CHECK, .free_at = -1});
}

ks_log_signs *ks_log_signs_new(ks_arena *arena, const ks_log_profile *profiles, size_t n)
{
    ks_log_signs *signs = KS_NEW(arena, ks_log_signs);
    signs->arena = signs->by_text.arena = arena;
    signs->profiles = profiles;
    signs->n_profiles = n;
    for (size_t i = 0; i < n; i++)
        add_profile(signs, &profiles[i].read);
    return signs;
}

/* ---- Starts. --------------------------------------------------------------------------------------- */

static ks_start *new_start(ks_arena *arena)
{
    ks_start *start = KS_NEW(arena, ks_start);
    start->flags = KS_NEW_ARRAY(arena, char, KS_LOG_LINE);
    start->pieces = KS_NEW_ARRAY(arena, char, KS_PIECES);
    return start;
}

/* Makes a start empty; its memory stays. */
static void clear_start(ks_start *start)
{
    start->sightings.n = start->numbers.n = start->places.n = 0;
    start->first_line = start->last_line = start->flags_line = start->flags_n = 0;
    start->date = 0;
    start->flags_cut = start->failed = start->complete = false;
}

static bool is_empty(const ks_start *start)
{
    return start->sightings.n == 0;
}

/* The place of a rank in a start's list; the list's length if it is full. */
static size_t place_of(ks_start_reader *r, ks_start *start, ks_log_rank tags)
{
    size_t n_patterns = r->signs->patterns.n;
    for (size_t i = 0; i < start->places.n; i++) {
        const ks_log_rank *t = &start->places.items[i].tags;
        if (t->tp == tags.tp && t->pp == tags.pp && t->dp == tags.dp)
            return i;
    }
    if (start->places.n == KS_MOST_PLACES)
        return KS_MOST_PLACES;
    /* A place that was used before has its arrays still; a new one is zeroed. */
    ks_log_place *place = KS_PUSH(r->arena, &start->places);
    unsigned char *seen = place->seen ? place->seen : KS_NEW_ARRAY(r->arena, unsigned char, n_patterns);
    double *first = place->seen ? place->first : KS_NEW_ARRAY(r->arena, double, n_patterns);
    memset(seen, 0, n_patterns);
    *place = (ks_log_place){.tags = tags, .last_free = (double)NAN, .seen = seen, .first = first};
    return start->places.n - 1;
}

/* What a start remembers of a rank, after one more of its lines. */
static void note(const ks_log_signs *signs, ks_log_place *place, size_t pattern,
                 const ks_log_number *numbers)
{
    const ks_log_sign *sign = &signs->signs.items[pattern];
    if (sign->free_at < 0)
        return;
    double free = numbers[sign->free_at].value;
    if (!place->seen[pattern]) {
        place->first[pattern] = free;
        place->n_kinds++;
    }
    place->seen[pattern] = 1;
    place->last_free = free;
}

/* Adds a sighting that is filled but for where its numbers are. */
static void add_sighting(ks_start_reader *r, ks_start *start, ks_sighting s,
                         const ks_log_number *numbers)
{
    const ks_log_sign *sign = &r->signs->signs.items[s.pattern];
    if (start->sightings.n >= KS_MOST_SIGHTINGS)
        return;
    s.numbers = (uint32_t)start->numbers.n;
    *KS_PUSH(r->arena, &start->sightings) = s;
    for (size_t i = 0; i < s.n_numbers; i++)
        *KS_PUSH(r->arena, &start->numbers) = numbers[i];
    start->first_line = start->first_line ? start->first_line : s.line;
    start->last_line = s.line;
    start->failed |= sign->role == KS_ROLE_CHECK;
    start->complete |= sign->ends || sign->role == KS_ROLE_CHECK;
    note(r->signs, &start->places.items[s.rank], s.pattern, numbers);
}

/* Keeps a text in which some flags stand. It may lie in the start's own list, behind its end. */
static void add_piece(ks_start *start, size_t line, ks_str text)
{
    if (start->n_pieces == KS_MOST_PIECES || text.n > KS_PIECES - start->pieces_n)
        return;
    start->piece[start->n_pieces++] = (ks_log_piece_of_flags){line, start->pieces_n, text.n};
    memmove(start->pieces + start->pieces_n, text.s, text.n);
    start->pieces_n += text.n;
}

/* A command that stands in front of a start, or behind the last line of it, is the next one's as well.
 * `next` may be the same start. */
static void carry_pieces(const ks_start *old, ks_start *next)
{
    size_t n = old->n_pieces, first = old->first_line, last = old->last_line;
    next->pieces_n = next->n_pieces = 0;
    for (size_t i = 0; i < n; i++) {
        ks_log_piece_of_flags p = old->piece[i];
        if (p.line < first || p.line > last)
            add_piece(next, p.line, (ks_str){old->pieces + p.from, p.n});
    }
}

static void swap(ks_start **a, ks_start **b)
{
    ks_start *other = *a;
    *a = *b;
    *b = other;
}

/* The start that is under way has ended: it is kept or forgotten. */
static void end_start(ks_start_reader *r)
{
    ks_start *now = r->now;
    if (is_empty(now))
        return;
    now->number = ++r->n;
    bool better = !r->chosen->number || now->complete || !r->chosen->complete;
    if (r->wanted ? r->n == r->wanted : better)
        swap(&r->now, &r->chosen);
    carry_pieces(now, r->now);
    clear_start(r->now);
}

/* What the ranks printed since they began again belongs to the next start. */
static void split_start(ks_start_reader *r)
{
    ks_start *old = r->now, *next = r->spare;
    size_t kept = 0;
    clear_start(next);
    for (size_t i = 0; i < old->sightings.n; i++) {
        ks_sighting s = old->sightings.items[i];
        if (s.set == 0) {
            old->sightings.items[kept++] = s;
            continue;
        }
        size_t place = place_of(r, next, old->places.items[s.rank].tags);
        next->places.items[place].begins = old->places.items[s.rank].begins - 1;
        s.rank = (uint32_t)place;
        s.set--;
        add_sighting(r, next, s, old->numbers.items + s.numbers);
    }
    old->sightings.n = kept;
    old->last_line = kept ? old->sightings.items[kept - 1].line : 0;
    carry_pieces(old, next);
    end_start(r);
    swap(&r->now, &r->spare);
}

/* True if this reading shows that memory was given back: another start has begun. */
static bool shows_restart(const ks_start *start, const ks_log_place *place, size_t pattern,
                          double free)
{
    if (start->flags_line || !place->seen[pattern])
        return false;
    if (free > place->last_free + given_back)
        return true;
    /* The first reading of all, once more, with nothing between. */
    return place->n_kinds == 1 && place->begins > 1 &&
           fabs(free - place->first[pattern]) <= given_back;
}

/* Reads on; true if all brackets are closed. */
static bool closes(brackets *b, ks_str text)
{
    for (size_t i = 0; i < text.n && b->depth; i++) {
        char c = text.s[i];
        if (b->escaped || (b->quote && c == '\\')) {
            b->escaped = !b->escaped;
        } else if (b->quote) {
            b->quote = c == b->quote ? '\0' : b->quote;
        } else if (c == '\'' || c == '"') {
            b->quote = c;
        } else if (c == '(' || c == ')') {
            b->depth = c == '(' ? b->depth + 1 : b->depth - 1;
        }
    }
    return b->depth == 0;
}

static bool find_line(ks_start_reader *r, const ks_log_match *m, const ks_log_sign *sign)
{
    if (m->begun && m->n_literal < KS_LEAST_MESSAGE)
        return true;
    if (sign->some_flags) {
        add_piece(r->now, m->line, m->rest);
        return true;
    }
    if (sign->step && is_empty(r->now))
        return true;
    size_t rank = place_of(r, r->now, m->rank);
    if (rank == KS_MOST_PLACES)
        return true;
    ks_log_place *place = &r->now->places.items[rank];
    bool again = sign->begins && r->now->failed;
    if (!again && sign->free_at >= 0 &&
        shows_restart(r->now, place, m->pattern, m->numbers[sign->free_at].value)) {
        split_start(r);
        rank = place_of(r, r->now, m->rank);
    } else if (again || (sign->flags && !is_empty(r->now))) {
        end_start(r);
        rank = place_of(r, r->now, m->rank);
    }
    place = &r->now->places.items[rank];
    place->begins += sign->begins ? 1 : 0;
    uint32_t set = place->begins ? place->begins - 1 : 0;
    if (r->now->flags_line)
        set = 0;
    ks_sighting s = {.pattern = (uint32_t)m->pattern, .rank = (uint32_t)rank, .set = set,
                     .n_numbers = (uint32_t)m->n_numbers, .n_literal = (uint32_t)m->n_literal,
                     .line = m->line};
    add_sighting(r, r->now, s, m->numbers);
    r->now->date = r->now->date ? r->now->date : m->date;
    if (!sign->flags)
        return true;
    r->now->flags_line = m->line;
    r->now->flags_n = m->rest.n;
    r->now->flags_cut = m->cut;
    memcpy(r->now->flags, m->rest.s, m->rest.n);
    r->brackets = (brackets){.depth = 1};
    if (!m->cut && !closes(&r->brackets, m->rest))
        ks_log_follow(r->lines, m->pattern);
    return true;
}

/* "0.5.9.post1" at the start of text: at least two points, else nothing. */
static ks_str version_in(ks_str text)
{
    size_t n = 0, points = 0;
    while (n < text.n && n < KS_LONGEST_NAME - 1) {
        char c = text.s[n];
        bool digit = c >= '0' && c <= '9';
        bool suffix = n && (ks_starts_with(ks_slice(text, n, text.n), KS_STR("post")) ||
                            ks_starts_with(ks_slice(text, n, text.n), KS_STR("rc")));
        if (!digit && !suffix && c != '.')
            break;
        points += c == '.' ? 1 : 0;
        n += suffix ? (c == 'p' ? 4 : 2) : 1;
    }
    while (n && text.s[n - 1] == '.')
        n--;
    ks_version version;
    ks_str found = ks_slice(text, 0, n);
    return points >= 2 && ks_parse_version(found, &version) ? found : (ks_str){NULL, 0};
}

static bool find_name(ks_log_name *name, const ks_log_match *m, ks_str text)
{
    if (text.n == 0 || text.n >= KS_LONGEST_NAME)
        return false;
    name->pattern = m->pattern;
    name->line = m->line;
    memcpy(name->text, text.s, text.n);
    name->text[text.n] = '\0';
    return true;
}

/* "NVIDIA H200" is not what "NVIDIA H200 NVL" names. */
static bool name_goes_on(ks_str text, size_t n)
{
    ks_str rest = ks_slice(text, n, text.n);
    size_t at = rest.n && (rest.s[0] == ' ' || rest.s[0] == '_' || rest.s[0] == '-') ? 1 : 0;
    return at < rest.n && ((rest.s[at] >= 'A' && rest.s[at] <= 'Z') ||
                           (rest.s[at] >= 'a' && rest.s[at] <= 'z') ||
                           (rest.s[at] >= '0' && rest.s[at] <= '9'));
}

/* A list of flags that was wrapped: the next line of it. False if it has ended. */
static bool add_flags(ks_start_reader *r, const ks_log_match *m)
{
    ks_start *now = r->now;
    if (m->text.n > KS_LOG_LINE - now->flags_n || m->line == now->flags_line)
        return false;
    memcpy(now->flags + now->flags_n, m->text.s, m->text.n);
    now->flags_n += m->text.n;
    return !closes(&r->brackets, m->text);
}

static bool find(void *context, const ks_log_match *m)
{
    ks_start_reader *r = context;
    if (m->more)
        return add_flags(r, m);
    const ks_log_sign *sign = &r->signs->signs.items[m->pattern];
    size_t n_literal = r->signs->patterns.items[m->pattern].n_literal;
    bool done = false;
    switch (sign->role) {
    case KS_ROLE_VERSION:
        done = find_name(&r->version, m, version_in(m->rest));
        break;
    case KS_ROLE_GPU:
        done = !name_goes_on(m->text, n_literal) && find_name(&r->gpu, m, sign->name);
        break;
    case KS_ROLE_CHECK:
    case KS_ROLE_LINE:
        done = find_line(r, m, sign);
        break;
    }
    r->now->version = r->version;
    r->now->gpu = r->gpu;
    return done;
}

ks_start_reader *ks_start_reader_new(const ks_log_signs *signs, size_t wanted)
{
    ks_start_reader *r = KS_NEW(signs->arena, ks_start_reader);
    r->signs = signs;
    r->arena = signs->arena;
    r->wanted = wanted;
    r->now = new_start(r->arena);
    r->chosen = new_start(r->arena);
    r->spare = new_start(r->arena);
    r->lines = ks_log_reader_new(r->arena, signs->patterns.items, signs->patterns.n, find, r);
    return r;
}

void ks_feed_starts(void *reader, const char *bytes, size_t n)
{
    ks_log_feed(((ks_start_reader *)reader)->lines, bytes, n);
}

ks_starts ks_end_starts(ks_start_reader *r)
{
    ks_log_end(r->lines);
    end_start(r);
    return (ks_starts){r->chosen->number ? r->chosen : NULL, r->n, ks_log_lines(r->lines)};
}
