/*
 * cli/world/graph.h: the links of levels to each other.
 */
#ifndef LVL_CLI_GRAPH_H
#define LVL_CLI_GRAPH_H

#include "cli/cli.h"

/* `lvl check --reach-from` (reach.c), after the inputs are taken; `fails`: of --fail-on. */
int cli_check_reach(cli *c, bool (*fails)(const cli *c, const lvl_findings *findings));
/* `lvl render --graph` (graph.c). */
int cli_render_graph(cli *c);
struct lvl_graph;
/* Reads the job's document and adds its links to a graph, which `busy` guards; those of a world map only with
 * `maps`. True: it is a level whose links are in the graph; else the job reports why not. */
bool cli_graph_add(cli_job *job, struct lvl_graph *graph, atomic_flag *busy, bool maps);

#endif
