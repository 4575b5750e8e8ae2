/* The header's name on Cray systems. */
#include "../shmem.h"
