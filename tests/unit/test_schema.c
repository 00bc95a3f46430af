/* Documents into C values by tables of keys, and what is said about all that does not fit. */
#include "support.h"

#include "read/schema.h"
#include "read/yaml.h"

static const ks_doc *read_text(world *w, const char *text)
{
    forget_diags(w);
    const ks_doc *doc = ks_read_yaml(&w->diags,
                                     ks_source_new(w->arena, KS_STR("y"), ks_from_c(text)));
    CHECK(text, doc != NULL);
    return doc;
}

typedef struct engine {
    ks_str name;
    bool graphs;
    const ks_doc *fraction, *phases, *sources, *anything;
} engine;

static const ks_field fields[] = {
    {"name", KS_FIELD_TEXT, KS_REQUIRED, offsetof(engine, name)},
    {"graphs", KS_FIELD_BOOL, 0, offsetof(engine, graphs)},
    {"fraction", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(engine, fraction)},
    {"phases", KS_FIELD_LIST, 0, offsetof(engine, phases)},
    {"sources", KS_FIELD_MAP, 0, offsetof(engine, sources)},
    {"anything", KS_FIELD_DOC, 0, offsetof(engine, anything)},
};

static void fields_are_filled(void **state)
{
    world *w = *state;
    engine e = {.graphs = false};
    const ks_doc *doc = read_text(w,
                                  "name: sglang\ngraphs: true\nfraction: 85 %\nphases: [a, b, c]\n"
                                  "sources: {x: y}\nanything: [17]\n");
    CHECK("good", ks_read_fields(&w->diags, doc, "an engine", fields, KS_COUNT(fields), &e));
    CHECK_TEXT("diagnostics", summary(w), "");
    CHECK_TEXT("name", e.name, "sglang");
    CHECK("graphs", e.graphs);
    CHECK_TEXT("fraction", e.fraction->text, "85 %");
    CHECK_WHOLE("phases", e.phases->n, 3);
    CHECK_TEXT("sources", e.sources->items[0].key, "x");
    CHECK_WHOLE("anything", e.anything->kind, KS_LIST);

    engine few = {.graphs = true};
    doc = read_text(w, "fraction: 0.8485\nname: vllm\n");
    CHECK("good", ks_read_fields(&w->diags, doc, "an engine", fields, KS_COUNT(fields), &few));
    CHECK("what is not there is left alone", few.graphs && !few.phases && !few.anything);
}

static void fields_that_do_not_fit(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {"name: x\nfraction: 1\nfracton: 2\n", "S001 y:3:1 [fracton] ?fraction"},
        {"name: x\nfraction: 1\nphase: []\n", "S001 y:3:1 [phase] ?phases"},
        {"name: x\nfraction: 1\ntp_size: 8\n", "S001 y:3:1 [tp_size]"},
        {"name: x\nfraction: 1\n\"Name\": 8\n", "S001 y:3:2 [Name] ?name"},
        {"graphs: true\n", "S002 y:1:1 [g]; S002 y:1:1 [g]"},
        {"  name: x\n", "S002 y:1:3 [n]"},
        {"{}", "S002 y:1:1 [{]; S002 y:1:1 [{]"},
        {"nmae: x\nfraction: 1\n", "S001 y:1:1 [nmae] ?name; S002 y:1:1 [n]"},
        {"name: [x]\nfraction: 1\n", "S003 y:1:7 [[]"},
        {"name: x\nfraction: {a: 1}\n", "S003 y:2:11 [{]"},
        {"name: x\nfraction: 1\nphases: a\n", "S003 y:3:9 [a]"},
        {"name: x\nfraction: 1\nsources: [1]\n", "S003 y:3:10 [[]"},
        {"name: x\nfraction: 1\ngraphs: [true]\n", "S003 y:3:9 [[]"},
        {"name: x\nfraction: 1\ngraphs: yes\n", "S005 y:3:9 [yes]"},
        {"[name, fraction]", "S003 y:1:1 [[]"},
        {"name", "S003 y:1:1 [name]"},
        {"name: [x]\nfracton: 1\ngraphs: 1\n",
         "S003 y:1:7 [[]; S001 y:2:1 [fracton] ?fraction; S005 y:3:9 [1]; S002 y:1:1 [n]"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        engine e = {.graphs = false};
        const ks_doc *doc = read_text(w, rows[i][0]);
        CHECK(rows[i][0],
              !ks_read_fields(&w->diags, doc, "an engine", fields, KS_COUNT(fields), &e));
        CHECK_TEXT(rows[i][0], summary(w), rows[i][1]);
    }
}

