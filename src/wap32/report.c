/*
 * wap32/report.c: findings of these formats.
 */
#include "wap32/formats.h"

#include <stdarg.h>

void lvl_report_at(lvl_findings *findings, const lvl_finding_def *def, lvl_where where, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    lvl_findings_addv(findings, def, &where, NULL, fmt, args);
    va_end(args);
}
