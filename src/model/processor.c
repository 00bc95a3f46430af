#include "model/processor.h"

#include "base/num.h"

enum { NEWEST_GENERATION = 6 };

/* A fact's plain value; false if it has none. */
static bool fact_value(const ks_doc *facts, const char *name, ks_str *text)
{
    const ks_doc *fact = ks_member_of(facts, name);
    const ks_doc *value = fact && fact->kind == KS_MAP ? ks_member_of(fact, "value") : NULL;
    *text = value && value->kind == KS_SCALAR ? value->text : KS_STR("");
    return text->n > 0;
}

static double fact_number(const ks_doc *facts, const char *name)
{
    ks_quantity quantity;
    ks_str text;
    return fact_value(facts, name, &text) && ks_parse_quantity(text, &quantity) == KS_QUANTITY_OK
               ? quantity.value
               : 0;
}

ks_gpu_link ks_gpu_link_of(const ks_gpu_kind *kind)
{
    const ks_doc *facts = ks_member_of(kind->facts, "facts");
    ks_str p2p;
    double generation = fact_number(facts, "pcie_generation");
    ks_gpu_link link = {.capability = fact_number(facts, "capability")};
    link.generation = generation >= 1 && generation <= NEWEST_GENERATION ? (int64_t)generation : 0;
    link.told = ks_member_of(ks_member_of(kind->own, "facts"), "pcie_generation") != NULL;
    link.p2p = fact_value(facts, "p2p", &p2p) && ks_equal_c(p2p, "true");
    return link;
}

ks_str ks_find_gpu(const ks_catalog *catalog, const ks_device *device)
{
    size_t n;
    const ks_str none = {NULL, 0};
    if (device->vendor_id < 0 || device->device_id < 0)
        return none;
    ks_str *names = ks_catalog_names(catalog, "gpu", &n);
    ks_str wanted = ks_format(catalog->diags->arena, "%04llx:%04llx",
                              (unsigned long long)device->vendor_id,
                              (unsigned long long)device->device_id);
    for (size_t i = 0; i < n; i++) {
        const ks_doc *file = ks_catalog_find(catalog, "gpu", names[i], (ks_span){0});
        const ks_doc *ids = file ? ks_member_of(file, "pci") : NULL;
        for (size_t k = 0; ids && ids->kind == KS_LIST && k < ids->n; k++)
            if (ks_same_letters(ids->items[k].value->text, wanted))
                return names[i];
    }
    return none;
}

int64_t ks_usual_nvlinks(const ks_gpu_kind *kind, bool *through_switches)
{
    const ks_doc *links = ks_member_of(kind->own, "nvlinks");
    const ks_doc *count = ks_member_of(links, "count"), *through = ks_member_of(links, "switch");
    double n = 0;
    if (count && count->kind == KS_SCALAR)
        ks_parse_decimal(count->text, &n);
    *through_switches = through && ks_equal_c(through->text, "true");
    return n > 0 && n < 64 ? (int64_t)n : 0;
}

static const char *const vendors[] = {
#define X(name, word) word,
    KS_CPU_VENDORS(X)
#undef X
};

enum ks_cpu_vendor ks_cpu_vendor_of(ks_str word)
{
    for (size_t i = 0; i < KS_COUNT(vendors); i++)
        if (ks_equal_c(word, vendors[i]))
            return (enum ks_cpu_vendor)i;
    return KS_CPU_UNKNOWN;
}

const char *ks_cpu_vendor_word(enum ks_cpu_vendor vendor)
{
    return vendors[vendor];
}

bool ks_set_cpu(const ks_catalog *catalog, ks_numa *numa, ks_str name, ks_span at)
{
    const ks_doc *file = ks_catalog_load(catalog, "cpu", name, at);
    const ks_doc *facts = file ? ks_member_of(file, "facts") : NULL;
    ks_str vendor;
    if (!file)
        return false;
    const ks_doc *own = ks_member_of(file, "cpu");
    numa->cpu = own && own->kind == KS_SCALAR ? own->text : name;
    if (!fact_value(facts, "vendor", &vendor) || ks_cpu_vendor_of(vendor) == KS_CPU_UNKNOWN) {
        ks_error(catalog->diags, KS_S002, file->span,
                 "this processor's file has no fact \"vendor\"");
        return false;
    }
    if (numa->vendor != KS_CPU_UNKNOWN && numa->vendor != ks_cpu_vendor_of(vendor)) {
        ks_error(catalog->diags, KS_T005, at, "\"%.*s\" is a processor of %.*s", KS_ARG(numa->cpu),
                 KS_ARG(vendor));
        return false;
    }
    numa->vendor = ks_cpu_vendor_of(vendor);
    numa->family = fact_value(facts, "family", &vendor) ? (int64_t)fact_number(facts, "family")
                                                        : -1;
    numa->model = fact_value(facts, "model", &vendor) ? (int64_t)fact_number(facts, "model") : -1;
    return true;
}

/* AMD's family without NCCL's way of adding the extension: 15 + 16 * 10 means 15 + 10. */
static int64_t plain_family(const ks_numa *numa)
{
    bool odd = numa->vendor == KS_CPU_AMD && numa->family > 100;
    return odd ? 15 + (numa->family - 15) / 16 : numa->family;
}

ks_str ks_find_cpu(const ks_catalog *catalog, const ks_numa *numa)
{
    size_t n;
    ks_str *names = ks_catalog_names(catalog, "cpu", &n);
    for (size_t i = 0; i < n && numa->family >= 0 && numa->model >= 0; i++) {
        ks_numa known = {.family = -1, .model = -1};
        if (!ks_set_cpu(catalog, &known, names[i], (ks_span){0}))
            return (ks_str){NULL, 0};
        if (known.vendor == numa->vendor && known.family == plain_family(numa) &&
            known.model == numa->model)
            return known.cpu;
    }
    return (ks_str){NULL, 0};
}