static void as_written(void **state)
{
    world *w = *state;
    engine e;
    ks_read_fields(&w->diags, read_text(w, "name: {x: y}\nfracton: 0.85\n"), "an engine", fields,
                   KS_COUNT(fields), &e);
    CHECK_TEXT("written", written(w),
               "y:1:7: error[S003]: \"name\" must be a single value, not a mapping\n"
               "    name: {x: y}\n"
               "          ^\n"
               "y:2:1: error[S001]: an engine has no key \"fracton\"\n"
               "    fracton: 0.85\n"
               "    ^^^^^^^\n"
               "  note: did you mean \"fraction\"?\n"
               "y:1:1: error[S002]: an engine needs the key \"fraction\"\n"
               "    name: {x: y}\n"
               "    ^\n");
}

static void kinds(void **state)
{
    world *w = *state;
    static const char *const texts[] = {"17 B", "[17]", "{a: 17}"}; /* scalar, list, map */
    for (size_t i = 0; i < KS_COUNT(texts); i++)
        for (size_t k = 0; k < KS_COUNT(texts); k++) {
            const ks_doc *doc = read_text(w, texts[i]);
            CHECK_WHOLE(texts[i], ks_expect(&w->diags, doc, (enum ks_doc_kind)k, "it"), i == k);
            CHECK_WHOLE(texts[i], w->diags.n, i != k);
        }
}

