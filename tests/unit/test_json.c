/* JSON to a tree with places; every text that is not taken, with its code and place. */
#include "support.h"

#include "read/json.h"

static ks_doc *read_text(world *w, ks_str text)
{
    forget_diags(w);
    return ks_read_json(&w->diags, ks_source_new(w->arena, KS_STR("j"), text));
}

static void trees(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {"{\"hidden_size\": 7168}", "{hidden_size@1:3=7168@1:17+4}"},
        {"{\n  \"a\": [1.5e3, true,null],\n  \"b\": {\"c\": \"x\"}\n}",
         "{a@2:4=[1.5e3@2:9+5, true@2:16+4, null@2:21+4], b@3:4={c@3:10=x'@3:15+1}}"},
        {"[]", "[]"},
        {"{\"q\\\"k\": \"a\\\\\\\"b\"}", "{q\"k@1:3=a\\\"b'@1:11+6}"},
        {"{\"u\": \"\\ud83d\\ude00\", \"z\": 2}", "{u@1:3=\xf0\x9f\x98\x80'@1:8+12, z@1:24=2@1:28+1}"},
        {"[[[-0.25]]]", "[[[-0.25@1:4+5]]]"},
        {"\"alone\"", "alone'@1:2+5"},
        {"{\"limit\": [0.5, Infinity, -Infinity], \"Infinity\": \"Infinity\"}",
         "{limit@1:3=[0.5@1:12+3, null@1:17+8, null@1:27+9], Infinity@1:40=Infinity'@1:52+8}"},
        {"17", "17@1:1+2"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_builder b = {.arena = w->arena};
        ks_doc *doc = read_text(w, ks_from_c(rows[i][0]));
        CHECK(rows[i][0], doc != NULL);
        add_tree(&b, doc, false);
        CHECK_TEXT(rows[i][0], ks_built(&b), rows[i][1]);
    }
}

static void errors(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {"", "Y002 j []"},
        {"{\"a\": }", "Y002 j:1:7 [}]"},
        {"{\"a\": 1, \"a\": 2}", "Y002 j:1:12 [\"]"},
        {"{\"a\": NaN}", "Y002 j:1:9 [N]"},
        {"{\"a\": 1} x", "Y002 j:1:10 [x]"},
        {"{\"a\": \"\xff\"}", "Y002 j:1:7 [\"]"},
        {"[1, 2", "Y002 j:1:5 [2]"},
        {"{'a': 1}", "Y002 j:1:2 [']"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        CHECK(rows[i][0], !read_text(w, ks_from_c(rows[i][0])));
        CHECK_TEXT(rows[i][0], summary(w), rows[i][1]);
    }
}

/* Deeper than the limit, at it, and far beyond what jansson takes. */
static void depth(void **state)
{
    world *w = *state;
    static const struct {
        size_t n;
        bool good;
    } rows[] = {{KS_MAX_DEPTH, true}, {KS_MAX_DEPTH + 2, false}, {200000, false}};
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_builder b = {.arena = w->arena};
        for (size_t k = 0; k < rows[i].n; k++)
            ks_add(&b, KS_STR("["));
        for (size_t k = 0; k < rows[i].n; k++)
            ks_add(&b, KS_STR("]"));
        CHECK_WHOLE("nested lists", read_text(w, ks_built(&b)) != NULL, rows[i].good);
        CHECK_WHOLE("nested lists", w->diags.errors, rows[i].good ? 0 : 1);
    }
}

static void many_members(void **state)
{
    world *w = *state;
    ks_builder b = {.arena = w->arena};
    ks_add(&b, KS_STR("{"));
    for (int i = 0; i < 30011; i++)
        ks_addf(&b, "%s\"key%d\": %d", i ? ", " : "", i, 3 * i);
    ks_add(&b, KS_STR("}"));
    ks_doc *doc = read_text(w, ks_built(&b));
    CHECK("many members", doc && doc->n == 30011);
    CHECK_TEXT("many members", doc->items[29991].value->text, "89973");
    CHECK_TEXT("many members", doc->items[29991].key, "key29991");
}

int main(void)
{
    const struct CMUnitTest tests[] = {IN_WORLD(trees), IN_WORLD(errors), IN_WORLD(depth),
                                       IN_WORLD(many_members)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
