/* The main of kernels over bale's libraries. */
#ifndef SHOAL_TEST_COMPAT_KERNELS_MAIN_H
#define SHOAL_TEST_COMPAT_KERNELS_MAIN_H

#include "kernels_checks.h"

static int run_kernels(const kernels* its, int argc, char* argv[]) {
  int status;
  lgp_init(argc, argv);
  status = check_kernels(its, argc, argv);
  lgp_finalize();
  return status;
}

#endif