static void switches(void **state)
{
    world *w = *state;
    static const struct {
        const char *text;
        bool good, value;
        const char *want;
    } rows[] = {
        {"true", true, true, ""},
        {"false", true, false, ""},
        {"'true'", true, true, ""},
        {"True", false, false, "S005 y:1:1 [True]"},
        {"yes", false, false, "S005 y:1:1 [yes]"},
        {"on", false, false, "S005 y:1:1 [on]"},
        {"1", false, false, "S005 y:1:1 [1]"},
        {"~", false, false, "S005 y:1:1 [~]"},
        {"{}", false, false, "S003 y:1:1 [{]"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        bool value = !rows[i].value;
        const ks_doc *doc = read_text(w, rows[i].text);
        CHECK_WHOLE(rows[i].text, ks_read_bool(&w->diags, doc, &value), rows[i].good);
        CHECK_TEXT(rows[i].text, summary(w), rows[i].want);
        if (rows[i].good)
            CHECK_WHOLE(rows[i].text, value, rows[i].value);
    }
}

static void quantities(void **state)
{
    world *w = *state;
    static const struct {
        const char *text, *want;
        double value;
    } rows[] = {
        {"94.08 GiB", "", 94.08 * 1073741824.0},
        {"'35 %'", "", 0.35},
        {"-17", "", -17},
        {"010", "", 10},
        {"94.08 Gib", "U002 y:1:1 [94.08 Gib]", 0},
        {"94.08 GiB/card", "U002 y:1:1 [94.08 GiB/card]", 0},
        {"1:30", "U002 y:1:1 [1:30]", 0},
        {"0x1F", "U002 y:1:1 [0x1F]", 0},
        {"many", "S004 y:1:1 [many]", 0},
        {"~", "S004 y:1:1 [~]", 0},
        {".inf", "S004 y:1:1 [.inf]", 0},
        {"1e999", "S004 y:1:1 [1e999]", 0},
        {"[17 B]", "S003 y:1:1 [[]", 0},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_quantity q;
        bool good = ks_read_quantity(&w->diags, read_text(w, rows[i].text), &q);
        CHECK_TEXT(rows[i].text, summary(w), rows[i].want);
        CHECK_WHOLE(rows[i].text, good, rows[i].want[0] == '\0');
        if (good)
            CHECK_REAL(rows[i].text, q.value, rows[i].value, 0);
    }
    ks_quantity q;
    ks_read_quantity(&w->diags, read_text(w, "94.08 Gib"), &q);
    CHECK("the units are told", ks_find_byte(written(w), '%', 0) < written(w).n);
}

static void dimensions_that_are_wrong(void **state)
{
    world *w = *state;
    static const struct {
        const char *text;
        ks_dim want;
        const char *code, *message;
        size_t notes;
    } rows[] = {
        {"94.08", {1, 0, 0}, "U001", "the unit is missing: this is in bytes", 1},
        {"17", {1, -1, 0}, "U001", "the unit is missing: this is in bytes/second", 0},
        {"17 s", {1, 0, 0}, "U003", "this must be in bytes, not in seconds", 0},
        {"17 GB/s", {0, 0, 0}, "U003", "this must be in plain numbers, not in bytes/second", 0},
        {"17 %", {1, 0, 0}, "U003", "this must be in bytes, not in plain numbers", 0},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_quantity q;
        const ks_doc *doc = read_text(w, rows[i].text);
        CHECK(rows[i].text, ks_read_quantity(&w->diags, doc, &q));
        ks_wrong_dimension(&w->diags, doc->span, q, rows[i].want);
        const char *want = ks_format(w->arena, "%s y:1:1 [%s]", rows[i].code, rows[i].text).s;
        CHECK_TEXT(rows[i].text, summary(w), want);
        CHECK_TEXT(rows[i].text, w->diags.items[0].text, rows[i].message);
        CHECK_WHOLE(rows[i].text, w->diags.items[0].notes != NULL, rows[i].notes);
    }
}

static void whole_numbers(void **state)
{
    world *w = *state;
    static const struct {
        const char *text, *want;
        int64_t value;
    } rows[] = {
        {"3", "", 3},
        {"8191", "", 8191},
        {"17", "", 17},
        {"1.7e1", "", 17},
        {"2", "S006 y:1:1 [2]", 0},
        {"8192", "S006 y:1:1 [8192]", 0},
        {"-17", "S006 y:1:1 [-17]", 0},
        {"17.5", "S004 y:1:1 [17.5]", 0},
        {"1e30", "S004 y:1:1 [1e30]", 0},
        {"many", "S004 y:1:1 [many]", 0},
        {"17 tokens", "U003 y:1:1 [17 tokens]", 0},
        {"17 toks", "U002 y:1:1 [17 toks]", 0},
        {"[17]", "S003 y:1:1 [[]", 0},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        int64_t value = 0;
        bool good = ks_read_whole(&w->diags, read_text(w, rows[i].text), 3, 8191, &value);
        CHECK_TEXT(rows[i].text, summary(w), rows[i].want);
        CHECK_WHOLE(rows[i].text, good, rows[i].want[0] == '\0');
        if (good)
            CHECK_WHOLE(rows[i].text, value, rows[i].value);
    }
    int64_t value;
    CHECK("percent", !ks_read_whole(&w->diags, read_text(w, "1700 %"), 3, 8191, &value));
    CHECK_TEXT("percent", summary(w), "S004 y:1:1 [1700 %]");
}

static void formats(void **state)
{
    world *w = *state;
    ks_check_format(&w->diags, read_text(w, "kvsim: 2\n"));
    CHECK_TEXT("written", written(w),
               "y:1:8: error[S007]: this program reads format 1 only\n"
               "    kvsim: 2\n"
               "           ^\n");
    static const char *const rows[][2] = {
        {"kvsim: 1\ngpu: h200\n", ""},
        {"gpu: h200\nkvsim: 1\n", ""},
        {"gpu: h200\n", "S002 y:1:1 [g] ?kvsim: 1"},
        {"kvsim: 2\n", "S007 y:1:8 [2]"},
        {"kvsim: 1.0\n", "S007 y:1:8 [1.0]"},
        {"kvsim:\n", "S007 y:1:7 []"},
        {"kvsim: [1]\n", "S007 y:1:8 [[]"},
        {"[kvsim]\n", "S003 y:1:1 [[]"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        bool good = ks_check_format(&w->diags, read_text(w, rows[i][0]));
        CHECK_TEXT(rows[i][0], summary(w), rows[i][1]);
        CHECK_WHOLE(rows[i][0], good, rows[i][1][0] == '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(fields_are_filled),
        IN_WORLD(fields_that_do_not_fit),
        IN_WORLD(as_written),
        IN_WORLD(kinds),
        IN_WORLD(switches),
        IN_WORLD(quantities),
        IN_WORLD(dimensions_that_are_wrong),
        IN_WORLD(whole_numbers),
        IN_WORLD(formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
