/* YAML to a tree with places; every text that is not taken, with its code and place. */
#include "support.h"

#include "read/yaml.h"

static ks_doc *read_text(world *w, ks_str text)
{
    forget_diags(w);
    return ks_read_yaml(&w->diags, ks_source_new(w->arena, KS_STR("y"), text));
}

static void trees(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {"kvsim: 1\ngpu: h200\n", "{kvsim@1:1=1@1:8+1, gpu@2:1=h200@2:6+4}"},
        {"a:\n  - 17 B\n  - [x, {y: 3.5}]\n  -\n",
         "{a@1:1=[17 B@2:5+4, [x@3:6+1, {y@3:10=3.5@3:13+3}], @4:4+0]}"},
        {"b: {}\nc: []\n", "{b@1:1={}, c@2:1=[]}"},
        {"just words", "just words@1:1+10"},
        {"a: yes\nb: 010\nc: 1:30\nd: ~\ne: null\n",
         "{a@1:1=yes@1:4+3, b@2:1=010@2:4+3, c@3:1=1:30@3:4+4, d@4:1=~@4:4+1, e@5:1=null@5:4+4}"},
        /* Nothing is at the place where it would be. */
        {"a:\nb: 31\n", "{a@1:1=@1:3+0, b@2:1=31@2:4+2}"},
        {"a: # why\nb: 31 # because\n", "{a@1:1=@1:3+0, b@2:1=31@2:4+2}"},
        /* Quotes are not part of the span; escapes make it inexact. */
        {"a: \"94.08 GiB\"\nb: 'x + y'\n", "{a@1:1=94.08 GiB'@1:5+9, b@2:1=x + y'@2:5+5}"},
        {"a: \"x\\ty\"\nb: 'it''s'\n", "{a@1:1=x\ty'?@1:5+4, b@2:1=it's'?@2:5+5}"},
        {"a: \"\"\n", "{a@1:1='@1:5+0}"},
        {"\"kv.cell\": 17\n'tp': 8\n", "{kv.cell@1:2=17@1:12+2, tp@2:2=8@2:7+1}"},
        /* Over several lines: a line break with its blanks reads as one blank. */
        {"f: real(a)\n    + b *\n    c\nz: 1", "{f@1:1=real(a) + b * c@1:4+23, z@4:1=1@4:4+1}"},
        {"f: \"real(a)\r\n    + b\"\n", "{f@1:1=real(a) + b'@1:5+16}"},
        {"f: a\n\n   b\n", "{f@1:1=a\nb?@1:4+7}"},
        {"f: \"a \\\n   b\"\n", "{f@1:1=a b'?@1:5+8}"},
        {"f: >\n  a +\n  b\nz: 1", "{f@1:1=a + b\n'?@1:4+12, z@4:1=1@4:4+1}"},
        {"f: |\n  a\n  b\n", "{f@1:1=a\nb\n'?@1:4+10}"},
        /* Characters of several bytes before a value: columns count bytes. */
        {"\xc3\xa9: \xe2\x82\xac\nn\xc3\xa4me: {x: 17, \xf0\x9f\x98\x80: 31 B}\n",
         "{\xc3\xa9@1:1=\xe2\x82\xac@1:5+3, "
         "n\xc3\xa4me@2:1={x@2:9=17@2:12+2, \xf0\x9f\x98\x80@2:16=31 B@2:22+4}}"},
        {"# \xe2\x82\xac\xe2\x82\xac\na: 'b\xc3\xa9' # \xc3\xa9\nc: d\n",
         "{a@2:1=b\xc3\xa9'@2:5+3, c@3:1=d@3:4+1}"},
        /* A byte order mark is three bytes of the first line. */
        {"\xef\xbb\xbf"
         "a: 17\nb: c\n",
         "{a@1:4=17@1:7+2, b@2:1=c@2:4+1}"},
        {"a: 17\r\nb: c\r\n", "{a@1:1=17@1:4+2, b@2:1=c@2:4+1}"},
        {"--- \na: 17\n...\n", "{a@2:1=17@2:4+2}"},
        {"%YAML 1.1\n---\na: 17\n", "{a@3:1=17@3:4+2}"},
        {"---\n", "@2:1+0"},
        {"? a\n: 17\n", "{a@1:3=17@2:3+2}"},
        {"?\n: 17\n", "{@1:2=17@2:3+2}"},
        {"[a: 17, b]", "[{a@1:2=17@1:5+2}, b@1:9+1]"},
        {"<<: 17\n", "{<<@1:1=17@1:5+2}"},
        {"a: b#c\n", "{a@1:1=b#c@1:4+3}"},
        {"url: http://x/y?z=1&w\n", "{url@1:1=http://x/y?z=1&w@1:6+16}"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_builder b = {.arena = w->arena};
        const ks_doc *doc = read_text(w, ks_from_c(rows[i][0]));
        CHECK_TEXT(rows[i][0], summary(w), "");
        assert_non_null(doc);
        add_tree(&b, doc, true);
        CHECK_TEXT(rows[i][0], ks_built(&b), rows[i][1]);
    }
}

