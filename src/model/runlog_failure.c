#include "model/runlog_find.h"

/* The last phase that all ranks went through before a line; -1: none. */
static int phase_reached(const ks_log_finder *f, size_t line)
{
    const ks_run_log *log = f->log;
    int *own = KS_NEW_ARRAY(f->arena, int, log->n_ranks + 1); /* one more, so that 0 is none */
    int reached = 0;
    for (size_t i = 0; i < f->steps.n; i++) {
        const ks_log_step *s = &f->steps.items[i];
        int phase = (int)s->phase + 1;
        own[s->rank] = s->line < line && phase > own[s->rank] ? phase : own[s->rank];
    }
    for (size_t rank = 0; rank < log->n_ranks; rank++)
        reached = own[rank] && (!reached || own[rank] < reached) ? own[rank] : reached;
    return reached - 1;
}

/* The messages in one line: sightings [from, to). */
typedef struct messages {
    size_t from, to;
    size_t literal; /* how much of the longest fits */
} messages;

static bool is_message(const ks_log_finder *f, const bool *has, const ks_sighting *s)
{
    return f->signs->signs.items[s->pattern].role == KS_ROLE_CHECK && has[s->pattern];
}

static messages messages_of(const ks_log_finder *f, const bool *has, size_t from)
{
    const ks_start *start = f->starts.chosen;
    messages m = {from, from, 0};
    for (; m.to < start->sightings.n; m.to++) {
        const ks_sighting *s = &start->sightings.items[m.to];
        if (s->line != start->sightings.items[from].line)
            break;
        if (is_message(f, has, s) && s->n_literal > m.literal)
            m.literal = s->n_literal;
    }
    return m;
}

/* True if the check has the longest of the messages. */
static bool has_message(const ks_log_finder *f, const ks_check *check, const messages *m)
{
    int pattern = ks_find_log_sign(f->signs, check->message_text.text);
    for (size_t i = m->from; i < m->to; i++) {
        const ks_sighting *s = &f->starts.chosen->sightings.items[i];
        if ((int)s->pattern == pattern && s->n_literal == m->literal)
            return true;
    }
    return false;
}

/* The checks with this message: those in a phase that was not gone through; if there are none, those in
 * the last phase. Returns in how many phases it is known. */
static size_t find_checks(const ks_log_finder *f, const messages *m, int reached, ks_check_numbers *found)
{
    const ks_engine *engine = &f->log->profile->read;
    bool *seen = KS_NEW_ARRAY(f->arena, bool, engine->phases.n + 1);
    size_t n = 0, last = 0;
    found->n = 0;
    for (size_t i = 0; i < engine->checks.n; i++) {
        const ks_check *check = &engine->checks.items[i];
        if (!has_message(f, check, m))
            continue;
        n += !seen[check->phase];
        seen[check->phase] = true;
        last = check->phase > last ? check->phase : last;
    }
    size_t from = (int)last > reached ? (size_t)(reached + 1) : last;
    for (size_t i = 0; i < engine->checks.n; i++)
        if (engine->checks.items[i].phase >= from && has_message(f, &engine->checks.items[i], m))
            *KS_PUSH(f->arena, found) = i;
    return n;
}

/* The first that has no condition, or the first. */
static int likeliest(const ks_engine *engine, const ks_check_numbers *checks)
{
    for (size_t i = 0; i < checks->n; i++)
        if (!ks_member_of(engine->checks.items[checks->items[i]].row, "when"))
            return (int)checks->items[i];
    return checks->n ? (int)checks->items[0] : -1;
}

/* The check whose message the log holds: one that is known in few phases rather than "out of memory",
 * and the first of those. */
void ks_find_failure(ks_log_finder *f)
{
    const ks_start *start = f->starts.chosen;
    ks_run_log *log = f->log;
    const bool *has = ks_patterns_of(f, &log->profile->read);
    bool *seen = KS_NEW_ARRAY(f->arena, bool, f->signs->patterns.n + 1);
    ks_check_numbers found = {NULL, 0, 0};
    size_t fewest = 0;
    log->failed = -1;
    for (size_t i = 0; i < start->sightings.n; i++) {
        const ks_sighting *s = &start->sightings.items[i];
        if (!is_message(f, has, s) || seen[s->pattern])
            continue;
        messages m = messages_of(f, has, i);
        for (size_t k = m.from; k < m.to; k++)
            seen[start->sightings.items[k].pattern] = true;
        size_t n = find_checks(f, &m, phase_reached(f, s->line), &found);
        if (!found.n || (log->failed >= 0 && n >= fewest))
            continue;
        fewest = n;
        log->failures = found;
        found = (ks_check_numbers){NULL, 0, 0};
        log->failed = likeliest(&log->profile->read, &log->failures);
        log->failed_line = s->line;
    }
}

/* The profile's check in the engine of a scenario, or NULL. */
static const ks_check *same_check(const ks_run_log *log, size_t number, const ks_engine *engine)
{
    ks_str id = log->profile->read.checks.items[number].id;
    for (size_t i = 0; i < engine->checks.n; i++)
        if (ks_equal(engine->checks.items[i].id, id))
            return &engine->checks.items[i];
    return NULL;
}

void ks_settle_failure(ks_run_log *log, const ks_engine *engine, const ks_plan *plan)
{
    for (size_t i = 0; i < log->failures.n; i++) {
        size_t number = log->failures.items[i];
        const ks_check *check = same_check(log, number, engine);
        if (!check || (check->when >= 0 && ks_plan_get(plan, check->when, 0, 0).i != 1))
            continue;
        log->failed = (int)number;
        return;
    }
}
