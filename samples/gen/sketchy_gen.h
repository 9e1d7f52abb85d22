/*
 * The Sketchy Maze part of the samples.
 */
#ifndef SAMPLES_SKETCHY_GEN_H
#define SAMPLES_SKETCHY_GEN_H

#include "files.h"
#include "gen.h"

/* Drawings in every generation, a pack, damaged twins. */
void sketchy_add(file_list *list);

#endif
