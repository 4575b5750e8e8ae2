/* Part of shmem.h: teams, and collective calls of active sets and teams. An active set are the PEs start,
   start + 2^log_stride, …. Work arrays may be NULL and are not used. */

/* --- Teams. Collective over the parent. */

int shmem_team_my_pe(shmem_team_t team); /* -1: not a member */
int shmem_team_n_pes(shmem_team_t team);
int shmem_team_translate_pe(shmem_team_t from, int pe, shmem_team_t to);
int shmem_team_get_config(shmem_team_t team, long mask, shmem_team_config_t* config);
int shmem_team_split_strided(shmem_team_t parent, int start, int stride, int size, const shmem_team_config_t* config,
                             long mask, shmem_team_t* made);
int shmem_team_split_2d(shmem_team_t parent, int x_range, const shmem_team_config_t* x_config, long x_mask,
                        shmem_team_t* x_team, const shmem_team_config_t* y_config, long y_mask, shmem_team_t* y_team);
void shmem_team_destroy(shmem_team_t team);

/* --- Reductions, element by element, in ascending order of PEs. dest and source may be one array. */

#define SHOAL_SHMEM_DECLARE_TO_ALL_(OP, NAME, T)                                                                 \
  void shmem_##NAME##_##OP##_to_all(T* dest, const T* source, int n, int start, int log_stride, int n_pes, T* pWrk, \
                                    long* pSync);
SHOAL_SHMEM_SIGNED_(SHOAL_SHMEM_DECLARE_TO_ALL_, and)
SHOAL_SHMEM_SIGNED_(SHOAL_SHMEM_DECLARE_TO_ALL_, or)
SHOAL_SHMEM_SIGNED_(SHOAL_SHMEM_DECLARE_TO_ALL_, xor)
SHOAL_SHMEM_SIGNED_(SHOAL_SHMEM_DECLARE_TO_ALL_, min)
SHOAL_SHMEM_SIGNED_(SHOAL_SHMEM_DECLARE_TO_ALL_, max)
SHOAL_SHMEM_SIGNED_(SHOAL_SHMEM_DECLARE_TO_ALL_, sum)
SHOAL_SHMEM_SIGNED_(SHOAL_SHMEM_DECLARE_TO_ALL_, prod)
SHOAL_SHMEM_FLOATING_(SHOAL_SHMEM_DECLARE_TO_ALL_, min)
SHOAL_SHMEM_FLOATING_(SHOAL_SHMEM_DECLARE_TO_ALL_, max)
SHOAL_SHMEM_FLOATING_(SHOAL_SHMEM_DECLARE_TO_ALL_, sum)
SHOAL_SHMEM_FLOATING_(SHOAL_SHMEM_DECLARE_TO_ALL_, prod)
SHOAL_SHMEM_COMPLEX_(SHOAL_SHMEM_DECLARE_TO_ALL_, sum)
SHOAL_SHMEM_COMPLEX_(SHOAL_SHMEM_DECLARE_TO_ALL_, prod)
#undef SHOAL_SHMEM_DECLARE_TO_ALL_

#define SHOAL_SHMEM_DECLARE_REDUCE_(OP, NAME, T) \
  int shmem_##NAME##_##OP##_reduce(shmem_team_t team, T* dest, const T* source, size_t n);
