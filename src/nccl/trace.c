#include "nccl/trace.h"

ks_str ks_nccl_node_words(ks_arena *arena, const ks_nccl_net *net, int node)
{
    const ks_nccl_node *n = &net->nodes.items[node];
    if (n->kind == KS_NCCL_NVSWITCH)
        return KS_STR("the NVSwitches");
    if (n->kind == KS_NCCL_CPU)
        return ks_format(arena, "NUMA node %lld",
                         (long long)net->topology->numas.items[n->numa].id);
    return net->topology->devices.items[n->device].name;
}

static void add_line(ks_nccl_trace *t, ks_str line)
{
    if (t->n < KS_NCCL_MOST_TRACE - 1)
        t->lines[t->n++] = line;
    else if (!t->full) {
        t->lines[t->n++] = KS_STR("... and more");
        t->full = true;
    }
}

/* What stood in the way, if one link did. */
static ks_str obstacle(const ks_nccl_trace *t)
{
    if (t->out_of_steps)
        return KS_STR(": the budget of steps was used up");
    if (t->refused < 0)
        return t->last < KS_PATH_SYS ? KS_STR(": no such path from each GPU to another")
                                     : KS_STR("");
    ks_nccl_link link = t->net->links[t->refused];
    return ks_format(t->arena, ": %s %.*s -> %.*s, %g GB/s",
                     link.gbps < t->gbps ? "more than the link" : "too little is left of the link",
                     KS_ARG(ks_nccl_node_words(t->arena, t->net, link.from)),
                     KS_ARG(ks_nccl_node_words(t->arena, t->net, link.to)), (double)link.gbps);
}

static ks_str outcome(const ks_nccl_trace *t)
{
    if (t->best > t->before)
        return ks_format(t->arena, "%d channel%s", t->channels, t->channels == 1 ? "" : "s");
    if (t->channels > 0)
        return KS_STR("nothing better");
    return ks_concat(t->arena, KS_STR("nothing"), obstacle(t));
}

static void close_line(ks_nccl_trace *t)
{
    ks_builder b = {.arena = t->arena};
    if (!t->open)
        return;
    t->open = false;
    if (t->pass == 2 && !(t->best > t->before)) {
        t->in_vain += t->channels > 0;
        return;
    }
    ks_addf(&b, "%s, %g GB/s a channel%s, paths %s", ks_nccl_pattern_word(t->pattern),
            (double)t->gbps, t->pass == 2 ? " (second pass)" : "", ks_nccl_path_word(t->first));
    if (t->last != t->first)
        ks_addf(&b, " to %s", ks_nccl_path_word(t->last));
    ks_addf(&b, ": %.*s", KS_ARG(outcome(t)));
    add_line(t, ks_built(&b));
}

static void hear(void *context, const ks_nccl_attempt *a)
{
    ks_nccl_trace *t = context;
    bool outer = a->tried->pattern == KS_NCCL_NVLS;
    float gbps = outer ? a->tried->outer : a->tried->inner;
    bool same_speed = !(gbps < t->gbps) && !(gbps > t->gbps);
    if (!t->open || !same_speed || a->pass != t->pass) {
        close_line(t);
        t->open = true;
        t->pass = a->pass;
        t->pattern = a->tried->pattern;
        t->gbps = gbps;
        t->first = a->tried->type;
        t->before = t->best;
    }
    t->last = a->tried->type;
    t->channels = a->best->channels;
    t->best = (float)a->best->channels * (outer ? a->best->outer : a->best->inner);
    t->refused = a->refused;
    t->out_of_steps = a->out_of_steps;
}

ks_nccl_trace ks_nccl_trace_new(ks_arena *arena, const ks_nccl_net *net)
{
    return (ks_nccl_trace){.arena = arena,
                           .net = net,
                           .refused = -1,
                           .lines = KS_NEW_ARRAY(arena, ks_str, KS_NCCL_MOST_TRACE)};
}

ks_nccl_listener ks_nccl_trace_listener(ks_nccl_trace *trace)
{
    return (ks_nccl_listener){hear, trace};
}

void ks_nccl_trace_say(ks_nccl_trace *t, ks_str line)
{
    close_line(t);
    if (t->in_vain > 0)
        add_line(t, ks_format(t->arena, "%s, second pass: nothing better at %d higher speed%s",
                              ks_nccl_pattern_word(t->pattern), t->in_vain,
                              t->in_vain == 1 ? "" : "s"));
    t->channels = t->in_vain = 0;
    t->best = 0;
    add_line(t, line);
}
