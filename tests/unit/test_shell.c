/* A text as a shell's words, with their places; words as a text. */
#include "support.h"

#include "read/shell.h"

/* Words as `text@column`, commands parted by `;`. */
static ks_str split(world *w, ks_str text)
{
    ks_shell shell;
    ks_builder b = {.arena = w->arena};
    forget_diags(w);
    const ks_source *source = ks_source_new(w->arena, KS_STR("c"), text);
    CHECK(text.s, ks_split_words(&w->diags, (ks_span){source, 0, (uint32_t)text.n}, true, &shell));
    for (size_t i = 0; i < shell.commands.n; i++) {
        const ks_shell_command *command = &shell.commands.items[i];
        ks_addf(&b, "%s", i ? "; " : "");
        for (size_t k = 0; k < command->n; k++) {
            const ks_shell_word *word = &shell.words.items[command->first + k];
            ks_addf(&b, "%s%.*s@%u+%u", k ? " " : "", KS_ARG(word->text), word->span.at,
                    word->span.n);
        }
    }
    return ks_built(&b);
}

static void words(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {"a bc", "a@0+1 bc@2+2"},
        {"  a\t b\r\nc", "a@2+1 b@5+1; c@8+1"},
        {"a\xc2\xa0"
         "b",
         "a@0+1 b@3+1"},
        {"'a b' \"c d\"", "a b@0+5 c d@6+5"},
        {"a'b'\"c\"d", "abcd@0+8"},
        {"'' \"\" x", "@0+2 @3+2 x@6+1"},
        {"a\\ b \\'c", "a b@0+4 'c@5+3"},
        {"\"a\\\"b\\nc\"", "a\"b\\nc@0+9"},
        {"'a\\'", "a\\@0+4"},
        {"a\\\nb \\\n c", "ab@0+4 c@8+1"},
        {"a \\", "a@0+1"},
        {"a #b\nc#d", "a@0+1; c#d@5+3"},
        {"a && b || c; d | e |& f & g", "a@0+1; b@5+1; c@10+1; d@13+1; e@17+1; f@22+1; g@26+1"},
        {"a&&b;c", "a@0+1; b@3+1; c@5+1"},
        {"(a; b) c", "a@1+1; b@4+1; c@7+1"},
        {"a > f b >> g c 2> h d2>i &> j <k 2>&1 l", "a@0+1 b@6+1 c@13+1 d2@20+2 l@38+1"},
        {"a <b-c> <d", "a@0+1 <b-c>@2+5"},
        {"a 2>&- b >| c d", "a@0+1 b@7+1 d@14+1"},
        {"$A ${B C} $(d e) `f g` \"$(h \\\")\"",
         "$A@0+2 ${B C}@3+6 $(d e)@10+6 `f g`@17+5 $(h \\\")@23+9"},
        {"a\n\n;;\nb", "a@0+1; b@6+1"},
        {"a &&\nb", "a@0+1; b@5+1"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_TEXT(rows[i][0], split(w, ks_from_c(rows[i][0])), rows[i][1]);
}

/* Words that are joined split into themselves. */
static void joined(void **state)
{
    world *w = *state;
    static const char *const words[] = {"python3", "-m",  "a b",     "",     "it's",
                                        "''",      "\\",  "$A",      "a\nb", "{\"x\": 17}",
                                        "#",       "<a>", "--x=y z", "a&&b", "\xc3\xa9\xc2\xa0",
                                        "~/m",     "*",   "2>&1"};
    ks_shell shell;
    ks_str text = ks_join_words(w->arena, words, KS_COUNT(words));
    const ks_source *source = ks_source_new(w->arena, KS_STR("c"), text);
    CHECK("joined",
          ks_split_words(&w->diags, (ks_span){source, 0, (uint32_t)text.n}, true, &shell));
    CHECK_WHOLE("joined", shell.commands.n, 1);
    CHECK_WHOLE("joined", shell.words.n, KS_COUNT(words));
    for (size_t i = 0; i < KS_COUNT(words) && i < shell.words.n; i++)
        CHECK_TEXT(words[i], shell.words.items[i].text, words[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {IN_WORLD(words), IN_WORLD(joined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
