#include "model/runlog_find.h"

enum { LEAST_FLAGS = 30 }; /* fewer are no full list of what a version knows */

/* How well the lines of a start fit a profile. */
typedef struct fit {
    size_t lines, literal; /* lines that fit, and the bytes of literal text in them */
    size_t odd;            /* flags that the log tells and the profile has not, or the reverse */
} fit;

bool *ks_patterns_of(const ks_log_finder *f, const ks_engine *engine)
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
static fit fit_lines(const ks_log_finder *f, const bool *has)
{
    const ks_start *start = f->starts.chosen;
    fit result = {0, 0, 0};
    size_t line = 0, best = 0;
    for (size_t i = 0; i < start->sightings.n; i++) {
        const ks_sighting *s = &start->sightings.items[i];
        size_t literal = s->n_literal;
        if ((has && !has[s->pattern]) || f->signs->signs.items[s->pattern].step)
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
static size_t count_odd_flags(const ks_log_finder *f, const ks_engine *engine)
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
static const ks_log_profile *profile_below(const ks_log_finder *f, ks_str engine, ks_str version)
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

/* "2026-01-31" as 20260131. */
static int day_of(ks_str text)
{
    int day = 0;
    for (size_t i = 0; i < text.n; i++)
        if (text.s[i] >= '0' && text.s[i] <= '9')
            day = 10 * day + (text.s[i] - '0');
    return day;
}

/* The oldest version of a range ">=0.5.3rc2 <0.5.4"; false if it has none. */
static bool oldest_in(ks_str range, ks_version *version)
{
    ks_str rest;
    return ks_starts_with(range, KS_STR(">=")) &&
           ks_parse_version(ks_cut(ks_slice(range, 2, range.n), ' ', &rest), version);
}

/* The first day on which a log can be of the profile's oldest version, as far as is known: when that or
 * one before it came out. 0: not known. */
static int first_day(const ks_log_profile *profile)
{
    const ks_doc *released = profile->read.released, *range = ks_member_of(profile->doc, "versions");
    ks_version oldest, version;
    int day = 0;
    if (!released || !range || !oldest_in(range->text, &oldest))
        return 0;
    for (size_t i = 0; i < released->n; i++) {
        const ks_member *m = &released->items[i];
        if (ks_parse_version(m->key, &version) && ks_compare_versions(version, oldest) <= 0 &&
            day_of(m->value->text) > day)
            day = day_of(m->value->text);
    }
    return day;
}

/* True if the log was written before the profile's versions were out. */
static bool is_too_new(const ks_log_finder *f, const ks_log_profile *profile)
{
    int date = f->starts.chosen->date;
    return date && first_day(profile) > date;
}

/* Of two profiles that fit alike: the newer one, but none that was not out yet if another was. */
static bool is_likelier(const ks_log_finder *f, const ks_log_profile *a, const ks_log_profile *b)
{
    bool a_new = is_too_new(f, a), b_new = is_too_new(f, b);
    int order = compare_profiles(a, b);
    return a_new != b_new ? b_new : a_new ? order < 0 : order > 0;
}

/* The profile whose lines fit best; of several, the one whose flags do; of several, the newest that was
 * out. */
static fit choose_best(ks_log_finder *f)
{
    ks_run_log *log = f->log;
    size_t n = f->profiles.n;
    fit *fits = KS_NEW_ARRAY(f->arena, fit, n + 1), lines = {0, 0, 0}, best = {0, 0, 0};
    const ks_log_profile *oldest = NULL, *newest = NULL;
    for (size_t i = 0; i < n; i++) {
        fits[i] = fit_lines(f, ks_patterns_of(f, &f->profiles.items[i].read));
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
        if (order > 0 || (order == 0 && is_likelier(f, p, log->profile)))
            log->profile = p;
        newest = order > 0 || (order == 0 && compare_profiles(p, newest) > 0) ? p : newest;
        if (order > 0 || (order == 0 && compare_profiles(p, oldest) < 0))
            oldest = p;
    }
    log->profile = log->profile ? log->profile : f->profiles.items;
    log->version = log->profile->version;
    log->oldest = oldest ? oldest->version : log->version;
    log->by_date = newest && newest != log->profile ? newest->version : (ks_str){NULL, 0};
    log->n_fit = best.lines;
    log->n_known = fit_lines(f, NULL).lines;
    return best;
}

bool ks_choose_profile(ks_log_finder *f, ks_str engine, ks_str version)
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
    fit own = fit_lines(f, ks_patterns_of(f, &profile->read));
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
