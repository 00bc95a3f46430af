#include "model/runlog_find.h"
#include "read/file.h"

/* ---- What is looked for. ---------------------------------------------------------------------------- */

static bool add_profile(ks_log_finder *f, ks_str file, const ks_doc *doc)
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
static bool load_profiles(ks_log_finder *f, ks_str engine)
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
static void add_version_signs(ks_log_finder *f)
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
static void add_gpu_signs(ks_log_finder *f)
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

/* ---- Readings. ------------------------------------------------------------------------------------------ */

/* The launch's ranks, as far as the flags tell; 0: they do not. A full list that names no such flag
 * leaves it at one. */
static size_t ranks_of_flags(const ks_run_log *log)
{
    const ks_engine *engine = &log->profile->read;
    const ks_doc *factors = ks_member_of(engine->doc, "ranks");
    size_t product = 1;
    bool told = log->flags_line && log->flags.complete;
    for (size_t i = 0; factors && i < factors->n; i++) {
        const ks_flag *flag = ks_find_flag(engine, factors->items[i].value->text);
        const ks_python_item *item = flag ? ks_logged_flag(log, flag) : NULL;
        size_t value = 0;
        for (size_t k = 0; item && k < item->text.n && k < 5; k++)
            value = 10 * value + (size_t)(item->text.s[k] - '0');
        if (item && item->kind == KS_PY_NUMBER && value >= 1 && value <= 1024) {
            product *= value;
            told = true;
        }
    }
    return told ? product : 0;
}

/* A rank for each place: stages of the pipeline one behind the other. Replicas (the same TP rank under
 * another DP rank) are left out: -1, as are lines without a rank where others have one. */
static int *number_ranks(ks_log_finder *f)
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
    log->ranks_told = of_flags > 0;
    log->n_stages = stages;
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
static const ks_log_line *nth_line(const ks_log_finder *f, const ks_log_pattern *shape, size_t nth)
{
    const ks_engine *engine = &f->log->profile->read;
    for (size_t i = 0; i < engine->log.n; i++) {
        int number = ks_find_log_sign(f->signs, engine->log.items[i].text.text);
        if (number >= 0 && !ks_is_never_printed(&engine->log.items[i]) && same_shape(&f->signs->patterns.items[number], shape) && nth-- == 0)
            return &engine->log.items[i];
    }
    return NULL;
}