SHOAL_SHMEM_RMA_(SHOAL_SHMEM_DECLARE_REDUCE_, sum)
SHOAL_SHMEM_RMA_(SHOAL_SHMEM_DECLARE_REDUCE_, prod)
SHOAL_SHMEM_RMA_(SHOAL_SHMEM_DECLARE_REDUCE_, min)
SHOAL_SHMEM_RMA_(SHOAL_SHMEM_DECLARE_REDUCE_, max)
SHOAL_SHMEM_RMA_NAMES_(SHOAL_SHMEM_DECLARE_REDUCE_, sum)
SHOAL_SHMEM_RMA_NAMES_(SHOAL_SHMEM_DECLARE_REDUCE_, prod)
SHOAL_SHMEM_RMA_NAMES_(SHOAL_SHMEM_DECLARE_REDUCE_, min)
SHOAL_SHMEM_RMA_NAMES_(SHOAL_SHMEM_DECLARE_REDUCE_, max)
SHOAL_SHMEM_COMPLEX_(SHOAL_SHMEM_DECLARE_REDUCE_, sum)
SHOAL_SHMEM_COMPLEX_(SHOAL_SHMEM_DECLARE_REDUCE_, prod)
SHOAL_SHMEM_TEAM_BITS_(SHOAL_SHMEM_DECLARE_REDUCE_, and)
SHOAL_SHMEM_TEAM_BITS_(SHOAL_SHMEM_DECLARE_REDUCE_, or)
SHOAL_SHMEM_TEAM_BITS_(SHOAL_SHMEM_DECLARE_REDUCE_, xor)
SHOAL_SHMEM_TEAM_BITS_NAMES_(SHOAL_SHMEM_DECLARE_REDUCE_, and)
SHOAL_SHMEM_TEAM_BITS_NAMES_(SHOAL_SHMEM_DECLARE_REDUCE_, or)
SHOAL_SHMEM_TEAM_BITS_NAMES_(SHOAL_SHMEM_DECLARE_REDUCE_, xor)
#undef SHOAL_SHMEM_DECLARE_REDUCE_

/* --- Movement of arrays. broadcast: of an active set, the root (its place there) does not write its own dest; of a team
   it does. collect: n may differ. fcollect: it may not. alltoall: n elements from each to each. */

#define SHOAL_SHMEM_DECLARE_SIZED_(SIZE)                                                                               \
  void shmem_broadcast##SIZE(void* dest, const void* source, size_t n, int root, int start, int log_stride, int n_pes, \
                             long* pSync);                                                                             \
  void shmem_collect##SIZE(void* dest, const void* source, size_t n, int start, int log_stride, int n_pes,             \
                           long* pSync);                                                                               \
  void shmem_fcollect##SIZE(void* dest, const void* source, size_t n, int start, int log_stride, int n_pes,            \
                            long* pSync);                                                                              \
  void shmem_alltoall##SIZE(void* dest, const void* source, size_t n, int start, int log_stride, int n_pes,            \
                            long* pSync);                                                                              \
  void shmem_alltoalls##SIZE(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int start,        \
                             int log_stride, int n_pes, long* pSync);
SHOAL_SHMEM_DECLARE_SIZED_(32)
SHOAL_SHMEM_DECLARE_SIZED_(64)
#undef SHOAL_SHMEM_DECLARE_SIZED_

#define SHOAL_SHMEM_DECLARE_MOVES_(A, NAME, T)                                                                       \
  int shmem_##NAME##_broadcast(shmem_team_t team, T* dest, const T* source, size_t n, int root);                     \
  int shmem_##NAME##_collect(shmem_team_t team, T* dest, const T* source, size_t n);                                 \
  int shmem_##NAME##_fcollect(shmem_team_t team, T* dest, const T* source, size_t n);                                \
  int shmem_##NAME##_alltoall(shmem_team_t team, T* dest, const T* source, size_t n);                                \
  int shmem_##NAME##_alltoalls(shmem_team_t team, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t n);
SHOAL_SHMEM_RMA_(SHOAL_SHMEM_DECLARE_MOVES_, 0)
SHOAL_SHMEM_RMA_NAMES_(SHOAL_SHMEM_DECLARE_MOVES_, 0)
#undef SHOAL_SHMEM_DECLARE_MOVES_
int shmem_broadcastmem(shmem_team_t team, void* dest, const void* source, size_t bytes, int root);
int shmem_collectmem(shmem_team_t team, void* dest, const void* source, size_t bytes);
int shmem_fcollectmem(shmem_team_t team, void* dest, const void* source, size_t bytes);
int shmem_alltoallmem(shmem_team_t team, void* dest, const void* source, size_t bytes);
int shmem_alltoallsmem(shmem_team_t team, void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t bytes);