static void errors(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {"", "Y006 y []"},
        {"# nothing\n", "Y006 y:1:1 [#]"},
        {"a: 17\nbc: 1\na: 3\n", "Y003 y:3:1 [a] <- y:1:1 [a]"},
        {"x: {a: 17, 'a': 3}\n", "Y003 y:1:13 [a] <- y:1:5 [a]"},
        {"x: {a: 17, a: 3, a: 5}\n", "Y003 y:1:12 [a] <- y:1:5 [a]"},
        {"\xc3\xa9: 1\n\xc3\xa9: 2\n", "Y003 y:2:1 [\xc3\xa9] <- y:1:1 [\xc3\xa9]"},
        {"~: 1\n~: 2\n", "Y003 y:2:1 [~] <- y:1:1 [~]"},
        {"a: &x 17\nb: *x\n", "Y004 y:1:4 [&x 17]"},
        {"a: *x\n", "Y004 y:1:4 [*x]"},
        {"a: !!int 17\n", "Y004 y:1:4 [!!int 17]"},
        {"a: !mine 17\n", "Y004 y:1:4 [!mine 17]"},
        {"a: &x {b: 17}\n", "Y004 y:1:4 [&]"},
        {"a: !!map {b: 17}\n", "Y004 y:1:4 [!]"},
        {"a: !!seq [17]\n", "Y004 y:1:4 [!]"},
        {"&x a: 17\n", "Y004 y:1:1 [&x a]"},
        {"a: ! 17\n", "Y004 y:1:4 [! 17]"},
        {"a: 17\n---\nb: 1\n", "Y006 y:2:1 [---]"},
        {"a: 17\n...\n---\nb: 1\n", "Y006 y:3:1 [---]"},
        {"--- a\n--- b\n", "Y006 y:2:1 [---]"},
        {"[a]: 17\n", "S003 y:1:1 [[]"},
        {"{{a: 1}: 17}\n", "S003 y:1:2 [{]"},
        {"? {a: 1}\n: 17\n", "S003 y:1:3 [{]"},
        {"a: [17, 3\n", "Y002 y:2:1 []"},
        {"a: 17]\nb: {c", "Y002 y:2:6 []"},
        {"a: 'x\n", "Y002 y:2:1 []"},
        {"a: \"\\q\"\n", "Y002 y:1:5 [\\]"},
        {"a: @x\n", "Y002 y:1:4 [@]"},
        {": 17\n", "Y002 y:1:1 [:]"},
        {"a: b: c\n", "Y002 y:1:5 [:]"},
        {"a: 17\n b: 3\n", "Y002 y:2:3 [:]"},
        {"a:\n\t- 17\n", "Y002 y:2:1 [\t]"},
        {"- a\nb: 17\n", "Y002 y:2:1 [b]"},
        {"%YAML 9.0\n---\na: 1\n", "Y002 y:1:1 [%]"},
        {"a: \x01\n", "Y002 y:1:4 [\x01]"},
        {"a: 17 \xff\n", "Y002 y:1:7 [\xff]"},
        {"a: 17\nb: \xc3", "Y002 y:2:4 [\xc3]"},
        {"\xc3\xa9\xc3\xa9: 17\nb: \xed\xa0\x80\n", "Y002 y:2:4 [\xed]"},
        {"\xef\xbb\xbf"
         "a: \xfe\n",
         "Y002 y:1:7 [\xfe]"},
        {"\xc3\xa9: \xc3\xa9\n\xe2\x82\xac: [\xe2\x82\xac, @]\n", "Y002 y:2:12 [@]"},
        {"\xef\xbb\xbf"
         "\xc3\xa9: {a: 1, a: 2}\n",
         "Y003 y:1:15 [a] <- y:1:9 [a]"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        CHECK(rows[i][0], read_text(w, ks_from_c(rows[i][0])) == NULL);
        CHECK_TEXT(rows[i][0], summary(w), rows[i][1]);
    }
    CHECK("NUL", read_text(w, KS_STR("a: \0b\n")) == NULL);
    CHECK("NUL", ks_starts_with(summary(w), KS_STR("Y002 y:1:4 ")));
}

