#include "model/runlog.h"

#include "read/file.h"

enum { LEAST_FLAGS = 30 }; /* fewer are no full list of what a version knows */

typedef struct log_finder {
    const ks_catalog *catalog;
    ks_arena *arena;
    KS_LIST_OF(ks_log_profile) profiles;
    ks_log_signs *signs;
    ks_starts starts;
    ks_run_log *log;
} log_finder;

/* How well the lines of a start fit a profile. */
typedef struct fit {
    size_t lines, literal; /* lines that fit, and the bytes of literal text in them */
    size_t odd;            /* flags that the log tells and the profile has not, or the reverse */
} fit;

/* ---- What is looked for. ---------------------------------------------------------------------------- */

static bool add_profile(log_finder *f, ks_str file, const ks_doc *doc)
{
    size_t dash = file.n;
    while (dash && file.s[dash - 1] != '-')
        dash--;
    ks_log_profile *profile = KS_PUSH(f->arena, &f->profiles);
    profile->engine = ks_slice(file, 0, dash ? dash - 1 : 0);
    profile->version = ks_slice(file, dash, file.n);
    profile->doc = doc;
    return ks_read_engine(f->arena, f->catalog->diags, doc, &profile->read);
}

/* "sglang 0.5.9", "sglang" or "0.5.9" in its parts. */
static void part_engine(ks_str text, ks_str *engine, ks_str *version)
{
    *engine = ks_cut(text, ' ', version);
    *version = ks_trim(*version);
    if (engine->n && engine->s[0] >= '0' && engine->s[0] <= '9') {
        *version = *engine;
        *engine = (ks_str){NULL, 0};
    }
}

/* The profiles of the engine that is asked for, or of all. */
static bool load_profiles(log_finder *f, ks_str engine)
{
    size_t n;
    ks_str *names = ks_catalog_names(f->catalog, "engine", &n);
    ks_str prefix = ks_format(f->arena, "%.*s-", KS_ARG(engine));
    for (size_t i = 0; i < n; i++) {
        if (ks_equal_c(names[i], "common") || (engine.n && !ks_starts_with(names[i], prefix)))
            continue;
        const ks_doc *doc = ks_catalog_load(f->catalog, "engine", names[i], (ks_span){0});
        if (!doc || !add_profile(f, names[i], doc))
            return false;
    }
    if (f->profiles.n)
        return true;
    ks_error(f->catalog->diags, KS_M001, (ks_span){0}, "no engine \"%.*s\" is known", KS_ARG(engine));
    return false;
}

/* Where a log names the engine's version. */
static void add_version_signs(log_finder *f)
{
    static const char *const forms[] = {"=={*}", "-{*}", " v{*}", ":v{*}", " version {*}",
                                        " version: {*}"};
    for (size_t i = 0; i < f->profiles.n; i++)
        for (size_t k = 0; k < KS_COUNT(forms); k++) {
            ks_str engine = f->profiles.items[i].engine;
            ks_add_log_sign(f->signs, ks_concat(f->arena, engine, ks_from_c(forms[k])),
                            (ks_log_sign){.role = KS_ROLE_VERSION, .free_at = -1, .name = engine});
        }
}

/* GPUs are named as the driver does, with blanks or, in names of files, underscores. */
static void add_gpu_signs(log_finder *f)
{
    size_t n;
    ks_str *names = ks_catalog_names(f->catalog, "gpu", &n);
    for (size_t i = 0; i < n; i++) {
        const ks_doc *doc = ks_catalog_load(f->catalog, "gpu", names[i], (ks_span){0});
        const ks_doc *aliases = doc ? ks_member_of(doc, "aliases") : NULL;
        for (size_t k = 0; aliases && aliases->kind == KS_LIST && k < aliases->n; k++) {
            ks_str alias = aliases->items[k].value->text;
            ks_log_sign sign = {.role = KS_ROLE_GPU, .free_at = -1, .name = names[i]};
            if (!ks_starts_with(alias, KS_STR("NVIDIA ")) && !ks_starts_with(alias, KS_STR("AMD ")))
                continue;
            ks_add_log_sign(f->signs, alias, sign);
            ks_add_log_sign(f->signs, ks_replace(f->arena, alias, ' ', '_'), sign);
        }
    }
}

/* ---- Which version it was. ---------------------------------------------------------------------------- */

