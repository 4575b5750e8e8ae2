/* The module of HClib that brings up OpenSHMEM. hclib::launch does that. */
#ifndef HCLIB_BALE_ACTOR_H
#define HCLIB_BALE_ACTOR_H

#include "hclib_cpp.h"
#include "shmem.h"

#endif
