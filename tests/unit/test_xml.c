/* XML to a tree with places, and NCCL's topologies from it: what is taken, and each text that is not,
 * with its code and place. */
#include "nccl_machine.h"

#include "read/xml.h"

static ks_xml *read_text(world *w, ks_str text)
{
    forget_diags(w);
    return ks_read_xml(&w->diags, ks_source_new(w->arena, KS_STR("x"), text));
}

/* name@line:column(attribute=value@line:column+length, ...)[children] */
static void add_element(ks_builder *b, const ks_xml *e)
{
    ks_position p = ks_position_of(e->span);
    ks_addf(b, "%.*s@%u:%u+%u", KS_ARG(e->name), p.line, p.column, e->span.n);
    for (size_t i = 0; i < e->n_attributes; i++) {
        const ks_xml_attribute *a = &e->attributes[i];
        p = ks_position_of(a->span);
        ks_addf(b, "%s%.*s=%.*s@%u:%u+%u", i ? ", " : "(", KS_ARG(a->name), KS_ARG(a->value),
                p.line, p.column, a->span.n);
    }
    ks_addf(b, "%s", e->n_attributes ? ")" : "");
    for (const ks_xml *child = e->first; child; child = child->next) {
        CHECK("parent", child->parent == e && (child->next || e->last == child));
        ks_addf(b, "%s", child == e->first ? "[" : " ");
        add_element(b, child);
    }
    ks_addf(b, "%s", e->first ? "]" : "");
}

static void trees(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {"<a/>", "a@1:2+1"},
        {"<?xml version=\"1.0\"?>\n<!-- no -->\n<a>text<b x='1'/>\n  <b/></a>\n",
         "a@3:2+1[b@3:9+1(x=1@3:14+1) b@4:4+1]"},
        {"<a b=\"17\"\n   cd = 'x y' />", "a@1:2+1(b=17@1:7+2, cd=x y@2:10+3)"},
        /* What stands for a character is longer than it is. */
        {"<a b=\"&lt;&#65;\" c=\"&amp;\"/>", "a@1:2+1(b=<A@1:7+9, c=&@1:21+5)"},
        {"<a b='>' c=\"'\"/>", "a@1:2+1(b=>@1:7+1, c='@1:13+1)"},
        {"<\xc3\xa9 x='\xe2\x82\xac'><b/></\xc3\xa9>",
         "\xc3\xa9@1:2+2(x=\xe2\x82\xac@1:8+3)[b@1:14+1]"},
        {"\xef\xbb\xbf<a/>", "a@1:5+1"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_builder b = {.arena = w->arena};
        const ks_xml *root = read_text(w, ks_from_c(rows[i][0]));
        if (root)
            add_element(&b, root);
        CHECK_TEXT(rows[i][0], ks_built(&b), rows[i][1]);
        CHECK_TEXT(rows[i][0], summary(w), "");
    }
}

static void not_taken(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {"", "X001 x []"},
        {"a: 17\n", "X001 x:1:1 [a]"},
        {"<a>", "X001 x:1:3 []"},
        {"<a></b>", "X001 x:1:6 [b]"},
        {"<a b='1' b='2'/>", "X001 x:1:10 [b]"},
        {"<a>&none;</a>", "X001 x:1:4 [&]"},
        {"<a/><b/>", "X001 x:1:5 [<]"},
        {"<a \xff='1'/>", "X001 x:1:4 [\xff]"},
        {"<!DOCTYPE a [<!ENTITY b \"cc\">]>\n<a>&b;</a>", "X003 x:1:13 [[]"},
        {"<!DOCTYPE a SYSTEM \"file:///etc/passwd\">\n<a/>", "X003 x:1:40 [>]"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        CHECK(rows[i][0], !read_text(w, ks_from_c(rows[i][0])));
        CHECK_TEXT(rows[i][0], ks_slice(summary(w), 0, 4),
                   ks_to_c(w->arena, ks_slice(ks_from_c(rows[i][1]), 0, 4)));
    }
    forget_diags(w);
    read_text(w, KS_STR("<a></b>"));
    CHECK_TEXT("place", summary(w), "X001 x:1:6 [b]");
}

static ks_str repeat(ks_arena *arena, const char *part, size_t n, const char *before,
                     const char *after)
{
    ks_builder b = {.arena = arena};
    ks_add(&b, ks_from_c(before));
    for (size_t i = 0; i < n; i++)
        ks_add(&b, ks_from_c(part));
    ks_add(&b, ks_from_c(after));
    return ks_built(&b);
}