/* Whether the profile has a line or a message that is this pattern. */
static bool *patterns_of(const log_finder *f, const ks_engine *engine)
{
    bool *has = KS_NEW_ARRAY(f->arena, bool, f->signs->patterns.n + 1);
    for (size_t i = 0; i < engine->log.n; i++) {
        int pattern = ks_find_log_sign(f->signs, engine->log.items[i].text.text);
        if (pattern >= 0 && !ks_is_never_printed(&engine->log.items[i]))
            has[pattern] = true;
    }
    for (size_t i = 0; i < engine->checks.n; i++) {
        int pattern = ks_find_log_sign(f->signs, engine->checks.items[i].message_text.text);
        if (pattern >= 0)
            has[pattern] = true;
    }
    return has;
}

/* Counts each line once, by the most special pattern that it fits. */
static fit fit_lines(const log_finder *f, const bool *has)
{
    const ks_start *start = f->starts.chosen;
    fit result = {0, 0, 0};
    size_t line = 0, best = 0;
    for (size_t i = 0; i < start->sightings.n; i++) {
        const ks_sighting *s = &start->sightings.items[i];
        size_t literal = f->signs->patterns.items[s->pattern].n_literal;
        if (has && !has[s->pattern])
            continue;
        if (s->line != line) {
            result.lines++;
            line = s->line;
            best = 0;
        }
        if (literal > best) {
            result.literal += literal - best;
            best = literal;
        }
    }
    return result;
}

static bool has_field(const ks_engine *engine, const ks_python_items *fields, const ks_flag *flag)
{
    for (size_t i = 0; i < fields->n; i++)
        if (ks_find_flag(engine, fields->items[i].name) == flag)
            return true;
    return false;
}

/* A full list of flags tells versions apart, too: those that the profile has and the list not, and
 * those that the list has and other profiles know. */
static size_t count_odd_flags(const log_finder *f, const ks_engine *engine)
{
    const ks_python_items *fields = &f->log->flags;
    size_t odd = 0;
    if (!fields->complete || fields->n < LEAST_FLAGS)
        return 0;
    for (size_t i = 0; i < engine->flags.n; i++)
        odd += engine->flags.items[i].origin == KS_FLAG &&
               !has_field(engine, fields, &engine->flags.items[i]);
    for (size_t i = 0; i < fields->n; i++) {
        bool elsewhere = false;
        for (size_t k = 0; k < f->profiles.n && !elsewhere; k++)
            elsewhere = ks_equal(f->profiles.items[k].read.name, engine->name) &&
                        ks_find_flag(&f->profiles.items[k].read, fields->items[i].name);
        odd += elsewhere && !ks_find_flag(engine, fields->items[i].name);
    }
    return odd;
}

static int compare_fits(fit a, fit b)
{
    if (a.lines != b.lines)
        return a.lines < b.lines ? -1 : 1;
    if (a.literal != b.literal)
        return a.literal < b.literal ? -1 : 1;
    return a.odd != b.odd ? (a.odd > b.odd ? -1 : 1) : 0;
}

static int compare_profiles(const ks_log_profile *a, const ks_log_profile *b)
{
    ks_version x, y;
    if (!ks_equal(a->engine, b->engine) || !ks_parse_version(a->version, &x) ||
        !ks_parse_version(b->version, &y))
        return ks_compare(a->engine, b->engine);
    return ks_compare_versions(x, y);
}

/* The engine's newest profile that is not above a version, or NULL. */
static const ks_log_profile *profile_below(const log_finder *f, ks_str engine, ks_str version)
{
    ks_log_profile wanted = {.engine = engine, .version = version};
    const ks_log_profile *best = NULL;
    for (size_t i = 0; i < f->profiles.n && version.n; i++) {
        const ks_log_profile *p = &f->profiles.items[i];
        if (ks_equal(p->engine, engine) && compare_profiles(p, &wanted) <= 0 &&
            (!best || compare_profiles(p, best) > 0))
            best = p;
    }
    return best;
}

