/*
 * sketchy/model/findings.c: the table of findings, and their places in a drawing.
 */
#include "sketchy/model/findings.h"

#include "base/format.h"

#include <lvl/sketchy.h>
#include <stddef.h>

#define FINDING_INDEX(name) LVL_SKETCHY_F_##name
#include "base/finding_rows.h"

const lvl_finding_def lvl_sketchy_findings[LVL_SKETCHY_F_COUNT] = {
#include "sketchy/model/findings_list.h"
};

lvl_where lvl_sketchy_item(size_t list, uint32_t index)
{
    return lvl_where_to(lvl_where_root(), lvl_table_at(&lvl_sketchy_table, list), index);
}

lvl_where lvl_sketchy_at(size_t member)
{
    return lvl_sketchy_item(member, LVL_NO_INDEX);
}

lvl_where lvl_sketchy_chunk_at(uint32_t layer, uint32_t chunk)
{
    return lvl_where_to(lvl_sketchy_item(offsetof(lvl_sketchy, layers), layer),
                        LVL_FIELD(lvl_sketchy_layer, chunks), chunk);
}