static void errors_as_written(void **state)
{
    world *w = *state;
    read_text(w, KS_STR("sources: {a: 1}\nkv.cell: 17 B\nentries:\n  kv: 3\nkv.cell: 31 B\n"));
    CHECK_TEXT("twice", written(w),
               "y:5:1: error[Y003]: \"kv.cell\" is there twice\n"
               "    kv.cell: 31 B\n"
               "    ^^^^^^^\n"
               "y:2:1: note: first written here\n"
               "    kv.cell: 17 B\n"
               "    ^^^^^^^\n");
    read_text(w, KS_STR("gpu:\n\tname: h200\n"));
    CHECK_TEXT("tab", written(w),
               "y:2:1: error[Y002]: not YAML: while scanning for the next token: found character "
               "that cannot start any token\n"
               "    \tname: h200\n"
               "    ^\n"
               "  note: indent with blanks, not with tabs\n");
    read_text(w, KS_STR("tp: &eight 8\n"));
    CHECK_TEXT("anchor", written(w),
               "y:1:5: error[Y004]: anchors and tags are not taken here: write the value itself\n"
               "    tp: &eight 8\n"
               "        ^^^^^^^^\n");
}

/* ---- Limits ---------------------------------------------------------------------------------- */

static ks_str repeated(world *w, const char *unit, size_t n)
{
    ks_builder b = {.arena = w->arena};
    for (size_t i = 0; i < n; i++)
        ks_add(&b, ks_from_c(unit));
    return ks_built(&b);
}

static ks_str nested(world *w, const char *open, const char *inside, const char *close, size_t n)
{
    return ks_format(w->arena, "%.*s%s%.*s", KS_ARG(repeated(w, open, n)), inside,
                     KS_ARG(repeated(w, close, n)));
}