/* The profile whose lines fit best; of several, the one whose flags do; of several, the newest. */
static fit choose_best(log_finder *f)
{
    ks_run_log *log = f->log;
    size_t n = f->profiles.n;
    fit *fits = KS_NEW_ARRAY(f->arena, fit, n + 1), lines = {0, 0, 0}, best = {0, 0, 0};
    const ks_log_profile *oldest = NULL;
    for (size_t i = 0; i < n; i++) {
        fits[i] = fit_lines(f, patterns_of(f, &f->profiles.items[i].read));
        lines = compare_fits(fits[i], lines) > 0 ? fits[i] : lines;
    }
    for (size_t i = 0; i < n; i++) {
        const ks_log_profile *p = &f->profiles.items[i];
        if (compare_fits(fits[i], lines) < 0)
            continue;
        fits[i].odd = count_odd_flags(f, &p->read);
        int order = oldest ? compare_fits(fits[i], best) : 1;
        if (order > 0)
            best = fits[i];
        if (order > 0 || (order == 0 && compare_profiles(p, log->profile) > 0))
            log->profile = p;
        if (order > 0 || (order == 0 && compare_profiles(p, oldest) < 0))
            oldest = p;
    }
    log->profile = log->profile ? log->profile : f->profiles.items;
    log->version = log->profile->version;
    log->oldest = oldest ? oldest->version : log->version;
    log->n_fit = best.lines;
    log->n_known = fit_lines(f, NULL).lines;
    return best;
}

/* Takes the version that was asked for; or the one that the log itself names, if no other profile fits
 * more lines. False after an error. */
static bool choose_profile(log_finder *f, ks_str engine, ks_str version)
{
    ks_run_log *log = f->log;
    const ks_log_name *name = &f->starts.chosen->version;
    fit best = choose_best(f);
    bool asked = version.n > 0, told = !asked && name->line;
    if (asked) {
        engine = engine.n ? engine : log->profile->engine;
        if (!ks_catalog_engine(f->catalog, engine, version, (ks_span){0}))
            return false;
    } else if (told) {
        engine = f->signs->signs.items[name->pattern].name;
        version = ks_copy(f->arena, ks_from_c(name->text));
    }
    const ks_log_profile *profile = profile_below(f, engine, version);
    if (!profile)
        return true;
    fit own = fit_lines(f, patterns_of(f, &profile->read));
    bool worse = own.lines < best.lines || (own.lines == best.lines && own.literal < best.literal);
    if (told && own.lines < best.lines)
        return true;
    log->better = worse && asked ? log->version : (ks_str){NULL, 0};
    log->profile = profile;
    log->version = log->oldest = version;
    log->version_line = told ? name->line : 0;
    log->version_asked = asked;
    log->n_fit = own.lines;
    return true;
}

/* ---- Readings. ------------------------------------------------------------------------------------------ */

/* The launch's ranks, as far as the flags tell; 0: they do not. */
static size_t ranks_of_flags(const ks_run_log *log)
{
    const ks_engine *engine = &log->profile->read;
    const ks_doc *factors = ks_member_of(engine->doc, "ranks");
    size_t product = 1;
    for (size_t i = 0; factors && i < factors->n; i++) {
        const ks_flag *flag = ks_find_flag(engine, factors->items[i].value->text);
        const ks_python_item *item = flag ? ks_logged_flag(log, flag) : NULL;
        size_t value = 0;
        for (size_t k = 0; item && k < item->text.n && k < 5; k++)
            value = 10 * value + (size_t)(item->text.s[k] - '0');
        if (item && item->kind == KS_PY_NUMBER && value >= 1 && value <= 1024)
            product *= value;
    }
    return log->flags_line ? product : 0;
}

/* A rank for each place: stages of the pipeline one behind the other. Replicas (the same TP rank under
 * another DP rank) are left out: -1, as are lines without a rank where others have one. */
static int *number_ranks(log_finder *f)
{
    const ks_start *start = f->starts.chosen;
    ks_run_log *log = f->log;
    size_t n = start->places.n;
    int *ranks = KS_NEW_ARRAY(f->arena, int, n + 1);
    int last_tp = 0, last_pp = 0;
    size_t of_flags = ranks_of_flags(log);
    for (size_t i = 0; i < n; i++) {
        const ks_log_rank *t = &start->places.items[i].tags;
        log->tagged |= t->tp >= 0 || t->pp >= 0;
        last_tp = t->tp > last_tp ? t->tp : last_tp;
        last_pp = t->pp > last_pp ? t->pp : last_pp;
    }
    size_t stages = (size_t)last_pp + 1, width = (size_t)last_tp + 1;
    if (of_flags % stages == 0 && of_flags / stages > width)
        width = of_flags / stages;
    log->n_ranks = of_flags ? of_flags : stages * width;
    for (size_t i = 0; i < n; i++) {
        const ks_log_rank *t = &start->places.items[i].tags;
        size_t tp = t->tp > 0 ? (size_t)t->tp : 0, pp = t->pp > 0 ? (size_t)t->pp : 0;
        size_t rank = pp * width + tp;
        ranks[i] = rank < log->n_ranks && rank < 1024 ? (int)rank : -1;
        if (log->tagged && t->tp < 0 && t->pp < 0)
            ranks[i] = -1;
        for (size_t k = 0; k < i; k++)
            if (ranks[k] == ranks[i])
                ranks[i] = -1;
    }
    return ranks;
}

