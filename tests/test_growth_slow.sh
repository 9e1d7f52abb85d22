#!/bin/sh
# Time in proportion to the items of every list, of equal items too, in each generation of a format (test_growth.c).
LVL_GROWTH_ALL=1 exec "$(dirname "$LVL")/test_growth"
