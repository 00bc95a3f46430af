#include "model/expect.h"

#include "read/schema.h"

#include <math.h>

static const char *const verdicts[] = {"fits", "does-not-fit", "unsupported", "uncertain"};

static bool expect_verdict(ks_model *model, const ks_doc *value)
{
    ks_str words[KS_COUNT(verdicts)];
    for (size_t i = 0; i < KS_COUNT(verdicts); i++) {
        words[i] = ks_from_c(verdicts[i]);
        if (ks_equal(words[i], value->text))
            return true;
    }
    ks_error(model->diags, KS_S005, value->span, "there is no verdict \"%.*s\"",
             KS_ARG(value->text));
    ks_suggest(model->diags, value->text, words, KS_COUNT(verdicts));
    return false;
}

static bool expect_check(ks_model *model, const ks_doc *value)
{
    size_t n = model->engine.checks.n;
    ks_str *words = KS_NEW_ARRAY(model->arena, ks_str, n + 1);
    for (size_t i = 0; i < n; i++) {
        words[i] = model->engine.checks.items[i].id;
        if (ks_equal(words[i], value->text))
            return true;
    }
    ks_error(model->diags, KS_S005, value->span, "there is no check \"%.*s\"",
             KS_ARG(value->text));
    ks_suggest(model->diags, value->text, words, n);
    return false;
}

/* "-20.59 GiB +- 0.01 GiB": a value, and how far off it may be; without that it must be exact. */
static bool expect_value(ks_model *model, const ks_doc *doc, ks_expectation *e)
{
    ks_program *program = model->program;
    const ks_def *def = &program->defs.items[e->def];
    ks_doc value = *doc, tolerance = *doc;
    ks_cell cell;
    size_t at = 0;
    while (at + 2 < doc->text.n && !ks_starts_with(ks_slice(doc->text, at, doc->text.n), KS_STR("+-")))
        at++;
    bool has_tolerance = at + 2 < doc->text.n;
    value.text = ks_trim(ks_slice(doc->text, 0, has_tolerance ? at : doc->text.n));
    tolerance.text = ks_trim(ks_slice(doc->text, at + 2, doc->text.n));
    value.exact = tolerance.exact = false;
    if (!ks_read_typed(program, &value, def->type, false, &cell))
        return false;
    e->value = ks_as_real(def->type, cell);
    e->value_text = doc->text;
    if (!has_tolerance)
        return true;
    if (!ks_read_typed(program, &tolerance, (ks_type){def->type.base, def->type.dim}, false, &cell))
        return false;
    e->tolerance = ks_as_real(def->type, cell);
    return true;
}

static bool read_one(ks_model *model, const ks_member *m)
{
    ks_expectation e = {.text = m->key, .def = -1, .at = m->value->span};
    if (!ks_expect(model->diags, m->value, KS_SCALAR, "an expectation"))
        return false;
    bool good;
    if (ks_equal_c(m->key, "verdict")) {
        e.what = KS_EXPECT_VERDICT;
        e.text = m->value->text;
        good = expect_verdict(model, m->value);
    } else if (ks_equal_c(m->key, "fails")) {
        e.what = KS_EXPECT_FAILS;
        e.text = m->value->text;
        good = expect_check(model, m->value);
    } else {
        e.what = KS_EXPECT_QUANTITY;
        e.def = ks_find(model->program, m->key);
        if (e.def < 0) {
            ks_error(model->diags, KS_M005, m->key_span, "\"%.*s\" is not a quantity",
                     KS_ARG(m->key));
            ks_suggest_name(model->program, m->key);
            return false;
        }
        good = expect_value(model, m->value, &e);
    }
    *KS_PUSH(model->arena, &model->expectations) = e;
    return good;
}

bool ks_read_expectations(ks_model *model, const ks_doc *doc)
{
    bool good = true;
    for (size_t i = 0; doc && i < doc->n; i++)
        good &= read_one(model, &doc->items[i]);
    return good;
}