/* True if two patterns differ in the names of their holes only. */
static bool same_shape(const ks_log_pattern *a, const ks_log_pattern *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        const ks_log_piece *x = &a->items[i], *y = &b->items[i];
        if (x->kind != y->kind || (x->kind == KS_LOG_TEXT && !ks_equal(x->text, y->text)))
            return false;
    }
    return true;
}

/* The `nth` of the profile's lines with this shape; NULL if there are not so many. */
static const ks_log_line *nth_line(const log_finder *f, const ks_log_pattern *shape, size_t nth)
{
    const ks_engine *engine = &f->log->profile->read;
    for (size_t i = 0; i < engine->log.n; i++) {
        int number = ks_find_log_sign(f->signs, engine->log.items[i].text.text);
        if (number >= 0 && !ks_is_never_printed(&engine->log.items[i]) && same_shape(&f->signs->patterns.items[number], shape) && nth-- == 0)
            return &engine->log.items[i];
    }
    return NULL;
}

static void add_readings(log_finder *f, const ks_log_line *line, const ks_sighting *s, size_t rank)
{
    const ks_log_pattern *pattern =
        &f->signs->patterns.items[ks_find_log_sign(f->signs, line->text.text)];
    const ks_log_number *numbers = f->starts.chosen->numbers.items + s->numbers;
    for (size_t i = 0, k = 0; i < pattern->n; i++) {
        const ks_log_piece *piece = &pattern->items[i];
        if (piece->kind != KS_LOG_NUMBER)
            continue;
        bool again = ks_reading_on(f->log, piece->text, rank) != NULL;
        *KS_PUSH(f->arena, &f->log->readings) =
            (ks_reading){piece->text, line, rank, s->line, numbers[k].value, numbers[k].half,
                         numbers[k].decimals, piece->unit, again};
        k++;
    }
}

size_t ks_phases_before_pool(const ks_engine *engine)
{
    for (size_t i = 0; i < engine->phases.n; i++) {
        const ks_doc *entries = ks_member_of(engine->phases.items[i].row, "entries");
        for (size_t k = 0; entries && k < entries->n; k++)
            if (ks_equal(entries->items[k].key, engine->yields_name))
                return i;
    }
    return 0;
}

/* A draft model that is loaded before the pool is made, and gets its own with it: what is free then is free
 * behind both, so of that the second reading counts. */
static void replace_reading(log_finder *f, const ks_log_line *line, const ks_sighting *s, size_t rank)
{
    ks_run_log *log = f->log;
    const ks_engine *engine = &log->profile->read;
    size_t pool = ks_phases_before_pool(engine), from = log->readings.n;
    if (line->phase + 1 != pool && !(line->phase == pool && log->draft_counts))
        return;
    for (size_t i = 0; i < from; i++)
        if (log->readings.items[i].rank == rank && log->readings.items[i].from->phase > line->phase)
            return;
    ks_str free = engine->phases.items[line->phase].free_name;
    add_readings(f, line, s, rank);
    for (size_t i = from; i < log->readings.n; i++)
        for (size_t k = 0; k < from; k++) {
            ks_reading *old = &log->readings.items[k], *new = &log->readings.items[i];
            if (old->rank != rank || old->again || !ks_equal(old->quantity, new->quantity))
                continue;
            bool is_free = ks_equal(old->quantity, free);
            if (is_free)
                *old = *new;
            old->again = !is_free; /* what else the line tells is of one model, and counts no more */
            log->draft_counts |= is_free;
        }
    log->readings.n = from;
}

/* The first line of a shape on a rank is the main model's; further ones are a draft model's, and mean
 * what the profile's further lines of the same shape say. */
