/* What programs of this folder check with: a line that names the place, and the job ends with status 1. */
#ifndef SHOAL_TEST_COMPAT_CHECK_H
#define SHOAL_TEST_COMPAT_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                 \
  do {                                                                                                   \
    if (!(condition)) {                                                                                  \
      fprintf(stderr, "PE %d: %s:%d: not so: %s\n", shmem_my_pe(), __FILE__, __LINE__, #condition);      \
      exit(1);                                                                                           \
    }                                                                                                    \
  } while (0)

/* Printed once by a program that found nothing wrong. */
#define PASSED()                                    \
  do {                                              \
    if (shmem_my_pe() == 0) printf("passed\n");     \
  } while (0)

#endif
