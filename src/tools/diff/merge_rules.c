/*
 * tools/diff/merge_rules.c: the table of rules. tests/test_merge.c compares docs/git.md with it.
 */
#include "tools/diff/merge_rules.h"

const char *const lvl_item_state_names[LVL_STATE_COUNT] = {
    [LVL_STATE_SAME] = "same",         [LVL_STATE_MOVED] = "moved",
    [LVL_STATE_CHANGED] = "changed",   [LVL_STATE_MOVED_CHANGED] = "moved and changed",
    [LVL_STATE_REPLACED] = "replaced", [LVL_STATE_DELETED] = "deleted",
};
const char *const lvl_merge_rule_names[LVL_RULE_COUNT] = {
    [LVL_RULE_OURS] = "ours",         [LVL_RULE_THEIRS] = "theirs",     [LVL_RULE_MEMBERS] = "by members",
    [LVL_RULE_DELETE] = "is deleted", [LVL_RULE_CONFLICT] = "conflict",
};

/* clang-format off */
#define OURS     LVL_RULE_OURS
#define THEIRS   LVL_RULE_THEIRS
#define MEMBERS  LVL_RULE_MEMBERS
#define DELETE_  LVL_RULE_DELETE
#define CONFLICT LVL_RULE_CONFLICT
/* a row for each state in OURS, a column for each in THEIRS:
 *                same     moved    changed  both      replaced  deleted */
static const unsigned char rules[LVL_STATE_COUNT][LVL_STATE_COUNT] = {
    /* same */     {OURS,    OURS,    MEMBERS, MEMBERS,  THEIRS,   DELETE_},
    /* moved */    {OURS,    OURS,    MEMBERS, MEMBERS,  THEIRS,   DELETE_},
    /* changed */  {OURS,    OURS,    MEMBERS, MEMBERS,  CONFLICT, CONFLICT},
    /* both */     {OURS,    OURS,    MEMBERS, MEMBERS,  CONFLICT, CONFLICT},
    /* replaced */ {OURS,    OURS,    CONFLICT, CONFLICT, CONFLICT, CONFLICT},
    /* deleted */  {DELETE_, DELETE_, CONFLICT, CONFLICT, CONFLICT, DELETE_},
};
/* clang-format on */

lvl_merge_rule lvl_merge_rule_of(lvl_item_state ours, lvl_item_state theirs)
{
    return (lvl_merge_rule)rules[ours][theirs];
}
