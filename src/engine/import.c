#include "engine/import.h"

#include "base/num.h"
#include "engine/guess_ranks.h"
#include "engine/replay.h"
#include "engine/rounding.h"
#include "model/guess_gpu.h"
#include "model/hf.h"
#include "read/yaml.h"

#include <math.h>
#include <string.h>

typedef struct draft {
    const ks_catalog *catalog;
    ks_arena *arena;
    ks_run_log *log;
    const ks_engine *engine;
    ks_import_ask ask;
    ks_builder text;
    ks_builder section; /* the lines of the section that is under way */
    size_t n_lines;     /* of them, those that are no comments */
    ks_str llm, machine, llm_from, machine_from;
    size_t n_named;  /* ranks that lines name, or flags tell */
    bool guessed;     /* how many ranks there are */
    ks_str gpu;       /* the machine is as many of these as there are ranks; empty: it has a name */
    ks_model *model; /* of what is written so far, to find out what rounding does */
    ks_ranges *ranges;
    ks_rounding *rounding;
} draft;

/* ---- Lines of YAML. ------------------------------------------------------------------------------------ */

static bool is_plain_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("_./+-", c);
}

/* A text that came from outside, as one YAML scalar. */
static ks_str scalar_of(ks_arena *arena, ks_str text)
{
    bool plain = text.n && text.s[0] != '-' && !ks_equal_c(text, "null");
    for (size_t i = 0; i < text.n; i++)
        plain = plain && text.s[i] && is_plain_byte(text.s[i]);
    return plain ? text : ks_yaml_quoted(arena, text);
}

