#include "model/runlog_find.h"
#include "read/flagtext.h"

enum { MOST_TOLD = 512 };

static void add_told(ks_log_finder *f, ks_python_item item, size_t line)
{
    for (size_t i = 0; i < f->log->told.n; i++)
        if (ks_equal(f->log->told.items[i].item.name, item.name))
            return;
    if (f->log->told.n < MOST_TOLD)
        *KS_PUSH(f->arena, &f->log->told) = (ks_told_flag){item, line};
}

/* The texts in which some flags stand; of two that tell a flag the later one counts. */
static void read_pieces(ks_log_finder *f)
{
    const ks_start *start = f->starts.chosen;
    for (size_t i = start->n_pieces; i-- > 0;) {
        const ks_log_piece_of_flags *p = &start->piece[i];
        ks_python_items items = ks_read_flag_text(f->arena, (ks_str){start->pieces + p->from, p->n});
        for (size_t k = 0; k < items.n; k++)
            add_told(f, items.items[k], p->line);
    }
}

/* True if a number in a line is the flag's value itself, not one that was rounded. */
static bool tells_value(const ks_flag *flag, const ks_log_piece *piece, const ks_log_number *number)
{
    return flag && flag->origin == KS_FLAG && !piece->unit.n &&
           (piece->exact || (flag->type.base == KS_WHOLE && number->decimals == 0));
}

/* Lines and messages that print a flag's value. */
static void read_numbers(ks_log_finder *f)
{
    const ks_start *start = f->starts.chosen;
    const ks_engine *engine = &f->log->profile->read;
    const bool *has = ks_patterns_of(f, engine);
    for (size_t i = 0; i < start->sightings.n; i++) {
        const ks_sighting *s = &start->sightings.items[i];
        const ks_log_pattern *pattern = &f->signs->patterns.items[s->pattern];
        size_t k = 0;
        for (size_t j = 0; has[s->pattern] && j < pattern->n && k < s->n_numbers; j++) {
            const ks_log_piece *piece = &pattern->items[j];
            if (piece->kind != KS_LOG_NUMBER)
                continue;
            const ks_log_number *number = &start->numbers.items[s->numbers + k++];
            const ks_flag *flag = ks_find_flag(engine, piece->text);
            if (!tells_value(flag, piece, number))
                continue;
            ks_str text = ks_format(f->arena, "%.*f", number->decimals, number->value);
            add_told(f, (ks_python_item){flag->name, KS_PY_NUMBER, text, false}, s->line);
        }
    }
}

void ks_find_told_flags(ks_log_finder *f)
{
    if (f->log->flags_line && f->log->flags.complete)
        return;
    read_pieces(f);
    read_numbers(f);
}

const ks_python_item *ks_logged_flag(const ks_run_log *log, const ks_flag *flag)
{
    const ks_engine *engine = &log->profile->read;
    const ks_python_item *found = NULL;
    for (size_t i = 0; i < log->flags.n && (!found || found->kind == KS_PY_NONE); i++) {
        const ks_python_item *item = &log->flags.items[i];
        if (!item->listed && ks_find_flag(engine, item->name) == flag)
            found = item;
    }
    for (size_t i = 0; i < log->told.n && !found; i++)
        if (ks_find_flag(engine, log->told.items[i].item.name) == flag)
            found = &log->told.items[i].item;
    return found;
}

const ks_python_item *ks_logged_item(const ks_run_log *log, const char *name)
{
    for (size_t i = 0; i < log->flags.n; i++)
        if (ks_equal_c(log->flags.items[i].name, name))
            return &log->flags.items[i];
    for (size_t i = 0; i < log->told.n; i++)
        if (ks_equal_c(log->told.items[i].item.name, name))
            return &log->told.items[i].item;
    return NULL;
}

size_t ks_line_of_item(const ks_run_log *log, const ks_python_item *item)
{
    for (size_t i = 0; i < log->told.n; i++)
        if (item == &log->told.items[i].item)
            return log->told.items[i].line;
    return log->flags_line;
}
