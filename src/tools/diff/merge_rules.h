/*
 * tools/diff/merge_rules.h: what a merge does with an item, by what each side did with it. docs/git.md has
 * the same table.
 */
#ifndef LVL_TOOLS_MERGE_RULES_H
#define LVL_TOOLS_MERGE_RULES_H

/* What a side did with an item since BASE. */
typedef enum lvl_item_state {
    LVL_STATE_SAME,
    LVL_STATE_MOVED, /* in its list */
    LVL_STATE_CHANGED,
    LVL_STATE_MOVED_CHANGED,
    LVL_STATE_REPLACED, /* hardly anything of it is the same, or something else is in its place */
    LVL_STATE_DELETED,
    LVL_STATE_COUNT
} lvl_item_state;

typedef enum lvl_merge_rule {
    LVL_RULE_OURS,
    LVL_RULE_THEIRS,
    LVL_RULE_MEMBERS, /* each of its members by itself */
    LVL_RULE_DELETE,
    LVL_RULE_CONFLICT,
    LVL_RULE_COUNT
} lvl_merge_rule;

extern const char *const lvl_item_state_names[LVL_STATE_COUNT];
extern const char *const lvl_merge_rule_names[LVL_RULE_COUNT];

/* The rule for an item of BASE. Its place in the list is that of the side that moved it. */
lvl_merge_rule lvl_merge_rule_of(lvl_item_state ours, lvl_item_state theirs);

#endif