static void limits(void **state)
{
    world *w = *state;
    ks_builder many = {.arena = w->arena};
    ks_addf(&many, "<a ");
    for (int i = 0; i < 65; i++)
        ks_addf(&many, "x%d='' ", i);
    ks_addf(&many, "/>");
    const ks_str rows[] = {
        repeat(w->arena, "<a>", 33, "", ""),
        repeat(w->arena, "<a/>", 20000, "<b>", "</b>"),
        repeat(w->arena, "x", 1025, "<a b='", "'/>"),
        repeat(w->arena, "x", 1025, "<", "/>"),
        repeat(w->arena, " ", KS_XML_MOST_BYTES, "", "<a/>"),
        ks_built(&many),
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        CHECK("limit", !read_text(w, rows[i]));
        CHECK_TEXT("limit", ks_slice(summary(w), 0, 4), "X002");
    }
    CHECK("inside", read_text(w, repeat(w->arena, "<a/>", 19999, "<b>", "</b>")));
    CHECK("inside", read_text(w, repeat(w->arena, "x", 1024, "<a b='", "'/>")));
}

/* ---- Topologies -------------------------------------------------------------------------------------- */

#define CPU "<cpu numaid='3' arch='x86_64' vendor='AuthenticAMD' familyid='26' modelid='2'>"
#define PCI(bus, class_id)                                                                         \
    "<pci busid='" bus "' class='" class_id "' link_speed='16.0 GT/s PCIe' link_width='8'>"
#define GPU(bus, dev, inside)                                                                      \
    PCI(bus, "0x030200") "<gpu dev='" dev "' sm='86'>" inside "</gpu></pci>"

static ks_topology *topology(world *w, const char *text)
{
    forget_diags(w);
    return ks_topology_from_xml(&w->diags, ks_source_new(w->arena, KS_STR("t"), ks_from_c(text)));
}

static void facts(void **state)
{
    world *w = *state;
    const ks_topology *t = topology(
        w,
        "<system version='2'>" CPU PCI("0000:10:00.0", "0x060400") GPU(
            "0000:1A:00.0", "5", "<nvlink target='0000:1b:00.0' count='2' tclass='0x030200'/>")
            PCI("0000:20:00.0", "0x020000") "<nic><net name='mlx5_0' dev='0' speed='200000' "
                                            "port='1' guid='0x7f' gdr='1'/></nic></pci></pci>" GPU(
                                                "0000:1b:00.0", "2",
                                                "<nvlink target='0000:1a:00.0' count='1' "
                                                "tclass='0x030200'/>"
                                                "<nvlink target='0000:1A:00.0' count='1' "
                                                "tclass='0x030200'/>") "<nic><net name='eth0' "
                                                                       "dev='1' "
                                                                       "speed='10000'/></nic></"
                                                                       "cpu></system>");
    assert_non_null(t);
    CHECK_WHOLE("numa", t->numas.items[0].id, 3);
    CHECK_WHOLE("family", t->numas.items[0].family, 26);
    CHECK_WHOLE("devices", t->devices.n, 5);
    CHECK_WHOLE("GPUs", t->gpus.n, 2);
    const ks_device *first = &t->devices.items[t->gpus.items[0]];
    CHECK_TEXT("by dev", first->name, "gpu2");
    CHECK_WHOLE("number", first->gpu, 0);
    CHECK_WHOLE("root port", first->parent, -1);
    CHECK_REAL("rate", first->lane_rate, 16e9, 0);
    CHECK_WHOLE("width", first->width, 8);
    CHECK_REAL("capability", first->capability, 8.6, 1e-12);
    CHECK_TEXT("switch", t->devices.items[t->devices.items[t->gpus.items[1]].parent].name, "s0");
    CHECK_WHOLE("NVLinks", t->nvlinks.n, 1);
    CHECK_WHOLE("together", t->nvlinks.items[0].links, 2);
    CHECK_WHOLE("ports", t->nets.n, 2);
    CHECK_REAL("port", t->nets.items[0].rate, 25e9, 0);
    CHECK_WHOLE("guid", t->nets.items[0].asic, 127);
    CHECK("gdr", t->nets.items[0].gpu_direct && !t->nets.items[1].gpu_direct);
}

