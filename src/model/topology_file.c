#include "model/topology_file.h"

#include "model/topology_matrix.h"
#include "model/topology_xml.h"
#include "read/file.h"
#include "read/matrix.h"

ks_topology *ks_topology_from_file(ks_diags *diags, ks_str path, ks_span at)
{
    const ks_source *source = ks_read_file(diags, path, KS_MAX_TOPOLOGY_FILE, at, true);
    if (!source)
        return NULL;
    if (ks_looks_like_xml(source->text))
        return ks_topology_from_xml(diags, source);
    if (source->text.n <= KS_MAX_MATRIX)
        return ks_topology_from_matrix(diags, source);
    ks_error(diags, KS_T007, (ks_span){source, 0, 0}, "larger than the %d KiB that a matrix may have",
             KS_MAX_MATRIX >> 10);
    return NULL;
}
