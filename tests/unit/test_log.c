/* The log reader: patterns, lines, ranks, numbers with how far they were rounded; the search for many
 * texts at once; and arguments as Python prints them. */
#include "support.h"

#include "read/flagtext.h"
#include "read/log.h"
#include "read/needles.h"
#include "read/python.h"

/* ---- Many texts at once. ---------------------------------------------------------------------------- */

static void needles(void **state)
{
    world *w = *state;
    static const struct {
        const char *texts, *in, *want; /* want: text number and end of each */
    } rows[] = {
        {"he|she|his|hers", "ushers, his", "1@4 0@4 3@6 2@11"},
        {"aaa|aa", "aaaaa", "1@2 0@3 1@3 0@4 1@4 0@5 1@5"},
        {"Load weight end. elaps|Load weight end. type=", "xLoad weight end. type=A", "1@23"},
        {"abcd|bc", "abc abcd", "1@3 1@7 0@8"},
        {"q", "", ""},
        {"\xff\xfe|\x01", "\x01\xff\xfe\xff", "1@1 0@3"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_str texts[8], rest = ks_from_c(rows[i].texts);
        size_t n = 0, needle, end;
        ks_builder b = {.arena = w->arena};
        while (rest.n)
            texts[n++] = ks_cut(rest, '|', &rest);
        ks_search search = {.needles = ks_needles_new(w->arena, texts, n),
                            .text = ks_from_c(rows[i].in)};
        while (ks_next_needle(&search, &needle, &end))
            ks_addf(&b, "%s%zu@%zu", b.n ? " " : "", needle, end);
        CHECK_TEXT(rows[i].in, ks_built(&b), rows[i].want);
        CHECK(rows[i].in, !ks_next_needle(&search, &needle, &end));
    }
}

/* ---- Lines. --------------------------------------------------------------------------------------------- */

typedef struct noted {
    ks_builder text;
    size_t n;
} noted;

/* "line:pattern[tp,pp,dp] value+-half(decimals) ... rest" */
static bool note(void *context, const ks_log_match *m)
{
    noted *all = context;
    ks_addf(&all->text, "%s%zu:%zu", all->n++ ? " | " : "", m->line, m->pattern);
    if (m->rank.tp >= 0 || m->rank.pp >= 0 || m->rank.dp >= 0)
        ks_addf(&all->text, "[%d,%d,%d]", m->rank.tp, m->rank.pp, m->rank.dp);
    for (size_t i = 0; i < KS_LOG_NUMBERS && m->numbers[i].value < 1e30; i++)
        if (m->numbers[i].value > 0 || m->numbers[i].value < 0 || m->numbers[i].half > 0)
            ks_addf(&all->text, " %.17g+-%g(%d)", m->numbers[i].value, m->numbers[i].half,
                    m->numbers[i].decimals);
    if (m->rest.n)
        ks_addf(&all->text, " <%.*s>", KS_ARG(ks_slice(m->rest, 0, 24)));
    if (m->date)
        ks_addf(&all->text, " on %d", m->date);
    if (m->begun)
        ks_addf(&all->text, " begun %zu", m->n_literal);
    if (m->cut)
        ks_add(&all->text, KS_STR(" cut"));
    return true;
}

/* Feeds a text in parts of `step` bytes; patterns are parted by new lines. */
static ks_str matches_of(world *w, const char *patterns, ks_str log, size_t step, size_t *lines)
{
    ks_log_pattern list[8];
    size_t n = 0;
    ks_str rest = ks_from_c(patterns);
    noted all = {.text = {.arena = w->arena}};
    while (rest.n) {
        ks_str one = ks_cut(rest, '\n', &rest);
        CHECK(patterns, ks_log_pattern_of(w->arena, one, &list[n]));
        list[n++].may_be_cut = ks_starts_with(one, KS_STR("Error: "));
    }
    ks_log_reader *r = ks_log_reader_new(w->arena, list, n, note, &all);
    for (size_t at = 0; at < log.n; at += step)
        ks_log_feed(r, log.s + at, log.n - at < step ? log.n - at : step);
    ks_log_end(r);
    *lines = ks_log_lines(r);
    return ks_built(&all.text);
}

static const char load_end[] = "Load weight end. type={*}, avail mem={a:GiB:.2f} GB, mem usage={b:GiB:.2f} GB.";

static void lines(void **state)
{
    world *w = *state;
    static const struct {
        const char *patterns, *log, *want;
        size_t lines;
    } rows[] = {
        {"mem={a:.2f} GB", "mem=21.71 GB\n", "1:0 21.710000000000001+-0.005(2)", 1},
        {"mem={a:GiB:.2f} GB", "mem=2.50 GB", "1:0 2684354560+-5.36871e+06(2)", 1},
        {"mem={a:MiB:.1f} MB", "x\nmem=-0.5 MB", "2:0 -524288+-52428.8(1)", 2},
        {"f={a:repr}", "f=0.55", "1:0 0.55000000000000004+-0(2)", 1},
        {"f={a:repr}", "f=1e-05", "1:0 1.0000000000000001e-05+-0(0)", 1},
        {"f={a:.2f}", "f=1e05", "", 1},
        {"#tokens: {a:.0f}, K", "#tokens: 159221, K", "1:0 159221+-0.5(0)", 1},
        {"#tokens: {a:.0f}.", "#tokens: 159221.", "1:0 159221+-0.5(0)", 1},
        {"#tokens: {a:.0f}, K", "#tokens: , K", "", 1},
        {"#tokens: {a:.0f}", "#tokens: 99999999999999999999999999", "", 1},
        {"mem={a:GiB:.2f} GB", "mem=nan GB\nmem=inf GB\nmem=0x10 GB\n", "", 3},
        /* What stands in front does not matter, but for the rank. */
        {"begin {a:.2f}", "[2026-01-01 12:00:00 TP3] begin 1.25", "1:0[3,-1,-1] 1.25+-0.005(2) on 20260101", 1},
        {"begin {a:.2f}", "[2026-01-01 12:00:00 DP1 PP2 TP3 EP3] begin 1.25",
         "1:0[3,2,1] 1.25+-0.005(2) on 20260101", 1},
        {"begin {a:.2f}", "[2026-01-01 12:00:00 ATTN_CP1 MOE_DP2 TP0] INFO x.py:7: begin 1.25",
         "1:0[0,-1,-1] 1.25+-0.005(2) on 20260101", 1},
        {"begin {a:.2f}", "(Worker_TP11 pid=23) INFO begin 1.25", "1:0[11,-1,-1] 1.25+-0.005(2)", 1},
        {"begin {a:.2f}", "(VllmWorker rank=5 pid=23) begin 1.25", "1:0[5,-1,-1] 1.25+-0.005(2)", 1},
        {"begin {a:.2f}", "sglang-1  | [2026-01-01 12:00:00 TP7] begin 1.25",
         "1:0[7,-1,-1] 1.25+-0.005(2) on 20260101", 1},
        {"begin {a:.2f}", "HTTP2 XTP4 TP4x TP begin 1.25", "1:0 1.25+-0.005(2)", 1},
        {"begin {a:.2f}", "TP99999999 begin 1.25", "1:0 1.25+-0.005(2)", 1},
        /* Colours, progress bars, ends of lines. */
        {"begin {a:.2f} GB", "\033[32m[2026 TP1]\033[0m \033]0;t\abegin \033[1;31m1.25\033[0m GB",
         "1:0[1,-1,-1] 1.25+-0.005(2)", 1},
        {"n={a:.0f}", "\r 0%|  |\r n=17 50%|\r n=23\r\nn=29\r\n",
         "1:0 17+-0.5(0) | 1:0 23+-0.5(0) | 2:0 29+-0.5(0)", 2},
        {"n={a:.0f}", "\n\n\nn=17\n\n", "4:0 17+-0.5(0)", 5},
        {"n={a:.0f}", "n=17\033[", "1:0 17+-0.5(0)", 1},
        {"n={a:.0f}", "", "", 0},
        /* Anything, up to the text behind it. */
        {load_end, "Load weight end. type=A, B, avail mem=3.50 GB, mem usage=0.25 GB.",
         "1:0 3758096384+-5.36871e+06(2) 268435456+-5.36871e+06(2) <A, B, avail mem=3.50 GB,>", 1},
        {load_end, "Load weight end. type=A, avail mem=3.50 GB, mem usage=0.25 G", "", 1},
        {load_end, "Load weight end. type=A, avail mem=\rGB 3.50, mem usage=0.25 GB.", "", 1},
        {"a={*}", "a=", "1:0", 1},
        {"a={*}b={x}", "a=1b=2", "1:0 <1b=2>", 1},
        {"{*}c {n:.0f}", "abc 17", "1:0 17+-0.5(0)", 1},
        {"{{{n:.0f}}}", "{17}", "1:0 17+-0.5(0)", 1},
        {"{{a}} b {n:.0f}", "{a} b 17", "1:0 17+-0.5(0)", 1},
        /* Several patterns with one beginning; the place of the second. */
        {"Load weight end. type={*}, n={n:.0f}\nLoad weight end. elapsed={*}, n={n:.0f}",
         "Load weight end. elapsed=3, type=A, n=17", "1:1 17+-0.5(0) <3, type=A, n=17>", 1},
        {"sum {n:.0f}\nsum {n:.0f} x", "sum 17 x",
         "1:1 17+-0.5(0) | 1:0 17+-0.5(0)", 1},
        {"n={n:.0f}!", "n=1 n=2 n=17!", "1:0 17+-0.5(0)", 1},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        for (size_t step = 1; step < 200; step += 41) {
            size_t n;
            ks_str got = matches_of(w, rows[i].patterns, ks_from_c(rows[i].log), step, &n);
            CHECK_TEXT(rows[i].log, got, rows[i].want);
            CHECK_WHOLE(rows[i].log, n, rows[i].lines);
        }
}

/* A line that ends inside of a pattern: the rest comes, or does not, or is not worth telling. */
static void wrapped(void **state)
{
    world *w = *state;
    static const char whole[] = "1:0 3758096384+-5.36871e+06(2) 268435456+-5.36871e+06(2) <A, avail mem=3.50 GB, me>";
    static const char message[] = "Error: no room, share={s:repr}. Say more.\nno room";
    static const struct {
        const char *patterns, *log, *want;
    } rows[] = {
        {load_end, "Load weight end. type=A,\navail mem=3.50 GB, mem usage=0.25 GB.", whole},
        {load_end, "Load weight end. type=A, avail mem=3.5\n0 GB, mem usage=0.25 GB.\n", whole},
        {load_end, "> Load weight end. type=A, avail\n> mem=3.50 GB,\n> mem usage=0.25 GB.\n", whole},
        {load_end, "| Load weight end. type=A, avail mem=3.50 GB, |\n| mem usage=0.25 GB. |\n", whole},
        {load_end, "Load weight\n end. type=A, avail mem=3.50 GB, mem usage=0.25 GB.", ""},
        {load_end, "Load weight end. type=A,\n[12:00:00] avail mem=3.50 GB, mem usage=0.25 GB.", ""},
        {load_end, "Load weight end. type=A,\n\navail mem=3.50 GB, mem usage=0.25 GB.", ""},
        {load_end, "Load weight end. type=A,\navail\nmem=3.50\nGB, mem\nusage=0.25 GB.", ""},
        /* What fits as a whole, and more of it than what is only begun, is not read on. */
        {"load end. type={*}, n={n:.0f}\nload end. type={*}, dtype={*}, n={n:.0f}",
         "load end. type=A, n=17\nload end. type=B, dtype=C, n=23",
         "1:0 17+-0.5(0) <A, n=17> | 2:1 23+-0.5(0) <B, dtype=C, n=23> | "
         "2:0 23+-0.5(0) <B, dtype=C, n=23>"},
        {"load end. left={n:.0f}\nload end. left={n:.0f}, used={m:.0f}", "load end. left=17,\nused=23",
         "1:0 17+-0.5(0) | 1:1 17+-0.5(0) 23+-0.5(0)"},
        /* The beginning of a message. */
        {message, "Error: no room, share=0.45. Say", "1:1 | 1:0 0.45000000000000001+-0(2) begun 27"},
        {message, "Error: no room, share=0.45...\nnext", "1:1 | 1:0 0.45000000000000001+-0(2) begun 22"},
        {message, "Error: no room, share=\xe2\x80\xa6\n[1] next", "1:1 | 1:0 begun 22"},
        {message, "Error: no room, share=0.45. Say less.", "1:1"},
        {message, "Error: no", ""},
        /* The date in front. */
        {"n={n:.0f}", "[2026-01-31 12:00:00 TP0] n=17", "1:0[0,-1,-1] 17+-0.5(0) on 20260131"},
        {"n={n:.0f}", "x  | 2025-12-01T01:02:03.4Z [01-31] n=17", "1:0 17+-0.5(0) on 20251201"},
        {"n={n:.0f}", "12026-01-31 2026-13-01 2026-01-32 n=17", "1:0 17+-0.5(0)"},
        /* A command on several lines. */
        {"run {*}", "x\nrun --a 1 \\\n  --b 2 \\\n --c\nrun", "2:0 <--a 1    --b 2   --c>"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        for (size_t step = 1; step < 100; step += 33) {
            size_t n;
            CHECK_TEXT(rows[i].log, matches_of(w, rows[i].patterns, ks_from_c(rows[i].log), step, &n),
                       rows[i].want);
        }
}

/* Lines that each begin a pattern cost a few times what others do. */
static void many_begun(void **state)
{
    world *w = *state;
    ks_builder b = {.arena = w->arena};
    size_t n;
    for (int i = 0; i < 20000; i++)
        ks_add(&b, KS_STR("Load weight end. type=A,\n"));
    CHECK_TEXT("many begun", matches_of(w, load_end, ks_built(&b), 65536, &n), "");
    CHECK_WHOLE("many begun", n, 20000);
}

static void zero_bytes(void **state)
{
    world *w = *state;
    static const char log[] = "a\0b n=17\0\n\0\0n=23 \xff\xfe n=29\n";
    size_t n;
    CHECK_TEXT("zero bytes", matches_of(w, "n={a:.0f}", (ks_str){log, sizeof log - 1}, 7, &n),
               "1:0 17+-0.5(0) | 2:0 23+-0.5(0)");
}

/* What stands behind the longest line is not seen, and not kept. */
static void long_lines(void **state)
{
    world *w = *state;
    ks_builder b = {.arena = w->arena};
    size_t n;
    ks_add(&b, KS_STR("n=17 "));
    while (b.n < 3 * KS_LOG_LINE)
        ks_add(&b, KS_STR("abcdefghijklmnopqrstuvwxyz"));
    ks_add(&b, KS_STR("m=23\nm=29\n"));
    CHECK_TEXT("a long line", matches_of(w, "n={a:.0f}\nm={a:.0f}", ks_built(&b), 4099, &n),
               "1:0 17+-0.5(0) cut | 2:1 29+-0.5(0)");
    size_t before = ks_arena_used(w->arena);
    ks_log_pattern p;
    noted all = {.text = {.arena = w->arena}};
    ks_log_pattern_of(w->arena, KS_STR("n={a:.0f}"), &p);
    ks_log_reader *r = ks_log_reader_new(w->arena, &p, 1, note, &all);
    size_t made = ks_arena_used(w->arena);
    for (int i = 0; i < 2000; i++)
        ks_log_feed(r, b.items, b.n - 11);
    CHECK_WHOLE("nothing is kept", ks_arena_used(w->arena), made);
    CHECK("the reader is small", made - before < (size_t)256 << 10);
}

/* A line full of beginnings costs no more than a few tries. */
static void many_beginnings(void **state)
{
    world *w = *state;
    ks_builder b = {.arena = w->arena};
    size_t n;
    while (b.n < KS_LOG_LINE)
        ks_add(&b, KS_STR("a=x, "));
    ks_add(&b, KS_STR("\n"));
    ks_str line = ks_built(&b);
    for (int i = 0; i < 6; i++)
        ks_add(&b, line);
    CHECK_TEXT("many beginnings", matches_of(w, "a={*}!{n:.0f}", ks_built(&b), 65536, &n), "");
    CHECK_WHOLE("many beginnings", n, 7);
}

static void no_literal(void **state)
{
    world *w = *state;
    ks_log_pattern p;
    CHECK("{*}", !ks_log_pattern_of(w->arena, KS_STR("{*}{n:.2f}"), &p));
    CHECK("empty", !ks_log_pattern_of(w->arena, KS_STR(""), &p));
    CHECK("an open brace", ks_log_pattern_of(w->arena, KS_STR("a {b"), &p));
    CHECK_WHOLE("an open brace", p.n, 1);
    CHECK("not a style", ks_log_pattern_of(w->arena, KS_STR("a {b:GiB} {c:XX:.2f} {d:.12f}"), &p));
    CHECK_WHOLE("not a style", p.n_numbers, 0);
}

/* ---- Python. ---------------------------------------------------------------------------------------------- */

static void python(void **state)
{
    world *w = *state;
    static const char kinds[] = {[KS_PY_NONE] = 'n', [KS_PY_TRUTH] = 't', [KS_PY_NUMBER] = '#',
                                 [KS_PY_TEXT] = '\'', [KS_PY_OTHER] = '?'};
    static const struct {
        const char *text, *want;
        bool complete;
    } rows[] = {
        {"model_path='a/b', tp_size=8, f=0.88, x=None, y=True)",
         "model_path='a/b tp_size=#8 f=#0.88 x=nNone y=tTrue", true},
        {"a='it\\'s', b=\"x, y=1)\", c=-1)", "a='it's b='x, y=1) c=#-1", true},
        {"bs=[1, 2, 17], n=3)", "bs=#1* bs=#2* bs=#17* n=#3", true},
        {"a=[], b=(), c={}, d='')", "d='", true},
        {"g=Config(decode=Phase(backend=<Backend.FULL: 'full'>, bs=[1], max_bs=256), x=Y.Z), n=3)",
         "g.decode.backend='full g.decode.bs=#1* g.decode.max_bs=#256 g.x=?Y.Z n=#3", true},
        {"'model': 'x', 'tp': 2, 'kv': {'dtype': 'fp8', 'n': {'k': 1}}}",
         "model='x tp=#2 kv.dtype='fp8 kv.n.k=#1", true},
        {"a=<object at 0x7f>, b=inf, c=1e-05)", "a=?object at 0x7f b=?inf c=#1e-05", true},
        {"a = 3, b= 'c')", "a=#3 b='c", true},
        {"a=[('x', 1), ('y', 2)], b=7)", "a='x* a=#1* a='y* a=#2* b=#7", true},
        /* Cut off: what may not be whole is left out. */
        {"a=3, b=0.8", "a=#3", false},
        {"a=3, b='tex", "a=#3", false},
        {"a=3, b", "a=#3", false},
        {"a=3, b=[1, 2", "a=#3 b=#1*", false},
        {"a=3, b=@, c=4)", "a=#3", false},
        {"", "", false},
        {")", "", true},
        {"((((((((((((((((((((((((((((((((((((((((((((((((((((", "", false},
        {"1, 2, 'x')", "", true},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_builder b = {.arena = w->arena};
        ks_python_items items = ks_read_python(w->arena, ks_from_c(rows[i].text));
        for (size_t k = 0; k < items.n; k++) {
            const ks_python_item *item = &items.items[k];
            ks_addf(&b, "%s%.*s=%c%.*s%s", k ? " " : "", KS_ARG(item->name), kinds[item->kind],
                    KS_ARG(item->text), item->listed ? "*" : "");
        }
        CHECK_TEXT(rows[i].text, ks_built(&b), rows[i].want);
        CHECK_WHOLE(rows[i].text, items.complete, rows[i].complete);
    }
}

/* Flags in a command or a part of a list. */
static void flag_texts(void **state)
{
    world *w = *state;
    static const char kinds[] = {[KS_PY_NONE] = 'n', [KS_PY_TRUTH] = 't', [KS_PY_NUMBER] = '#',
                                 [KS_PY_TEXT] = '\'', [KS_PY_OTHER] = '?'};
    static const struct {
        const char *text, *want;
    } rows[] = {
        {" --model-path a/b --tp 8 --mem-fraction-static=0.45 --trust-remote-code",
         "model_path=?a/b tp=#8 mem_fraction_static=#0.45 trust_remote_code=tTrue"},
        {" --host 0.0.0.0 --enable-x --page-size 64 2>&1 | tee x", "host=?0.0.0.0 enable_x=tTrue page_size=#64"},
        {"--args '{\"a\": 1}' --chat \"x y\" --n 3", "args='{\"a\": 1} chat='x y n=#3"},
        {" ... tp_size=4 ... mem_fraction_static=0.8 ... quantization='fp8', x=None, y=True ...",
         "tp_size=#4 mem_fraction_static=#0.8 quantization='fp8 x=nNone y=tTrue"},
        {".mem_fraction_static=0.2", ""}, /* it may be cut off: 0.25 */
        {".mem_fraction_static=0.2.", "mem_fraction_static=#0.2"},
        {"=ServerArgs(a=[1, 2], b=(3), c='te", ""},
        {"-x=3 a--b=4 9=5 --", "a__b=#4 9=#5"},
        {"", ""},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_builder b = {.arena = w->arena};
        ks_python_items items = ks_read_flag_text(w->arena, ks_from_c(rows[i].text));
        for (size_t k = 0; k < items.n; k++)
            ks_addf(&b, "%s%.*s=%c%.*s", k ? " " : "", KS_ARG(items.items[k].name),
                    kinds[items.items[k].kind], KS_ARG(items.items[k].text));
        CHECK_TEXT(rows[i].text, ks_built(&b), rows[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(needles),         IN_WORLD(lines),      IN_WORLD(zero_bytes), IN_WORLD(long_lines),
        IN_WORLD(many_beginnings), IN_WORLD(no_literal), IN_WORLD(python),
        IN_WORLD(wrapped),         IN_WORLD(many_begun), IN_WORLD(flag_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
