/* For tests: machines in a line of text, as NCCL's XML and as a topology. See nccl_answers.h. */
#ifndef KS_TESTS_NCCL_MACHINE_H
#define KS_TESTS_NCCL_MACHINE_H

#include "support.h"

#include "model/topology_xml.h"

typedef struct machine_writer {
    ks_builder b;
    const char *at; /* what is left of the line */
    int numas, buses, gpus;
    const char *links;
    bool reversed; /* number the GPUs from the last on */
    int n_gpus;
} machine_writer;

static inline bool take_word(machine_writer *w, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(w->at, word, n) != 0)
        return false;
    w->at += n;
    return true;
}

static inline int take_number(machine_writer *w)
{
    char *end;
    long n = strtol(w->at, &end, 10);
    assert_true(end > w->at);
    w->at = end;
    return (int)n;
}

static inline void write_cpu(machine_writer *w)
{
    static const struct {
        const char *word, *vendor;
        int family, model;
    } cpus[] = {{"rome", "AuthenticAMD", 23, 49},   {"genoa", "AuthenticAMD", 25, 17},
                {"turin", "AuthenticAMD", 26, 2},   {"bdw", "GenuineIntel", 6, 79},
                {"skx", "GenuineIntel", 6, 85},     {"icx", "GenuineIntel", 6, 106},
                {"spr", "GenuineIntel", 6, 143},    {"emr", "GenuineIntel", 6, 207},
                {"yongfeng", "CentaurHauls", 7, 91}};
    if (take_word(w, "arm ")) {
        ks_addf(&w->b, "<cpu numaid=\"%d\" arch=\"arm64\">", w->numas++);
        return;
    }
    size_t i = 0;
    while (!take_word(w, cpus[i].word)) {
        i++;
        assert_true(i < KS_COUNT(cpus));
    }
    ks_addf(&w->b,
            "<cpu numaid=\"%d\" affinity=\"ffff\" arch=\"x86_64\" vendor=\"%s\" familyid=\"%d\" "
            "modelid=\"%d\">",
            w->numas++, cpus[i].vendor, cpus[i].family, cpus[i].model);
}

/* "5x16", and for a switch perhaps "@" and its four ids as 16 hexadecimal digits. */
static inline void write_pci(machine_writer *w, const char *class_id)
{
    static const char *const speeds[] = {"2.5 GT/s PCIe", "2.5 GT/s PCIe",  "5.0 GT/s PCIe",
                                         "8.0 GT/s PCIe", "16.0 GT/s PCIe", "32.0 GT/s PCIe",
                                         "64.0 GT/s PCIe"};
    int generation = take_number(w);
    assert_true(take_word(w, "x"));
    ks_addf(&w->b, "<pci busid=\"0000:%02x:00.0\" class=\"%s\" link_speed=\"%s\" link_width=\"%d\"",
            w->buses++, class_id, speeds[generation], take_number(w));
    if (take_word(w, "@")) {
        ks_addf(&w->b,
                " vendor=\"0x%.4s\" device=\"0x%.4s\" subsystem_vendor=\"0x%.4s\" "
                "subsystem_device=\"0x%.4s\"",
                w->at, w->at + 4, w->at + 8, w->at + 12);
        w->at += 16;
    }
    ks_addf(&w->b, ">");
}

static inline int shown(const machine_writer *w, int gpu)
{
    return w->reversed ? w->n_gpus - 1 - gpu : gpu;
}

/* The NVLinks of a GPU; its bus is found by its place, which is why GPUs are written first. */
static inline void write_nvlinks(machine_writer *w, int gpu, const int *buses)
{
    machine_writer links = {.at = w->links};
    while (links.at && *links.at) {
        if (take_word(&links, "all*")) {
            ks_addf(&w->b, "<nvlink target=\"fffffff:ffff:ff\" count=\"%d\" tclass=\"0x068000\"/>",
                    take_number(&links));
        } else {
            int one = take_number(&links);
            assert_true(take_word(&links, "-"));
            int two = take_number(&links);
            assert_true(take_word(&links, "*"));
            int count = take_number(&links);
            if (one == gpu || two == gpu)
                ks_addf(&w->b,
                        "<nvlink target=\"0000:%02x:00.0\" count=\"%d\" tclass=\"0x030200\"/>",
                        buses[one == gpu ? two : one], count);
        }
        take_word(&links, " ");
    }
}

static inline void write_items(machine_writer *w, const int *buses)
{
    for (;;) {
        take_word(w, " ");
        if (take_word(w, "[")) {
            write_pci(w, "0x060400");
            write_items(w, buses);
            assert_true(take_word(w, "]"));
            ks_addf(&w->b, "</pci>");
        } else if (take_word(w, "g")) {
            write_pci(w, "0x030200");
            assert_true(take_word(w, "/"));
            ks_addf(&w->b, "<gpu dev=\"%d\" sm=\"%d\" rank=\"%d\" gdr=\"1\">", shown(w, w->gpus),
                    take_number(w), shown(w, w->gpus));
            write_nvlinks(w, w->gpus, buses);
            ks_addf(&w->b, "</gpu></pci>");
            w->gpus++;
        } else
            return;
    }
}

/* The bus numbers that the GPUs of a line will get; how many there are. */
static inline int find_buses(const char *line, int *buses)
{
    int bus = 0, n = 0;
    for (const char *c = line; *c && *c != ';'; c++) {
        bool gpu = *c == 'g' && c[1] >= '0' && c[1] <= '9';
        if (gpu)
            buses[n++] = bus;
        bus += gpu || *c == '[';
    }
    return n;
}

static inline ks_str machine_xml(ks_arena *arena, const char *line, bool reversed)
{
    int buses[KS_MAX_TOPOLOGY_GPUS];
    const char *links = strstr(line, " ; ");
    machine_writer w = {
        .b = {.arena = arena}, .at = line, .links = links ? links + 3 : NULL, .reversed = reversed};
    w.n_gpus = find_buses(line, buses);
    ks_addf(&w.b, "<system version=\"1\">");
    do {
        take_word(&w, " ");
        write_cpu(&w);
        write_items(&w, buses);
        ks_addf(&w.b, "</cpu>");
    } while (take_word(&w, "|"));
    ks_addf(&w.b, "</system>");
    return ks_built(&w.b);
}

static inline ks_topology *machine_from(world *w, const char *line)
{
    ks_str text = machine_xml(w->arena, line, false);
    ks_topology *t = ks_topology_from_xml(&w->diags,
                                          ks_source_new(w->arena, KS_STR("m.xml"), text));
    if (!t)
        print_error("%s\n%.*s\n", line, KS_ARG(written(w)));
    assert_non_null(t);
    return t;
}

#endif
