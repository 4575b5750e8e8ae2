/* std_options of bale 3.0 on Shoal: the options that bale's programs share, as children for argp, and what they print.
   */
#ifndef SHOAL_STD_OPTIONS_H
#define SHOAL_STD_OPTIONS_H

#include <argp.h>

#include "libgetput.h"
#include "spmat.h"

/* Bits of models_mask. */
#define AGP_Model 1L
#define EXSTACK_Model 2L
#define EXSTACK2_Model 4L
#define CONVEYOR_Model 8L
#define ALTERNATE_Model 16L
#define ALL_Models 15L

#ifdef __cplusplus
extern "C" {
#endif

typedef struct std_args_t {
  int64_t buf_cnt;
  int cores_per_node;
  int dump_files;
  int json;
  char json_output[128];
  int models_mask;
  int64_t seed;
} std_args_t;

typedef struct std_graph_args_t {
  int64_t l_numrows;
  int64_t numrows;
  int readfile;
  char filename[128];
  graph_model model;
  double edge_prob;
  double nz_per_row;
  int directed;
  int loops;
  int weighted;
  char kron_string[128];
  int kron_spec[64];
  int kron_num;
  int kron_mode;
} std_graph_args_t;

/* Their parsers find the struct in state->input. */
extern struct argp std_options_argp;
extern struct argp std_graph_options_argp;

/* Collective. PE 0 parses, and all get its `len` bytes at `args`, of which `std` is a part. 0: go on; 1: help was asked
   for; -1: an option is wrong. If not 0, lgp_finalize has been called. */
int bale_app_init(int argc, char** argv, void* args, int len, struct argp* argp, std_args_t* std);
void bale_app_finish(std_args_t* std);

/* PE 0 prints these. */
void bale_app_write_int(std_args_t* std, char* key, int64_t value);
void bale_app_write_double(std_args_t* std, char* key, double value);
void bale_app_write_time(std_args_t* std, char* key, double seconds);
void write_std_options(std_args_t* std);
void write_std_graph_options(std_args_t* std, std_graph_args_t* graph);

/* Collective. From a file, a product of stars, or random. Ends the job with status 1 if there is none. */
sparsemat_t* get_input_graph(std_args_t* std, std_graph_args_t* graph);

#ifdef __cplusplus
}
#endif

#endif
