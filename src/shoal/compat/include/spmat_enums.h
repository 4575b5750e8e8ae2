/* Kinds of graphs that spmat of bale 3.0 generates. */
#ifndef SHOAL_SPMAT_ENUMS_H
#define SHOAL_SPMAT_ENUMS_H

typedef enum graph_model { FLAT, GEOMETRIC, KRONECKER } graph_model;
typedef enum edge_type { DIRECTED, UNDIRECTED, DIRECTED_WEIGHTED, UNDIRECTED_WEIGHTED } edge_type;
typedef enum self_loops { NOLOOPS, LOOPS } self_loops;

#endif
