#include "model/calibration.h"

#include "read/file.h"
#include "read/schema.h"
#include "read/yaml.h"

#include <stdlib.h>

enum { MOST_RANKS = 1024 };

typedef struct overlay {
    const ks_doc *kvsim, *machine, *constants, *tables, *ranks;
    ks_str calibration;
} overlay;

static const ks_field overlay_fields[] = {
    {"kvsim", KS_FIELD_DOC, 0, offsetof(overlay, kvsim)},
    {"calibration", KS_FIELD_TEXT, 0, offsetof(overlay, calibration)},
    {"machine", KS_FIELD_SCALAR, 0, offsetof(overlay, machine)},
    {"ranks", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(overlay, ranks)},
    {"constants", KS_FIELD_MAP, 0, offsetof(overlay, constants)},
    {"tables", KS_FIELD_MAP, 0, offsetof(overlay, tables)},
};

/* The file that a single value names. */
static const ks_doc *read_beside(const ks_catalog *catalog, const ks_doc *doc)
{
    ks_str path = ks_path_beside(catalog->diags->arena, doc);
    const ks_source *source = ks_read_file(catalog->diags, path, KS_MAX_FILE, doc->span, true);
    return source ? ks_read_yaml(catalog->diags, source) : NULL;
}

/* Only what holds for other numbers of ranks too. */
static const ks_doc *ring_constants(ks_arena *arena, const ks_doc *one)
{
    const ks_doc *all = ks_member_of(one, "constants");
    ks_doc *constants = KS_NEW(arena, ks_doc), *result = KS_NEW(arena, ks_doc);
    *constants = *result = (ks_doc){.kind = KS_MAP, .span = one->span};
    for (size_t i = 0; all && i < all->n; i++)
        if (ks_starts_with(all->items[i].key, KS_STR("ring.")))
            *KS_PUSH(arena, constants) = all->items[i];
    *KS_PUSH(arena, result) = (ks_member){KS_STR("constants"), one->span, constants};
    return result;
}

bool ks_calibrated_for(const ks_catalog *catalog, const ks_machine *machine, int64_t ranks, ks_machine *own)
{
    const ks_doc *nearest = NULL, *calibration = machine->calibration;
    int64_t distance = INT64_MAX;
    *own = *machine;
    own->calibration = NULL;
    if (ranks == 0)
        ranks = machine->count;
    if (calibration && calibration->kind == KS_SCALAR &&
        !(calibration = read_beside(catalog, calibration)))
        return false;
    size_t n = !calibration ? 0 : calibration->kind == KS_LIST ? calibration->n : 1;
    for (size_t i = 0; i < n; i++) {
        const ks_doc *one = calibration->kind == KS_LIST ? calibration->items[i].value : calibration;
        overlay read = {0};
        int64_t measured;
        if (!ks_read_fields(catalog->diags, one, "a calibration", overlay_fields,
                            KS_COUNT(overlay_fields), &read) ||
            !ks_read_whole(catalog->diags, read.ranks, 2, MOST_RANKS, &measured))
            return false;
        if (llabs(measured - ranks) < distance) {
            distance = llabs(measured - ranks);
            nearest = one;
        }
    }
    if (nearest)
        own->calibration = distance == 0 ? nearest : ring_constants(catalog->diags->arena, nearest);
    return true;
}
