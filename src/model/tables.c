#include "model/tables.h"

#include "base/num.h"
#include "read/schema.h"

#include <math.h>

/* Makes the type of a row's value and that of the rows before it one: a whole number becomes real
 * where another one is. False if they are of unlike kinds. */
static bool agree(const ks_type *before, ks_type *now, ks_table_row *rows, size_t n, ks_cell *value)
{
    bool numbers = before->base <= KS_REAL && now->base <= KS_REAL;
    if (!ks_same_dim(before->dim, now->dim) || (!numbers && before->base != now->base))
        return false;
    if (before->base == now->base)
        return true;
    if (before->base == KS_REAL)
        *value = (ks_cell){.f = ks_as_real(*now, *value)};
    else
        for (size_t i = 0; i < n; i++)
            rows[i].value = (ks_cell){.f = ks_as_real(*before, rows[i].value)};
    now->base = KS_REAL;
    return true;
}

static bool read_row(const ks_scope *scope, const ks_doc *row, ks_step_table *table,
                     ks_table_row *out)
{
    ks_type key, value;
    ks_cell bound;
    if (row->kind != KS_LIST || row->n != 2) {
        ks_error(scope->program->diags, KS_S003, row->span, "a row is [bound, value]");
        return false;
    }
    if (!ks_read_value(scope->program, row->items[0].value, &key, &bound) ||
        !ks_read_value(scope->program, row->items[1].value, &value, &out->value))
        return false;
    size_t n = (size_t)(out - table->rows);
    if (n && !agree(&table->value, &value, table->rows, n, &out->value)) {
        ks_error(scope->program->diags, KS_S005, row->items[1].value->span,
                 "this value is of another kind than those of the rows before it");
        return false;
    }
    table->value = value;
    out->bound = ks_as_real(key, bound);
    table->key = key;
    return true;
}

static bool define_table(const ks_scope *scope, const ks_member *m)
{
    if (ks_find_table(scope->program, m->key) >= 0)
        return true;
    const ks_doc *rows = ks_member_of(m->value, "rows"), *last = ks_member_of(m->value, "else");
    if (!rows || rows->kind != KS_LIST || rows->n == 0 || !last) {
        ks_error(scope->program->diags, KS_S002, m->key_span,
                 "a table needs \"rows\", a list that is not empty, and \"else\"");
        return false;
    }
    ks_step_table table = {.name = m->key,
                           .at = m->key_span,
                           .n_rows = rows->n + 1,
                           .source = ks_read_source(scope, ks_member_of(m->value, "source"))};
    table.rows = KS_NEW_ARRAY(scope->program->arena, ks_table_row, rows->n + 1);
    for (size_t i = 0; i < rows->n; i++) {
        if (!read_row(scope, rows->items[i].value, &table, &table.rows[i]))
            return false;
        if (i && !(table.rows[i].bound > table.rows[i - 1].bound)) {
            ks_error(scope->program->diags, KS_S006, rows->items[i].value->span,
                     "the bounds of a table must rise");
            return false;
        }
    }
    ks_type type = table.value;
    table.rows[rows->n].bound = HUGE_VAL;
    if (!ks_read_typed(scope->program, last, type, false, &table.rows[rows->n].value))
        return false;
    ks_define_table(scope->program, table);
    return true;
}

/* [from, to, step], [from, to] in steps of 1, or [one]; `~` for `to` goes on for ever. */
static bool read_run(const ks_scope *scope, const ks_doc *run, ks_run_of *out)
{
    ks_diags *diags = scope->program->diags;
    enum { LARGEST = 1000000000 };
    if (run->kind != KS_LIST || run->n < 1 || run->n > 3) {
        ks_error(diags, KS_S003, run->span, "a run of numbers is [from, to, step]");
        return false;
    }
    if (!ks_read_whole(diags, run->items[0].value, 0, LARGEST, &out->from))
        return false;
    out->to = run->n == 1 ? out->from : LARGEST;
    out->step = 1;
    out->endless = run->n > 1 && ks_is_null(run->items[1].value);
    if (run->n > 1 && !out->endless &&
        !ks_read_whole(diags, run->items[1].value, out->from, LARGEST, &out->to))
        return false;
    return run->n < 3 || ks_read_whole(diags, run->items[2].value, 1, LARGEST, &out->step);
}

static bool define_list(const ks_scope *scope, const ks_member *m)
{
    if (ks_find_list(scope->program, m->key) >= 0)
        return true;
    const ks_doc *runs = ks_member_of(m->value, "runs");
    if (!runs || runs->kind != KS_LIST || runs->n == 0) {
        ks_error(scope->program->diags, KS_S002, m->key_span, "a list needs \"runs\"");
        return false;
    }
    ks_number_list list = {.name = m->key,
                           .at = m->key_span,
                           .n_runs = runs->n,
                           .source = ks_read_source(scope, ks_member_of(m->value, "source"))};
    list.runs = KS_NEW_ARRAY(scope->program->arena, ks_run_of, runs->n);
    for (size_t i = 0; i < runs->n; i++) {
        if (!read_run(scope, runs->items[i].value, &list.runs[i]))
            return false;
        if (i && list.runs[i].from <= list.runs[i - 1].to) {
            ks_error(scope->program->diags, KS_S006, runs->items[i].value->span,
                     "the numbers of a list must rise");
            return false;
        }
    }
    ks_define_list(scope->program, list);
    return true;
}

static bool define_each(const ks_scope *scope, const ks_doc *section,
                        bool (*define)(const ks_scope *scope, const ks_member *m))
{
    bool good = true;
    for (size_t i = 0; section && i < section->n; i++)
        good &= define(scope, &section->items[i]);
    return good;
}

bool ks_define_tables(const ks_scope *scope, const ks_doc *section)
{
    return define_each(scope, section, define_table);
}

bool ks_define_lists(const ks_scope *scope, const ks_doc *section)
{
    return define_each(scope, section, define_list);
}