static void refused(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {"<graphs version='1'/>", "X004 t:1:2 [graphs]"},
        {"<system/>", "X004 t:1:2 [system]"},
        {"<system>" CPU "</cpu></system>", "X004 t:1:2 [system]"},
        {"<system><cpu arch='arm64'/></system>", "X005 t:1:10 [cpu]"},
        {"<system><cpu numaid='x' arch='arm64'/></system>", "X006 t:1:22 [x]"},
        {"<system><cpu numaid='0' arch='x86_64'/></system>", "X005 t:1:10 [cpu]"},
        {"<system>" CPU "</cpu>" CPU "</cpu></system>", "X006 t:1:94 [cpu] <- t:1:10 [cpu]"},
        {"<system>" CPU "<pci busid='q'/></cpu></system>", "X005 t:1:88 [pci]"},
        {"<system>" CPU "<pci busid='q' class='0x03' link_speed='' link_width='4'><gpu dev='0' "
         "sm='80'/></pci></cpu></system>",
         "X006 t:1:99 [q]"},
        {"<system>" CPU "<pci busid='1' class='0x03' link_speed='' link_width='400'><gpu dev='0' "
         "sm='80'/></pci></cpu></system>",
         "X006 t:1:141 [400]"},
        {"<system>" CPU "<pci busid='1' class='0x03' link_speed='' link_width='4'><gpu dev='0' "
         "/></pci></cpu></system>",
         "X005 t:1:145 [gpu]"},
        {"<system>" CPU GPU("1", "0", "") GPU("2", "0", "") "</cpu></system>", "X006"},
        {"<system>" CPU GPU("1", "0", "<nvlink target='2' count='1' tclass='0x03'/>")
             GPU("2", "1", "") "</cpu></system>",
         "X008"},
        {"<system>" CPU GPU("1", "0", "<nvlink target='2' count='1' tclass='0x03'/>")
             GPU("2", "1", "<nvlink target='1' count='2' tclass='0x03'/>") "</cpu></system>",
         "X008"},
        {"<system>" CPU GPU("1", "0",
                            "<nvlink target='1' count='1' tclass='0x03'/>") "</cpu></system>",
         "X006"},
        {"<system>" CPU GPU("1", "0",
                            "<nvlink target='1' count='0' tclass='0x03'/>") "</cpu></system>",
         "X006"},
        {"<system><cpu host_hash='1' numaid='0' arch='arm64'/><cpu host_hash='2' numaid='1' "
         "arch='arm64'/></system>",
         "X004"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        CHECK(rows[i][0], !topology(w, rows[i][0]));
        ks_str got = summary(w);
        CHECK_TEXT(rows[i][0], ks_slice(got, 0, strlen(rows[i][1])), rows[i][1]);
    }
}

static void left_out(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {"<system>" CPU GPU("1", "0", "<c2c bw='50000' count='10'/>") "</cpu></system>",
         "warning X007"},
        {"<system>" CPU GPU("1", "0",
                            "<nvlink target='9' count='1' tclass='0x068001'/>") "</cpu></system>",
         "warning X007"},
        /* A GPU that is not used, as in a file of a smaller communicator. */
        {"<system>" CPU GPU("1", "0", "<nvlink target='9' count='1' tclass='0x030200'/>")
             PCI("2", "0x030200") "</pci></cpu></system>",
         ""},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        const ks_topology *t = topology(w, rows[i][0]);
        assert_non_null(t);
        CHECK_WHOLE(rows[i][0], t->gpus.n, 1);
        CHECK_WHOLE(rows[i][0], t->nvlinks.n, 0);
        CHECK_TEXT(rows[i][0], ks_slice(summary(w), 0, 12), rows[i][1]);
    }
}

/* Rates are told by the beginnings of texts that NCCL knows. */
static void lanes(void **state)
{
    world *w = *state;
    static const struct {
        const char *text;
        double rate;
    } rows[] = {
        {"2.5 GT/s PCIe", 2.5e9},
        {"2.5 GT/s", 2.5e9},
        {"5.0 GT/s PCIe", 5e9},
        {"5 GT/s", 5e9},
        {"8.0 GT/s PCIe", 8e9},
        {"16 GT/s", 16e9},
        {"32.0 GT/s PCIe", 32e9},
        {"64.0 GT/s PCIe", 64e9},
        {"64 GT/s", 0},
        {"Unknown", 0},
        {"", 0},
        {"5.0 GT/s", 0},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_str text = ks_format(w->arena,
                                "<system>" CPU "<pci busid='1' class='0x03' link_speed='%s' "
                                "link_width='0'><gpu dev='0' sm='80'/></pci></cpu></system>",
                                rows[i].text);
        const ks_topology *t = topology(w, ks_to_c(w->arena, text));
        assert_non_null(t);
        CHECK_REAL(rows[i].text, t->devices.items[0].lane_rate, rows[i].rate, 0);
        CHECK_WHOLE(rows[i].text, t->devices.items[0].width, 0);
    }
    CHECK("XML", ks_looks_like_xml(KS_STR(" \n<system>")));
    CHECK("XML", ks_looks_like_xml(KS_STR("\xef\xbb\xbf<system>")));
    CHECK("YAML", !ks_looks_like_xml(KS_STR("kvsim: 1\n")));
    CHECK("nothing", !ks_looks_like_xml(KS_STR("  ")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(trees),   IN_WORLD(not_taken), IN_WORLD(limits), IN_WORLD(facts),
        IN_WORLD(refused), IN_WORLD(left_out),  IN_WORLD(lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