static void add_readings(ks_log_finder *f, const ks_log_line *line, const ks_sighting *s, size_t rank)
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
            (ks_reading){.quantity = piece->text, .from = line, .phase = line->phase, .rank = rank,
                         .line = s->line, .value = numbers[k].value, .half = numbers[k].half,
                         .decimals = numbers[k].decimals, .unit = piece->unit, .again = again};
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
static void replace_reading(ks_log_finder *f, const ks_log_line *line, const ks_sighting *s, size_t rank)
{
    ks_run_log *log = f->log;
    const ks_engine *engine = &log->profile->read;
    size_t pool = ks_phases_before_pool(engine), from = log->readings.n;
    if (line->phase + 1 != pool && !(line->phase == pool && log->draft_counts))
        return;
    for (size_t i = 0; i < from; i++)
        if (log->readings.items[i].rank == rank && log->readings.items[i].phase > line->phase)
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

/* The reading of a quantity on a rank in one line, that counts or did; or NULL. */
static ks_reading *reading_in(ks_run_log *log, ks_str quantity, size_t rank, size_t line)
{
    for (size_t i = 0; i < log->readings.n; i++) {
        ks_reading *r = &log->readings.items[i];
        if (r->rank == rank && r->line == line && ks_equal(r->quantity, quantity))
            return r;
    }
    return NULL;
}

/* Puts a reading in front of another, which moves. */
static void insert_reading(ks_log_finder *f, size_t at, ks_reading reading)
{
    *KS_PUSH(f->arena, &f->log->readings) = reading;
    ks_reading *items = f->log->readings.items;
    for (size_t i = f->log->readings.n - 1; i > at; i--)
        items[i] = items[i - 1];
    items[at] = reading;
}

/* A quantity that is the sum of two numbers of one line. */
typedef struct sum_rule {
    ks_str quantity, first, second;
    size_t phase;
} sum_rule;

typedef KS_LIST_OF(sum_rule) sum_rules;

static sum_rules read_sum_rules(const ks_log_finder *f)
{
    const ks_engine *engine = &f->log->profile->read;
    sum_rules rules = {NULL, 0, 0};
    for (size_t i = 0; i < engine->phases.n; i++) {
        const ks_doc *entries = ks_member_of(engine->phases.items[i].row, "entries");
        for (size_t k = 0; entries && k < entries->n; k++) {
            const ks_doc *parts = ks_member_of(entries->items[k].value, "sum_in_log");
            if (parts && parts->kind == KS_LIST && parts->n == 2)
                *KS_PUSH(f->arena, &rules) =
                    (sum_rule){entries->items[k].key, parts->items[0].value->text,
                               parts->items[1].value->text, i};
        }
    }
    return rules;
}

/* If no line before told the quantity on this rank, the line that was read last does. Its second number
 * then says nothing else. */
static void add_sums(ks_log_finder *f, const sum_rules *rules, size_t rank, size_t line)
{
    ks_run_log *log = f->log;
    for (size_t i = 0; i < rules->n; i++) {
        const sum_rule *rule = &rules->items[i];
        ks_reading *a = reading_in(log, rule->first, rank, line);
        ks_reading *b = reading_in(log, rule->second, rank, line);
        if (!a || !b || a->again || !ks_equal(a->unit, b->unit) ||
            ks_reading_on(log, rule->quantity, rank))
            continue;
        ks_reading sum = *a;
        b->again = true;
        sum.quantity = rule->quantity;
        sum.phase = rule->phase;
        sum.value += b->value;
        sum.half += b->half;
        sum.sum = true;
        insert_reading(f, (size_t)(a - log->readings.items), sum);
    }
}

/* The first line of a shape on a rank is the main model's; further ones are a draft model's, and mean
 * what the profile's further lines of the same shape say. */
static void collect_readings(ks_log_finder *f)
{
    const ks_start *start = f->starts.chosen;
    ks_run_log *log = f->log;
    size_t n_patterns = f->signs->patterns.n;
    const int *ranks = number_ranks(f);
    unsigned *seen = KS_NEW_ARRAY(f->arena, unsigned, n_patterns * (start->places.n + 1));
    bool *is_seen = KS_NEW_ARRAY(f->arena, bool, log->n_ranks + 1024);
    const bool *has = ks_patterns_of(f, &log->profile->read);
    sum_rules sums = read_sum_rules(f);
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
        if (line)
            *KS_PUSH(f->arena, &f->steps) = (ks_log_step){rank, line->phase, s->line};
        if (!line && pattern->n_numbers)
            replace_reading(f, first, s, rank);
        if (!line || !pattern->n_numbers)
            continue;
        log->n_seen += !is_seen[rank];
        is_seen[rank] = true;
        add_readings(f, line, s, rank);
        add_sums(f, &sums, rank, s->line);
    }
}

/* ---- All of it. -------------------------------------------------------------------------------------------- */

static bool tell_missing(const ks_log_finder *f, ks_str path, size_t wanted)
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

static bool fill_log(ks_log_finder *f, ks_str name, ks_str engine, ks_str version)
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
    log->date = start->date;
    if (!ks_choose_profile(f, engine, version))
        return false;
    ks_find_told_flags(f);
    collect_readings(f);
    ks_find_failure(f);
    return true;
}

ks_run_log *ks_read_run_log(const ks_catalog *catalog, ks_str path, ks_log_ask ask)
{
    ks_arena *arena = catalog->diags->arena;
    ks_log_finder f = {.catalog = catalog, .arena = arena};
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