static void collect_readings(log_finder *f)
{
    const ks_start *start = f->starts.chosen;
    ks_run_log *log = f->log;
    size_t n_patterns = f->signs->patterns.n;
    const int *ranks = number_ranks(f);
    unsigned *seen = KS_NEW_ARRAY(f->arena, unsigned, n_patterns * (start->places.n + 1));
    bool *is_seen = KS_NEW_ARRAY(f->arena, bool, log->n_ranks + 1024);
    const bool *has = patterns_of(f, &log->profile->read);
    for (size_t i = 0; i < start->sightings.n; i++) {
        const ks_sighting *s = &start->sightings.items[i];
        const ks_log_pattern *pattern = &f->signs->patterns.items[s->pattern];
        if (!has[s->pattern] || f->signs->signs.items[s->pattern].role != KS_ROLE_LINE ||
            f->signs->signs.items[s->pattern].flags || ranks[s->rank] < 0)
            continue;
        const ks_log_line *first = nth_line(f, pattern, 0);
        if (!first || ks_find_log_sign(f->signs, first->text.text) != (int)s->pattern)
            continue; /* the same line by another pattern of this shape */
        const ks_log_line *line = nth_line(f, pattern, seen[s->rank * n_patterns + s->pattern]++);
        size_t rank = (size_t)ranks[s->rank];
        log->n_draft += !line && pattern->n_numbers;
        if (!line && pattern->n_numbers)
            replace_reading(f, first, s, rank);
        if (!line || !pattern->n_numbers)
            continue;
        log->n_seen += !is_seen[rank];
        is_seen[rank] = true;
        add_readings(f, line, s, rank);
    }
}

/* ---- Failure. -------------------------------------------------------------------------------------------- */

/* The last phase that all ranks went through before a line; -1: none. */
static int phase_reached(const log_finder *f, size_t line)
{
    const ks_run_log *log = f->log;
    int *own = KS_NEW_ARRAY(f->arena, int, log->n_ranks + 1); /* one more, so that 0 is none */
    int reached = 0;
    for (size_t i = 0; i < log->readings.n; i++) {
        const ks_reading *r = &log->readings.items[i];
        int phase = (int)r->from->phase + 1;
        own[r->rank] = r->line < line && phase > own[r->rank] ? phase : own[r->rank];
    }
    for (size_t rank = 0; rank < log->n_ranks; rank++)
        reached = own[rank] && (!reached || own[rank] < reached) ? own[rank] : reached;
    return reached - 1;
}

/* Of the checks with this message, the first in a phase that was not gone through. */
static int check_behind(const log_finder *f, size_t pattern, int reached, size_t *n)
{
    const ks_engine *engine = &f->log->profile->read;
    int found = -1, any = -1;
    *n = 0;
    for (size_t i = 0; i < engine->checks.n; i++) {
        if (ks_find_log_sign(f->signs, engine->checks.items[i].message_text.text) != (int)pattern)
            continue;
        any = any < 0 ? (int)i : any;
        found = found < 0 && (int)engine->checks.items[i].phase > reached ? (int)i : found;
        ++*n;
    }
    return found >= 0 ? found : any;
}

/* The check whose message the log holds: one that few checks have rather than "out of memory", and
 * the first of those. */
static void find_failure(log_finder *f)
{
    const ks_start *start = f->starts.chosen;
    size_t fewest = 0, literal = 0, n;
    bool *seen = KS_NEW_ARRAY(f->arena, bool, f->signs->patterns.n + 1);
    f->log->failed = -1;
    for (size_t i = 0; i < start->sightings.n; i++) {
        const ks_sighting *s = &start->sightings.items[i];
        if (f->signs->signs.items[s->pattern].role != KS_ROLE_CHECK || seen[s->pattern])
            continue;
        seen[s->pattern] = true;
        int check = check_behind(f, s->pattern, phase_reached(f, s->line), &n);
        size_t own = f->signs->patterns.items[s->pattern].n_literal;
        bool better = n < fewest || (n == fewest && s->line == f->log->failed_line && own > literal);
        if (check < 0 || (f->log->failed >= 0 && !better))
            continue;
        f->log->failed = check;
        f->log->failed_line = s->line;
        fewest = n;
        literal = own;
    }
}

/* ---- All of it. -------------------------------------------------------------------------------------------- */