static void add_comment(draft *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_comment(draft *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ks_str text = ks_vformat(d->arena, format, args);
    va_end(args);
    for (char *c = (char *)(uintptr_t)text.s; *c; c++)
        *c = (unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e ? '?' : *c;
    ks_addf(&d->text, "# %.*s\n", KS_ARG(text));
}

/* "key: value  # origin" */
static void add_line(ks_builder *b, ks_str key, ks_str value, ks_str origin)
{
    ks_addf(b, "%.*s: %.*s", KS_ARG(key), KS_ARG(value));
    if (origin.n)
        ks_addf(b, "  # %.*s", KS_ARG(origin));
    ks_add(b, KS_STR("\n"));
}

/* A line of the section; one that is not `active` is a comment as a whole. */
static void add_member(draft *d, bool active, ks_str key, ks_str value, ks_str origin)
{
    ks_add(&d->section, active ? KS_STR("  ") : KS_STR("  # "));
    add_line(&d->section, key, value, origin);
    d->n_lines += active ? 1 : 0;
}

/* Ends the section; nothing is written of one without a line. */
static void end_section(draft *d, const char *name)
{
    if (d->section.n)
        ks_addf(&d->text, "%s%s:\n%.*s", d->n_lines ? "" : "# ", name, KS_ARG(ks_built(&d->section)));
    d->section.n = d->n_lines = 0;
}

/* "log:12", or "log:12 to 19" */
static ks_str lines_text(ks_arena *arena, size_t first, size_t last)
{
    return last > first ? ks_format(arena, "log:%zu to %zu", first, last)
                        : ks_format(arena, "log:%zu", first);
}

static ks_str unit_of(ks_arena *arena, const ks_reading *r, ks_dim dim)
{
    if (r->unit.n)
        return r->unit;
    ks_str unit = ks_dim_symbol(arena, dim);
    return ks_equal_c(unit, "1") ? KS_STR("") : ks_equal_c(unit, "byte") ? KS_STR("B") : unit;
}

/* "21.71 GiB" */
static ks_str amount_text(ks_arena *arena, double value, ks_dim dim, ks_str unit, int decimals)
{
    return ks_format(arena, "%.*s%s%.*s", KS_ARG(ks_show_in(arena, value, dim, unit, decimals)),
                     unit.n ? " " : "", KS_ARG(unit));
}

/* ---- The model and the machine. --------------------------------------------------------------------------- */

/* The last `n` parts of a path. */
static ks_str last_parts(ks_str path, int n)
{
    size_t at = path.n;
    while (at > 0 && (path.s[at - 1] != '/' || --n > 0))
        at--;
    return ks_slice(path, at, path.n);
}

/* Where `part` begins in text, or text.n. */
static size_t find_part(ks_str text, const char *part)
{
    size_t at = 0;
    while (at < text.n && !ks_starts_with(ks_slice(text, at, text.n), ks_from_c(part)))
        at++;
    return at;
}

/* ".../models--moonshotai--Kimi-K2.5/snapshots/1a2b" names moonshotai/Kimi-K2.5. */
static ks_str name_in_cache(ks_arena *arena, ks_str path)
{
    size_t at = find_part(path, "models--");
    if (at == path.n)
        return path;
    ks_str rest = ks_slice(path, at + strlen("models--"), path.n);
    rest = ks_slice(rest, 0, ks_find_byte(rest, '/', 0));
    size_t dashes = find_part(rest, "--");
    return ks_format(arena, "%.*s/%.*s", KS_ARG(ks_slice(rest, 0, dashes)),
                     KS_ARG(ks_slice(rest, dashes + 2, rest.n)));
}

/* What the flags call the model. */
static const ks_python_item *model_item(const ks_run_log *log)
{
    static const char *const names[] = {"model_path", "model", "served_model_name"};
    const ks_python_item *item = NULL;
    for (size_t i = 0; i < KS_COUNT(names) && !item; i++)
        item = ks_logged_item(log, names[i]);
    return item;
}

static bool find_llm(draft *d)
{
    const ks_python_item *path = model_item(d->log);
    d->llm = d->ask.llm;
    d->llm_from = KS_STR("--llm");
    if (d->llm.n)
        return true;
    if (path) {
        ks_str text = path->text;
        while (text.n > 1 && text.s[text.n - 1] == '/')
            text.n--;
        ks_str names[] = {text, name_in_cache(d->arena, text), last_parts(text, 2),
                          last_parts(text, 1)};
        d->llm = ks_catalog_search(d->catalog, "llm", names, KS_COUNT(names));
        if (!d->llm.n && ks_is_config_path(d->arena, text))
            d->llm = text;
        d->llm_from = ks_format(d->arena, "%.*s; %.*s", KS_ARG(lines_text(d->arena, ks_line_of_item(d->log, path), 0)),
                                KS_ARG(scalar_of(d->arena, text)));
    }
    if (d->llm.n)
        return true;
    if (path)
        ks_error(d->catalog->diags, KS_L003, (ks_span){0},
                 "%.*s:%zu: the model \"%.*s\" is not one that kvsim knows: say --llm",
                 KS_ARG(d->log->name), ks_line_of_item(d->log, path), KS_ARG(path->text));
    else
        ks_error(d->catalog->diags, KS_L003, (ks_span){0},
                 "%.*s does not tell the language model: say --llm", KS_ARG(d->log->name));
    ks_add_note(d->catalog->diags, (ks_span){0},
                "--llm takes a name of `kvsim list llm`, or the path of a config.json");
    return false;
}

/* The most memory that the log shows free on any rank; bytes, or 0. */
static double most_free(const draft *d)
{
    double most = 0;
    for (size_t i = 0; i < d->log->readings.n; i++)
        for (size_t k = 0; k < d->engine->phases.n; k++) {
            const ks_reading *reading = &d->log->readings.items[i];
            if (ks_equal(reading->quantity, d->engine->phases.items[k].free_name) &&
                reading->value > most)
                most = reading->value;
        }
    return most;
}

static void suggest_gpus(const draft *d)
{
    double most = most_free(d);
    ks_str gpus = ks_guess_gpus(d->catalog, most);
    if (most > 0 && gpus.n)
        ks_add_note(d->catalog->diags, (ks_span){0},
                    "it shows %.*s free before the weights; GPUs with that: %.*s",
                    KS_ARG(ks_show(d->arena, most, KS_BYTE, true)), KS_ARG(gpus));
}

/* A GPU becomes a machine of as many as there are ranks. */
static void name_machine(draft *d)
{
    if (d->gpu.n)
        d->machine = ks_format(d->arena, "{gpu: %.*s, count: %zu}", KS_ARG(d->gpu), d->log->n_ranks);
}

/* A machine as it is named, or a GPU. */
static bool find_machine(draft *d)
{
    ks_str asked = d->ask.machine, name = asked.n ? asked : d->log->gpu;
    d->machine_from = asked.n ? KS_STR("--machine") : lines_text(d->arena, d->log->gpu_line, 0);
    if (!name.n) {
        ks_error(d->catalog->diags, KS_L003, (ks_span){0},
                 "%.*s does not tell the GPU: say --machine", KS_ARG(d->log->name));
        ks_add_note(d->catalog->diags, (ks_span){0},
                    "--machine takes a name of `kvsim list machine`, or of `kvsim list gpu` for %zu of "
                    "that kind", d->log->n_ranks);
        suggest_gpus(d);
        return false;
    }
    bool is_machine = asked.n && ks_catalog_search(d->catalog, "machine", &name, 1).n;
    d->gpu = is_machine ? KS_STR("") : ks_catalog_search(d->catalog, "gpu", &name, 1);
    d->machine = name.s[0] == '{' ? name : scalar_of(d->arena, name);
    name_machine(d);
    return true;
}

/* ---- The number of ranks, where no flag tells it. ----------------------------------------------------------- */

/* Takes a number of ranks that is possible, and tells so if it is a guess. */
static void settle_ranks(draft *d)
{
    ks_run_log *log = d->log;
    ks_str flag = ks_rank_flag(d->engine);
    d->n_named = log->n_ranks;
    if (log->ranks_told || log->n_stages > 1 || !flag.n)
        return;
    ks_guessed_ranks guess = ks_guess_ranks(d->catalog, log, scalar_of(d->arena, d->llm),
                                            d->gpu.n ? (ks_str){NULL, 0} : d->machine, d->gpu);
    if (!guess.ranks)
        return;
    log->n_ranks = guess.ranks;
    name_machine(d);
    bool may_have_more = log->tagged || !log->date; /* a whole line of several ranks names its own */
    if (guess.ranks == d->n_named && (guess.ranks > 1 || guess.gpus == 1 || !may_have_more))
        return;
    ks_warning(d->catalog->diags, KS_L004, (ks_span){0}, "%.*s does not tell %.*s: %zu %s taken",
               KS_ARG(log->name), KS_ARG(flag), guess.ranks, guess.ranks == 1 ? "is" : "are");
    ks_add_note(d->catalog->diags, (ks_span){0}, "%s; if the launch had more, write it into `launch`",
                !log->tagged       ? "no line tells its rank"
                : guess.ranks == 1 ? "lines name rank 0 only"
                                   : "the least that the ranks in its lines, the model and the machine allow");
    d->guessed = true;
}

/* ---- The head and the launch. ------------------------------------------------------------------------------- */

static void add_origin(draft *d)
{
    const ks_run_log *log = d->log;
    add_comment(d, "Written by `kvsim import log` from %.*s, lines %zu to %zu of %zu.",
                KS_ARG(log->name), log->first_line, log->last_line, log->n_lines);
    if (log->n_starts > 1)
        add_comment(d, "The file holds %zu starts of the server; this is number %zu. --restart N takes "
                    "another.", log->n_starts, log->start);
    if (!log->complete)
        add_comment(d, "The log ends before the start does: what follows is all it tells.");
    if (!log->flags_line && log->told.n)
        add_comment(d, "The log does not tell all flags: `launch` holds those that single lines tell.");
    else if (!log->flags_line)
        add_comment(d, "The log does not tell the flags: `launch` holds nothing but the number of ranks.");
    else if (!log->flags.complete)
        add_comment(d, "Line %zu is cut off: flags may be missing.", log->flags_line);
    if (d->guessed)
        add_comment(d, "The log does not tell %.*s: %zu is the least that the model, the machine and the "
                    "ranks in its lines allow.", KS_ARG(ks_rank_flag(d->engine)), log->n_ranks);
    if (log->n_seen < log->n_ranks)
        add_comment(d, "The log holds readings of %zu of %zu ranks.", log->n_seen, log->n_ranks);
    if (log->n_draft)
        add_comment(d, "%zu more line%s of a draft model and left out%s.", log->n_draft,
                    log->n_draft == 1 ? " is" : "s are",
                    log->draft_counts ? ", but what is free in front of the pool is free behind it" : "");
}

/* How sure the version is. */
static void add_engine(draft *d)
{
    const ks_run_log *log = d->log;
    ks_str name = log->profile->engine;
    ks_str value = ks_format(d->arena, "%.*s %.*s", KS_ARG(name), KS_ARG(log->version));
    if (!log->version_asked && !log->version_line) {
        bool one = ks_equal(log->oldest, log->version);
        add_comment(d, "The log does not tell the engine's version. %zu of the %zu lines that kvsim "
                    "knows fit", log->n_fit, log->n_known);
        add_comment(d, "%.*s %.*s%s%.*s best%s. Say it with --engine if you know.", KS_ARG(name),
                    KS_ARG(log->oldest), one ? "" : " to ",
                    KS_ARG(one ? KS_STR("") : log->version), one ? "" : ", all of them alike");
    }
    if (!log->version_asked && !log->version_line && log->by_date.n)
        add_comment(d, "Versions up to %.*s fit as well, but were not out on %04d-%02d-%02d, the first date "
                    "in the log.", KS_ARG(log->by_date), log->date / 10000, log->date / 100 % 100,
                    log->date % 100);
    if (log->better.n)
        add_comment(d, "The lines fit %.*s %.*s better: %zu of %zu fit this one.", KS_ARG(name),
                    KS_ARG(log->better), log->n_fit, log->n_known);
    add_line(&d->text, KS_STR("engine"), value,
             log->version_asked ? KS_STR("--engine")
             : log->version_line ? lines_text(d->arena, log->version_line, 0)
                                 : KS_STR("by its lines"));
}

/* True if the flag's default is written as this value, so that giving it changes nothing. */
static bool is_default(const ks_flag *flag, const ks_python_item *item)
{
    ks_quantity a, b;
    ks_str unset = flag->unset->text;
    if (flag->type.base == KS_TRUTH)
        return ks_equal_c(unset, ks_equal_c(item->text, "True") ? "true" : "false");
    if (flag->type.base == KS_WORD)
        return unset.n == item->text.n + 2 && unset.s[0] == '\'' &&
               ks_equal(ks_slice(unset, 1, unset.n - 1), item->text);
    return ks_parse_quantity(unset, &a) == KS_QUANTITY_OK &&
           ks_parse_quantity(item->text, &b) == KS_QUANTITY_OK && !(a.value < b.value) &&
           !(a.value > b.value);
}

/* True if the profile takes the value. */
static bool is_taken(const ks_flag *flag, const ks_python_item *item)
{
    double number;
    if (flag->type.base == KS_TRUTH)
        return item->kind == KS_PY_TRUTH;
    if (flag->type.base == KS_WORD) {
        for (size_t i = 0; flag->choices && i < flag->choices->n; i++)
            if (ks_equal(flag->choices->items[i].value->text, item->text))
                return true;
        return !flag->choices && (item->kind == KS_PY_TEXT || item->kind == KS_PY_OTHER);
    }
    if (item->kind != KS_PY_NUMBER || ks_parse_decimal(item->text, &number) != item->text.n)
        return false;
    if (flag->type.base == KS_WHOLE && !(floor(number) >= number))
        return false;
    return !flag->has_bounds || (flag->low <= number && number <= flag->high);
}

static ks_str flag_text(const draft *d, const ks_flag *flag, const ks_python_item *item)
{
    if (flag->type.base == KS_TRUTH)
        return ks_equal_c(item->text, "True") ? KS_STR("true") : KS_STR("false");
    return flag->type.base == KS_WORD ? scalar_of(d->arena, item->text) : item->text;
}

static void add_launch(draft *d)
{
    for (size_t i = 0; i < d->engine->flags.n; i++) {
        const ks_flag *flag = &d->engine->flags.items[i];
        const ks_python_item *item = flag->origin == KS_FLAG ? ks_logged_flag(d->log, flag) : NULL;
        if (!item || item->kind == KS_PY_NONE || is_default(flag, item))
            continue;
        ks_str origin = lines_text(d->arena, ks_line_of_item(d->log, item), 0);
        if (is_taken(flag, item))
            add_member(d, true, flag->spelling, flag_text(d, flag, item), origin);
        else
            add_member(d, false, flag->spelling, scalar_of(d->arena, item->text),
                       ks_format(d->arena, "%.*s; left out: kvsim does not know this value",
                                 KS_ARG(origin)));
    }
    ks_str rank_flag = ks_rank_flag(d->engine);
    if (!d->log->ranks_told && d->log->n_ranks > 1 && rank_flag.n)
        add_member(d, true, rank_flag, ks_format(d->arena, "%zu", d->log->n_ranks),
                   d->log->n_ranks > d->n_named ? KS_STR("a guess: see above")
                                                : KS_STR("the ranks that lines name"));
    end_section(d, "launch");
}

/* ---- What was measured. ---------------------------------------------------------------------------------------- */

/* The entry of a profile that is measured as this quantity, or NULL. */
static const ks_member *find_measured_as(const ks_engine *engine, ks_str quantity)
{
    for (size_t i = 0; i < engine->phases.n; i++) {
        const ks_doc *entries = ks_member_of(engine->phases.items[i].row, "entries");
        for (size_t k = 0; entries && k < entries->n; k++) {
            const ks_doc *as = ks_member_of(entries->items[k].value, "measure");
            if (as && ks_equal(as->text, quantity))
                return &entries->items[k];
        }
    }
    return NULL;
}

/* One value, or a list of one a rank; ranks without a reading take the smallest. */
static ks_str measured_text(const draft *d, ks_str quantity, const ks_readings_of *all)
{
    ks_arena *arena = d->arena;
    const ks_reading *r = all->first;
    ks_builder b = {.arena = arena};
    if (d->log->n_ranks == 1 || !(all->high > all->low))
        return amount_text(arena, all->low, KS_BYTE, unit_of(arena, r, KS_BYTE), r->decimals);
    for (size_t rank = 0; rank < d->log->n_ranks; rank++) {
        const ks_reading *own = ks_reading_on(d->log, quantity, rank);
        r = own ? own : all->first;
        ks_addf(&b, "%s%.*s", rank ? ", " : "[",
                KS_ARG(amount_text(arena, own ? own->value : all->low, KS_BYTE,
                                   unit_of(arena, r, KS_BYTE), r->decimals)));
    }
    ks_add(&b, KS_STR("]"));
    return ks_built(&b);
}

/* "log:1, the sum of avail mem and mem usage, +- 0.01 GiB" */
static ks_str sum_origin(const draft *d, ks_str lines, const ks_readings_of *all)
{
    const ks_reading *r = all->first;
    return ks_format(d->arena, "%.*s; what is left and what the weights took, +- %.*s", KS_ARG(lines),
                     KS_ARG(amount_text(d->arena, all->half, KS_BYTE, unit_of(d->arena, r, KS_BYTE),
                                        r->decimals)));
}

static void add_measured(draft *d)
{
    for (size_t i = 0; i < ks_phases_before_pool(d->engine); i++) {
        ks_str quantity = d->engine->phases.items[i].free_name;
        ks_readings_of all = ks_gather_readings(d->log, quantity);
        if (!quantity.n || !all.n)
            continue;
        const ks_member *as = find_measured_as(d->engine, quantity);
        ks_str origin = lines_text(d->arena, all.first_line, all.last_line);
        if (all.first->sum)
            origin = sum_origin(d, origin, &all);
        if (all.n < d->log->n_ranks)
            origin = ks_format(d->arena, "%.*s; of %zu of %zu ranks, %s", KS_ARG(origin), all.n,
                               d->log->n_ranks,
                               all.high > all.low ? "the smallest for the others" : "taken for all");
        add_member(d, true, as ? as->key : quantity, measured_text(d, quantity, &all), origin);
    }
    end_section(d, "measured");
}

/* ---- What is expected. -------------------------------------------------------------------------------------------- */

/* Builds what is written so far, to find out how exact its numbers are. */
static bool build(draft *d)
{
    ks_diags *diags = d->catalog->diags;
    ks_str text = ks_copy(d->arena, ks_built(&d->text));
    ks_str name = ks_format(d->arena, "<scenario from %.*s>", KS_ARG(d->log->name));
    const ks_doc *doc = ks_read_yaml(diags, ks_source_new(d->arena, name, text));
    ks_settings none = {NULL, 0, 0};
    d->model = doc ? ks_build_model(d->catalog, doc, &none, (ks_ask){.vary_measured = true}) : NULL;
    if (!d->model)
        return false;
    ks_rounded *items = KS_NEW_ARRAY(d->arena, ks_rounded, d->engine->phases.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < ks_phases_before_pool(d->engine); i++) {
        ks_str quantity = d->engine->phases.items[i].free_name;
        ks_readings_of all = ks_gather_readings(d->log, quantity);
        int def = quantity.n ? ks_find(d->model->program, quantity) : -1;
        if (def >= 0 && all.n)
            items[n++] = (ks_rounded){def, all.half};
    }
    const ks_replay *replay = ks_replay_scenario(d->model);
    if (!replay)
        return false;
    d->ranges = replay->ranges;
    d->rounding = ks_explore_rounding(d->model, replay->base, items, n);
    ks_settle_failure(d->log, &d->model->engine, replay->base);
    return true;
}

static bool is_measured(const draft *d, ks_str quantity)
{
    for (size_t i = 0; i < ks_phases_before_pool(d->engine); i++)
        if (ks_equal(d->engine->phases.items[i].free_name, quantity))
            return true;
    return false;
}

/* A number rounded up to so many decimals of its unit. */
static ks_str rounded_up(const draft *d, double value, ks_dim dim, ks_str unit, int decimals)
{
    double scale = 1, power = pow(10, decimals);
    ks_dim ignored;
    if (unit.n)
        ks_parse_unit(unit, &scale, &ignored);
    return amount_text(d->arena, ceil(value / scale * power - 1e-6) / power * scale, dim, unit, decimals);
}

/* What the log printed, with how far the model may lie from it: its own rounding, that of what was
 * measured, and what ranks differ by. */
static void expect_quantity(draft *d, ks_str quantity)
{
    ks_readings_of all = ks_gather_readings(d->log, quantity);
    int def = ks_find(d->model->program, quantity);
    const ks_def *what = def >= 0 ? &d->model->program->defs.items[def] : NULL;
    double low, high;
    if (!what || what->hidden || ks_find_flag(d->engine, quantity))
        return;
    ks_dim dim = what->type.dim;
    ks_str unit = unit_of(d->arena, all.first, dim);
    bool counts = what->type.base == KS_WHOLE && all.first->decimals == 0;
    int decimals = counts ? 0 : all.first->decimals + 1;
    double more = 0;
    bool estimated = false;
    for (size_t class = 0; class < d->model->program->n_classes; class++) {
        more = fmax(more, ks_rounding_of(d->rounding, def, class));
        ks_range_on(d->ranges, def, class, &low, &high);
        estimated |= high > low;
    }
    more += (all.high - all.low) / 2 + (counts ? 0 : all.half);
    ks_str value = amount_text(d->arena, (all.low + all.high) / 2, dim, unit,
                               all.high > all.low ? decimals : all.first->decimals);
    if (more > 0)
        value = ks_format(d->arena, "%.*s +- %.*s", KS_ARG(value),
                          KS_ARG(rounded_up(d, more, dim, unit, decimals)));
    ks_str origin = lines_text(d->arena, all.first_line, all.last_line);
    if (estimated)
        origin = ks_format(d->arena, "%.*s; kvsim estimates it: see `kvsim compare`", KS_ARG(origin));
    add_member(d, !estimated, what->name, value, origin);
}

static void add_expected(draft *d)
{
    const ks_run_log *log = d->log;
    if (log->failed >= 0) {
        const ks_check *check = &d->engine->checks.items[log->failed];
        ks_str origin = lines_text(d->arena, log->failed_line, 0);
        add_member(d, true, KS_STR("verdict"),
                 check->unsupported ? KS_STR("unsupported") : KS_STR("does-not-fit"), origin);
        add_member(d, true, KS_STR("fails"), check->id, origin);
    } else if (log->complete) {
        add_member(d, true, KS_STR("verdict"), KS_STR("fits"), lines_text(d->arena, log->last_line, 0));
    }
    for (size_t i = 0; i < log->readings.n; i++) {
        const ks_reading *r = &log->readings.items[i];
        bool first = !r->again;
        for (size_t k = 0; k < i && first; k++)
            first = !ks_equal(log->readings.items[k].quantity, r->quantity);
        if (first && !is_measured(d, r->quantity))
            expect_quantity(d, r->quantity);
    }
    end_section(d, "expect");
}

ks_str ks_scenario_of_log(const ks_catalog *catalog, ks_run_log *log, ks_import_ask ask)
{
    draft d = {.catalog = catalog, .arena = catalog->diags->arena, .log = log, .ask = ask,
               .engine = &log->profile->read};
    d.text.arena = d.section.arena = d.arena;
    bool good = find_llm(&d);
    if (!find_machine(&d) || !good)
        return (ks_str){NULL, 0};
    settle_ranks(&d);
    add_origin(&d);
    ks_add(&d.text, KS_STR("kvsim: 1\n"));
    add_line(&d.text, KS_STR("title"), scalar_of(d.arena, ks_format(d.arena, "from the log %.*s",
                                                                  KS_ARG(last_parts(log->name, 1)))),
             (ks_str){NULL, 0});
    add_engine(&d);
    add_line(&d.text, KS_STR("llm"), scalar_of(d.arena, d.llm), d.llm_from);
    add_line(&d.text, KS_STR("machine"), d.machine, d.machine_from);
    add_launch(&d);
    add_measured(&d);
    if (!build(&d))
        return (ks_str){NULL, 0};
    add_expected(&d);
    return ks_built(&d.text);
}
