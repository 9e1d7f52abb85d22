/*
 * scene/graph_pack.c: packs rectangles.
 */
#include "scene/graph_layout.h"

#include <math.h>

int lvl_graph_compare_numbers(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

int lvl_graph_by_height(const void *a, const void *b)
{
    const lvl_graph_box *p = a, *q = b;

    if (p->height != q->height)
        return lvl_graph_compare_numbers(q->height, p->height);
    return p->width != q->width ? lvl_graph_compare_numbers(q->width, p->width)
                                : lvl_graph_compare_numbers(p->id, q->id);
}

/* Fills a column below its first box, of index `i`, with rows of boxes among the next ones. */
static void fill_column(lvl_graph_box *boxes, size_t count, size_t i, int64_t gap, int64_t bottom)
{
    enum { SOON = 256 };
    const size_t end = count - i < SOON ? count : i + SOON;
    const int64_t right = boxes[i].x + boxes[i].width;
    int64_t y = boxes[i].y + boxes[i].height + gap;

    for (bool placed = true; placed;) {
        int64_t x = boxes[i].x, row = 0;
        placed = false;
        for (size_t k = i + 1; k < end; k++) {
            if (boxes[k].placed || x + boxes[k].width > right || y + boxes[k].height > bottom)
                continue;
            boxes[k].placed = placed = true;
            boxes[k].x = x;
            boxes[k].y = y;
            x += boxes[k].width + gap;
            row = boxes[k].height > row ? boxes[k].height : row;
        }
        y += row + gap;
    }
}

/* How wide the packed boxes may be, at least as much as the widest of them. */
static int64_t choose_width(const lvl_graph_box *boxes, size_t count, int64_t gap)
{
    int64_t widest = 0;
    double area = 0;

    for (size_t i = 0; i < count; i++) {
        area += (double)(boxes[i].width + gap) * (double)(boxes[i].height + gap);
        widest = boxes[i].width > widest ? boxes[i].width : widest;
    }
    const double side = sqrt(area * 1.4);
    return side > (double)widest ? (int64_t)side : widest;
}

void lvl_graph_pack(lvl_graph_box *boxes, size_t count, int64_t gap, int64_t *width, int64_t *height)
{
    const int64_t wide = choose_width(boxes, count, gap);
    int64_t x = 0, y = 0, row = 0;

    *width = *height = 0;
    for (size_t i = 0; i < count; i++)
        boxes[i].placed = false;
    for (size_t i = 0; i < count; i++) {
        if (boxes[i].placed)
            continue;
        if (x && x + boxes[i].width > wide) {
            x = 0;
            y += row + gap;
            row = 0;
        }
        boxes[i].placed = true;
        boxes[i].x = x;
        boxes[i].y = y;
        row = boxes[i].height > row ? boxes[i].height : row;
        x += boxes[i].width + gap;
        *width = x - gap > *width ? x - gap : *width;
        *height = y + row > *height ? y + row : *height;
        fill_column(boxes, count, i, gap, y + row);
    }
}
