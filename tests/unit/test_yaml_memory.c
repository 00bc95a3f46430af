/* libyaml that has no memory. In a program of its own, since it puts a function of libyaml's out of
 * action for good. */
#include "support.h"

#include "read/yaml.h"

#include <yaml.h>

/* In place of libyaml's, which clears the parser and then allocates. */
int yaml_parser_initialize(yaml_parser_t *parser)
{
    memset(parser, 0, sizeof *parser);
    return 0;
}

static void no_parser(void **state)
{
    world *w = *state;
    const ks_source *source = ks_source_new(w->arena, KS_STR("y"), KS_STR("gpu: h200\n"));
    CHECK("no parser", ks_read_yaml(&w->diags, source) == NULL);
    CHECK_TEXT("no parser", summary(w), "Y001 y:1:1 [g]");
    CHECK("nothing is left to be cleaned up", ks_arena_mark(w->arena) == NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {IN_WORLD(no_parser)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