static bool tell_missing(const log_finder *f, ks_str path, size_t wanted)
{
    ks_diags *diags = f->catalog->diags;
    if (f->starts.chosen)
        return true;
    if (f->starts.n) {
        ks_error(diags, KS_L002, (ks_span){0}, "%.*s holds %zu start%s of a server, not %zu",
                 KS_ARG(path), f->starts.n, f->starts.n == 1 ? "" : "s", wanted);
        return false;
    }
    ks_error(diags, KS_L001, (ks_span){0}, "no line of %.*s (%zu in all) is one that kvsim knows",
             KS_ARG(path), f->starts.n_lines);
    ks_add_note(diags, (ks_span){0},
                "the log of a server's start is wanted, from its first line; `kvsim run --log` shows "
                "which lines are read");
    return false;
}

static bool fill_log(log_finder *f, ks_str name, ks_str engine, ks_str version)
{
    const ks_start *start = f->starts.chosen;
    ks_run_log *log = f->log;
    log->name = name;
    log->n_lines = f->starts.n_lines;
    log->n_starts = f->starts.n;
    log->start = start->number;
    log->first_line = start->first_line;
    log->last_line = start->last_line;
    log->complete = start->complete;
    log->flags_line = start->flags_line;
    if (start->flags_line)
        log->flags = ks_read_python(f->arena, (ks_str){start->flags, start->flags_n});
    log->gpu = start->gpu.line ? ks_copy(f->arena, ks_from_c(start->gpu.text)) : KS_STR("");
    log->gpu_line = start->gpu.line;
    if (!choose_profile(f, engine, version))
        return false;
    collect_readings(f);
    find_failure(f);
    return true;
}

ks_run_log *ks_read_run_log(const ks_catalog *catalog, ks_str path, ks_log_ask ask)
{
    ks_arena *arena = catalog->diags->arena;
    log_finder f = {.catalog = catalog, .arena = arena};
    size_t errors = catalog->diags->errors;
    ks_str engine, version;
    part_engine(ask.engine, &engine, &version);
    if (!load_profiles(&f, engine))
        return NULL;
    f.signs = ks_log_signs_new(arena, f.profiles.items, f.profiles.n);
    add_version_signs(&f);
    add_gpu_signs(&f);
    if (catalog->diags->errors > errors)
        return NULL;
    ks_start_reader *reader = ks_start_reader_new(f.signs, ask.start);
    if (!ks_stream_file(catalog->diags, path, (ks_span){0}, ks_feed_starts, reader))
        return NULL;
    f.starts = ks_end_starts(reader);
    ks_str name = ks_equal_c(path, "-") ? KS_STR("<stdin>") : path;
    if (!tell_missing(&f, name, ask.start))
        return NULL;
    f.log = KS_NEW(arena, ks_run_log);
    return fill_log(&f, name, engine, version) ? f.log : NULL;
}

const ks_python_item *ks_logged_flag(const ks_run_log *log, const ks_flag *flag)
{
    const ks_python_item *found = NULL;
    for (size_t i = 0; i < log->flags.n && (!found || found->kind == KS_PY_NONE); i++) {
        const ks_python_item *item = &log->flags.items[i];
        if (!item->listed && ks_find_flag(&log->profile->read, item->name) == flag)
            found = item;
    }
    return found;
}

ks_readings_of ks_gather_readings(const ks_run_log *log, ks_str quantity)
{
    ks_readings_of all = {0};
    for (size_t i = 0; i < log->readings.n; i++) {
        const ks_reading *r = &log->readings.items[i];
        if (r->again || !ks_equal(r->quantity, quantity))
            continue;
        bool first = all.n++ == 0;
        all.first = first ? r : all.first;
        all.low = first || r->value < all.low ? r->value : all.low;
        all.high = first || r->value > all.high ? r->value : all.high;
        all.half = first || r->half > all.half ? r->half : all.half;
        all.first_line = first ? r->line : all.first_line;
        all.last_line = r->line;
    }
    return all;
}

const ks_reading *ks_reading_on(const ks_run_log *log, ks_str quantity, size_t rank)
{
    for (size_t i = 0; i < log->readings.n; i++) {
        const ks_reading *r = &log->readings.items[i];
        if (r->rank == rank && ks_equal(r->quantity, quantity))
            return r;
    }
    return NULL;
}
