/* The types of shmem.h's functions, as lists: each calls X(A, NAME, TYPE) once for a type. No guard: shmem.h undefines
   the lists at its end in C++, and the sources of the library include this file again. In C, its generic macros need
   them. The standard types come before those that are other names of them, which generic calls must not list. */

/* Puts and gets. */
#undef SHOAL_SHMEM_RMA_
#define SHOAL_SHMEM_RMA_(X, A)       \
  X(A, float, float)                 \
  X(A, double, double)               \
  X(A, longdouble, long double)      \
  X(A, char, char)                   \
  X(A, schar, signed char)           \
  X(A, short, short)                 \
  X(A, int, int)                     \
  X(A, long, long)                   \
  X(A, longlong, long long)          \
  X(A, uchar, unsigned char)         \
  X(A, ushort, unsigned short)       \
  X(A, uint, unsigned int)           \
  X(A, ulong, unsigned long)         \
  X(A, ulonglong, unsigned long long)
#undef SHOAL_SHMEM_RMA_NAMES_
#define SHOAL_SHMEM_RMA_NAMES_(X, A) \
  X(A, int8, int8_t)                 \
  X(A, int16, int16_t)               \
  X(A, int32, int32_t)               \
  X(A, int64, int64_t)               \
  X(A, uint8, uint8_t)               \
  X(A, uint16, uint16_t)             \
  X(A, uint32, uint32_t)             \
  X(A, uint64, uint64_t)             \
  X(A, size, size_t)                 \
  X(A, ptrdiff, ptrdiff_t)

/* Atomics; those that only fetch, set and swap; those on bits. */
#undef SHOAL_SHMEM_AMO_
#define SHOAL_SHMEM_AMO_(X, A)       \
  X(A, int, int)                     \
  X(A, long, long)                   \
  X(A, longlong, long long)          \
  X(A, uint, unsigned int)           \
  X(A, ulong, unsigned long)         \
  X(A, ulonglong, unsigned long long)
#undef SHOAL_SHMEM_AMO_NAMES_
#define SHOAL_SHMEM_AMO_NAMES_(X, A) \
  X(A, int32, int32_t)               \
  X(A, int64, int64_t)               \
  X(A, uint32, uint32_t)             \
  X(A, uint64, uint64_t)             \
  X(A, size, size_t)                 \
  X(A, ptrdiff, ptrdiff_t)
#undef SHOAL_SHMEM_REAL_
#define SHOAL_SHMEM_REAL_(X, A) \
  X(A, float, float)            \
  X(A, double, double)
#undef SHOAL_SHMEM_BITS_
#define SHOAL_SHMEM_BITS_(X, A) \
  X(A, uint, unsigned int)      \
  X(A, ulong, unsigned long)    \
  X(A, ulonglong, unsigned long long)
#undef SHOAL_SHMEM_BITS_NAMES_
#define SHOAL_SHMEM_BITS_NAMES_(X, A) \
  X(A, int32, int32_t)                \
  X(A, int64, int64_t)                \
  X(A, uint32, uint32_t)              \
  X(A, uint64, uint64_t)

/* Waits: the atomics' types and these. */
#undef SHOAL_SHMEM_SHORT_
#define SHOAL_SHMEM_SHORT_(X, A) \
  X(A, short, short)             \
  X(A, ushort, unsigned short)

/* Reductions over active sets: of bits, of order, of sums. */
#undef SHOAL_SHMEM_SIGNED_
#define SHOAL_SHMEM_SIGNED_(X, A) \
  X(A, short, short)              \
  X(A, int, int)                  \
  X(A, long, long)                \
  X(A, longlong, long long)
#undef SHOAL_SHMEM_FLOATING_
#define SHOAL_SHMEM_FLOATING_(X, A) \
  X(A, float, float)                \
  X(A, double, double)              \
  X(A, longdouble, long double)
#undef SHOAL_SHMEM_COMPLEX_
#define SHOAL_SHMEM_COMPLEX_(X, A)         \
  X(A, complexf, shoal_shmem_complexf)     \
  X(A, complexd, shoal_shmem_complexd)

/* Reductions over teams take the types of puts, and complex ones; those of bits take integers. */
#undef SHOAL_SHMEM_TEAM_BITS_
#define SHOAL_SHMEM_TEAM_BITS_(X, A) \
  X(A, uchar, unsigned char)         \
  X(A, ushort, unsigned short)       \
  X(A, uint, unsigned int)           \
  X(A, ulong, unsigned long)         \
  X(A, ulonglong, unsigned long long)
/* Types of their own among the names below, for generic calls. */
#undef SHOAL_SHMEM_TEAM_SIGNED_
#define SHOAL_SHMEM_TEAM_SIGNED_(X, A) \
  X(A, int8, int8_t)                   \
  X(A, int16, int16_t)                 \
  X(A, int32, int32_t)                 \
  X(A, int64, int64_t)
#undef SHOAL_SHMEM_TEAM_BITS_NAMES_
#define SHOAL_SHMEM_TEAM_BITS_NAMES_(X, A) \
  X(A, int8, int8_t)                       \
  X(A, int16, int16_t)                     \
  X(A, int32, int32_t)                     \
  X(A, int64, int64_t)                     \
  X(A, uint8, uint8_t)                     \
  X(A, uint16, uint16_t)                   \
  X(A, uint32, uint32_t)                   \
  X(A, uint64, uint64_t)                   \
  X(A, size, size_t)