static void depth(void **state)
{
    world *w = *state;
    const struct {
        const char *name;
        ks_str text;
        const char *want;
    } rows[] = {
        {"64 lists", nested(w, "[", "17", "]", 64), ""},
        {"65 lists", nested(w, "[", "17", "]", 65), "Y005 y:1:65 [[]"},
        {"64 maps", nested(w, "{a: ", "17", "}", 64), ""},
        {"65 maps", nested(w, "{a: ", "17", "}", 65), "Y005 y:1:257 [{]"},
        {"64 block lists", nested(w, "- ", "x", "", 64), ""},
        {"70 block lists", nested(w, "- ", "x", "", 70), "Y005 y:1:129 [-]"},
        /* What is wrong behind the limit is not looked at, and it takes no time. */
        {"200000 lists", nested(w, "[", "", "", 200000), "Y005 y:1:65 [[]"},
        {"200000 maps", nested(w, "{a: ", "", "", 200000), "Y005 y:1:257 [{]"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        bool good = read_text(w, rows[i].text) != NULL;
        CHECK_TEXT(rows[i].name, summary(w), rows[i].want);
        CHECK_WHOLE(rows[i].name, good, rows[i].want[0] == '\0');
    }
}

static void sizes(void **state)
{
    world *w = *state;
    /* The list itself is a value too. */
    const ks_doc *most = read_text(w,
                                   nested(w, "[", repeated(w, "x,", KS_MAX_NODES - 1).s, "]", 1));
    CHECK_TEXT("400,000 values", summary(w), "");
    CHECK_WHOLE("400,000 values", most->n, KS_MAX_NODES - 1);
    CHECK("a value more",
          read_text(w, nested(w, "[", repeated(w, "x,", KS_MAX_NODES).s, "]", 1)) == NULL);
    CHECK_TEXT("a value more", summary(w), "Y005 y:1:800000 [x]");
    ks_str large = repeated(w, "# 0123456789 comment\n", (4 << 20) / 21 + 1);
    CHECK("over 4 MiB", read_text(w, large) == NULL);
    CHECK_TEXT("over 4 MiB", summary(w), "Y005 y:1:1 [#]");
    CHECK("4 MiB", read_text(w, ks_slice(large, 0, 4 << 20)) == NULL);
    CHECK_TEXT("4 MiB", summary(w), "Y006 y:1:1 [#]");
}

static void many_keys(void **state)
{
    world *w = *state;
    ks_builder b = {.arena = w->arena};
    for (int i = 0; i < 30011; i++)
        ks_addf(&b, "key_%d: %d\n", i, i * 7);
    const ks_doc *doc = read_text(w, ks_built(&b));
    CHECK_TEXT("keys", summary(w), "");
    CHECK_TEXT("key_29387", ks_member_of(doc, "key_29387")->text, "205709");
    ks_add(&b, KS_STR("key_1234: again\n"));
    CHECK("twice", read_text(w, ks_built(&b)) == NULL);
    CHECK_TEXT("twice", summary(w), "Y003 y:30012:1 [key_1234] <- y:1235:1 [key_1234]");
    /* Each key of maps of all sizes up to fifty, once more. */
    for (int n = 1; n < 50; n++)
        for (int k = 0; k < n; k++) {
            ks_builder few = {.arena = w->arena};
            for (int i = 0; i < n; i++)
                ks_addf(&few, "%c%d: %d\n", 'a' + i % 3, i, i);
            ks_addf(&few, "%c%d: again\n", 'a' + k % 3, k);
            const char *row = ks_to_c(w->arena, ks_built(&few));
            CHECK(row, read_text(w, ks_built(&few)) == NULL);
            const char *want = ks_format(w->arena, "Y003 y:%d:1 [%c%d] <- y:%d:1 [%c%d]", n + 1,
                                         'a' + k % 3, k, k + 1, 'a' + k % 3, k)
                                   .s;
            CHECK_TEXT(row, summary(w), want);
        }
}

/* ---- Documents ------------------------------------------------------------------------------- */

static void members(void **state)
{
    world *w = *state;
    const ks_doc *doc = read_text(
        w, KS_STR("a: 17\nb: {c: 31 B}\nd: [5]\nn:\nq: ''\nt: ~\nu: 'null'\n"));
    CHECK_TEXT("a", ks_member_of(doc, "a")->text, "17");
    CHECK_TEXT("b.c", ks_member_of(ks_member_of(doc, "b"), "c")->text, "31 B");
    CHECK("no such key", ks_member_of(doc, "c") == NULL);
    CHECK("not a map", ks_member_of(ks_member_of(doc, "d"), "c") == NULL);
    CHECK("nothing", ks_member_of(NULL, "c") == NULL);
    CHECK_TEXT("words", ks_from_c(ks_doc_kind_words(doc)), "a mapping");
    CHECK_TEXT("words", ks_from_c(ks_doc_kind_words(ks_member_of(doc, "d"))), "a list");
    CHECK_TEXT("words", ks_from_c(ks_doc_kind_words(ks_member_of(doc, "a"))), "a single value");
    static const struct {
        const char *key;
        bool null;
    } rows[] = {{"a", false}, {"b", false}, {"n", true}, {"q", false}, {"t", true}, {"u", false}};
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_WHOLE(rows[i].key, ks_is_null(ks_member_of(doc, rows[i].key)), rows[i].null);
}

/* The text that a formula is read from: with places where the bytes are known. */
static void one_line(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {"f: a\n   + b\n", "a\n   + b"},
        {"f: \"a  + b\"\n", "a  + b"},
        {"f: 'it''s'\n", "it's"},
        {"f: >\n  a +\n  b\n", "a + b\n"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_TEXT(rows[i][0], ks_one_line(ks_member_of(read_text(w, ks_from_c(rows[i][0])), "f")),
                   rows[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(trees), IN_WORLD(errors),    IN_WORLD(errors_as_written), IN_WORLD(depth),
        IN_WORLD(sizes), IN_WORLD(many_keys), IN_WORLD(members),           IN_WORLD(one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
