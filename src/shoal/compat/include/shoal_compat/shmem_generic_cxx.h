/* Part of shmem.h: its generic calls in C++, where they are overloaded functions. Programs have local objects of these
   names, which macros would break. */

extern "C++" {

#define SHOAL_SHMEM_OVERLOAD_(A, NAME, T)                                                                              \
  inline void shmem_p(T* dest, T value, int pe) { shmem_##NAME##_p(dest, value, pe); }                                 \
  inline T shmem_g(const T* source, int pe) { return shmem_##NAME##_g(source, pe); }                                   \
  inline void shmem_put(T* dest, const T* source, size_t n, int pe) { shmem_##NAME##_put(dest, source, n, pe); }       \
  inline void shmem_get(T* dest, const T* source, size_t n, int pe) { shmem_##NAME##_get(dest, source, n, pe); }       \
  inline void shmem_put_nbi(T* dest, const T* source, size_t n, int pe) {                                              \
    shmem_##NAME##_put_nbi(dest, source, n, pe);                                                                       \
  }                                                                                                                    \
  inline void shmem_get_nbi(T* dest, const T* source, size_t n, int pe) {                                              \
    shmem_##NAME##_get_nbi(dest, source, n, pe);                                                                       \
  }                                                                                                                    \
  inline void shmem_iput(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe) {                   \
    shmem_##NAME##_iput(dest, source, dst, sst, n, pe);                                                                \
  }                                                                                                                    \
  inline void shmem_iget(T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe) {                   \
    shmem_##NAME##_iget(dest, source, dst, sst, n, pe);                                                                \
  }                                                                                                                    \
  inline int shmem_broadcast(shmem_team_t team, T* dest, const T* source, size_t n, int root) {                        \
    return shmem_##NAME##_broadcast(team, dest, source, n, root);                                                      \
  }                                                                                                                    \
  inline int shmem_collect(shmem_team_t team, T* dest, const T* source, size_t n) {                                    \
    return shmem_##NAME##_collect(team, dest, source, n);                                                              \
  }                                                                                                                    \
  inline int shmem_fcollect(shmem_team_t team, T* dest, const T* source, size_t n) {                                   \
    return shmem_##NAME##_fcollect(team, dest, source, n);                                                             \
  }                                                                                                                    \
  inline int shmem_alltoall(shmem_team_t team, T* dest, const T* source, size_t n) {                                   \
    return shmem_##NAME##_alltoall(team, dest, source, n);                                                             \
  }                                                                                                                    \
  inline int shmem_alltoalls(shmem_team_t team, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t n) {    \
    return shmem_##NAME##_alltoalls(team, dest, source, dst, sst, n);                                                  \
  }
SHOAL_SHMEM_RMA_(SHOAL_SHMEM_OVERLOAD_, 0)
#undef SHOAL_SHMEM_OVERLOAD_

#define SHOAL_SHMEM_OVERLOAD_(OP, NAME, T)                                                      \
  inline int shmem_##OP##_reduce(shmem_team_t team, T* dest, const T* source, size_t n) {       \
    return shmem_##NAME##_##OP##_reduce(team, dest, source, n);                                 \
  }
SHOAL_SHMEM_RMA_(SHOAL_SHMEM_OVERLOAD_, sum)
SHOAL_SHMEM_RMA_(SHOAL_SHMEM_OVERLOAD_, prod)
SHOAL_SHMEM_RMA_(SHOAL_SHMEM_OVERLOAD_, min)
SHOAL_SHMEM_RMA_(SHOAL_SHMEM_OVERLOAD_, max)
SHOAL_SHMEM_COMPLEX_(SHOAL_SHMEM_OVERLOAD_, sum)
SHOAL_SHMEM_COMPLEX_(SHOAL_SHMEM_OVERLOAD_, prod)
SHOAL_SHMEM_TEAM_BITS_(SHOAL_SHMEM_OVERLOAD_, and)
SHOAL_SHMEM_TEAM_BITS_(SHOAL_SHMEM_OVERLOAD_, or)
SHOAL_SHMEM_TEAM_BITS_(SHOAL_SHMEM_OVERLOAD_, xor)
SHOAL_SHMEM_TEAM_SIGNED_(SHOAL_SHMEM_OVERLOAD_, and)
SHOAL_SHMEM_TEAM_SIGNED_(SHOAL_SHMEM_OVERLOAD_, or)
SHOAL_SHMEM_TEAM_SIGNED_(SHOAL_SHMEM_OVERLOAD_, xor)
#undef SHOAL_SHMEM_OVERLOAD_

#define SHOAL_SHMEM_OVERLOAD_(A, NAME, T)                                                                  \
  inline T shmem_atomic_fetch(const T* source, int pe) { return shmem_##NAME##_atomic_fetch(source, pe); } \
  inline void shmem_atomic_set(T* dest, T value, int pe) { shmem_##NAME##_atomic_set(dest, value, pe); }   \
  inline T shmem_atomic_swap(T* dest, T value, int pe) { return shmem_##NAME##_atomic_swap(dest, value, pe); } \
  inline void shmem_atomic_fetch_nbi(T* fetch, const T* source, int pe) {                                  \
    shmem_##NAME##_atomic_fetch_nbi(fetch, source, pe);                                                    \
  }                                                                                                        \
  inline void shmem_atomic_swap_nbi(T* fetch, T* dest, T value, int pe) {                                  \
    shmem_##NAME##_atomic_swap_nbi(fetch, dest, value, pe);                                                \
  }                                                                                                        \
  inline T shmem_fetch(const T* source, int pe) { return shmem_##NAME##_fetch(source, pe); }               \
  inline void shmem_set(T* dest, T value, int pe) { shmem_##NAME##_set(dest, value, pe); }
SHOAL_SHMEM_AMO_(SHOAL_SHMEM_OVERLOAD_, 0)
SHOAL_SHMEM_REAL_(SHOAL_SHMEM_OVERLOAD_, 0)
#undef SHOAL_SHMEM_OVERLOAD_

/* For `long`, shmem_swap and shmem_wait_until are functions of C already. */
#define SHOAL_SHMEM_OVERLOAD_(A, NAME, T)                                                              \
  inline T shmem_swap(T* dest, T value, int pe) { return shmem_##NAME##_swap(dest, value, pe); }       \
  inline void shmem_wait_until(T* ivar, int cmp, T value) { shmem_##NAME##_wait_until(ivar, cmp, value); }
SHOAL_SHMEM_OVERLOAD_(0, int, int)
SHOAL_SHMEM_OVERLOAD_(0, longlong, long long)
SHOAL_SHMEM_OVERLOAD_(0, uint, unsigned int)
SHOAL_SHMEM_OVERLOAD_(0, ulong, unsigned long)
SHOAL_SHMEM_OVERLOAD_(0, ulonglong, unsigned long long)
#undef SHOAL_SHMEM_OVERLOAD_
inline float shmem_swap(float* dest, float value, int pe) { return shmem_float_swap(dest, value, pe); }
inline double shmem_swap(double* dest, double value, int pe) { return shmem_double_swap(dest, value, pe); }
inline void shmem_wait_until(short* ivar, int cmp, short value) { shmem_short_wait_until(ivar, cmp, value); }
inline void shmem_wait_until(unsigned short* ivar, int cmp, unsigned short value) {
  shmem_ushort_wait_until(ivar, cmp, value);
}

#define SHOAL_SHMEM_OVERLOAD_(A, NAME, T)                                                            \
  inline T shmem_atomic_compare_swap(T* dest, T cond, T value, int pe) {                             \
    return shmem_##NAME##_atomic_compare_swap(dest, cond, value, pe);                                \
  }                                                                                                  \
  inline T shmem_atomic_fetch_add(T* dest, T value, int pe) {                                        \
    return shmem_##NAME##_atomic_fetch_add(dest, value, pe);                                         \
  }                                                                                                  \
  inline T shmem_atomic_fetch_inc(T* dest, int pe) { return shmem_##NAME##_atomic_fetch_inc(dest, pe); } \
  inline void shmem_atomic_add(T* dest, T value, int pe) { shmem_##NAME##_atomic_add(dest, value, pe); } \
  inline void shmem_atomic_inc(T* dest, int pe) { shmem_##NAME##_atomic_inc(dest, pe); }             \
  inline void shmem_atomic_compare_swap_nbi(T* fetch, T* dest, T cond, T value, int pe) {            \
    shmem_##NAME##_atomic_compare_swap_nbi(fetch, dest, cond, value, pe);                            \
  }                                                                                                  \
  inline void shmem_atomic_fetch_add_nbi(T* fetch, T* dest, T value, int pe) {                       \
    shmem_##NAME##_atomic_fetch_add_nbi(fetch, dest, value, pe);                                     \
  }                                                                                                  \
  inline void shmem_atomic_fetch_inc_nbi(T* fetch, T* dest, int pe) {                                \
    shmem_##NAME##_atomic_fetch_inc_nbi(fetch, dest, pe);                                            \
  }                                                                                                  \
  inline T shmem_cswap(T* dest, T cond, T value, int pe) { return shmem_##NAME##_cswap(dest, cond, value, pe); } \
  inline T shmem_fadd(T* dest, T value, int pe) { return shmem_##NAME##_fadd(dest, value, pe); }     \
  inline T shmem_finc(T* dest, int pe) { return shmem_##NAME##_finc(dest, pe); }                     \
  inline void shmem_add(T* dest, T value, int pe) { shmem_##NAME##_add(dest, value, pe); }           \
  inline void shmem_inc(T* dest, int pe) { shmem_##NAME##_inc(dest, pe); }
SHOAL_SHMEM_AMO_(SHOAL_SHMEM_OVERLOAD_, 0)
#undef SHOAL_SHMEM_OVERLOAD_

#define SHOAL_SHMEM_OVERLOAD_(OP, NAME, T)                                            \
  inline T shmem_atomic_fetch_##OP(T* dest, T value, int pe) {                        \
    return shmem_##NAME##_atomic_fetch_##OP(dest, value, pe);                         \
  }                                                                                   \
  inline void shmem_atomic_##OP(T* dest, T value, int pe) {                           \
    shmem_##NAME##_atomic_##OP(dest, value, pe);                                      \
  }                                                                                   \
  inline void shmem_atomic_fetch_##OP##_nbi(T* fetch, T* dest, T value, int pe) {     \
    shmem_##NAME##_atomic_fetch_##OP##_nbi(fetch, dest, value, pe);                   \
  }
SHOAL_SHMEM_BITS_(SHOAL_SHMEM_OVERLOAD_, and)
SHOAL_SHMEM_BITS_(SHOAL_SHMEM_OVERLOAD_, or)
SHOAL_SHMEM_BITS_(SHOAL_SHMEM_OVERLOAD_, xor)
#undef SHOAL_SHMEM_OVERLOAD_
/* int32_t and int64_t have them, too. */
#define SHOAL_SHMEM_OVERLOAD_(OP, NAME, T)                                            \
  inline T shmem_atomic_fetch_##OP(T* dest, T value, int pe) {                        \
    return shmem_##NAME##_atomic_fetch_##OP(dest, value, pe);                         \
  }                                                                                   \
  inline void shmem_atomic_##OP(T* dest, T value, int pe) {                           \
    shmem_##NAME##_atomic_##OP(dest, value, pe);                                      \
  }                                                                                   \
  inline void shmem_atomic_fetch_##OP##_nbi(T* fetch, T* dest, T value, int pe) {     \
    shmem_##NAME##_atomic_fetch_##OP##_nbi(fetch, dest, value, pe);                   \
  }
SHOAL_SHMEM_OVERLOAD_(and, int32, int32_t)
SHOAL_SHMEM_OVERLOAD_(or, int32, int32_t)
SHOAL_SHMEM_OVERLOAD_(xor, int32, int32_t)
SHOAL_SHMEM_OVERLOAD_(and, int64, int64_t)
SHOAL_SHMEM_OVERLOAD_(or, int64, int64_t)
SHOAL_SHMEM_OVERLOAD_(xor, int64, int64_t)
#undef SHOAL_SHMEM_OVERLOAD_

#define SHOAL_SHMEM_OVERLOAD_(A, NAME, T)                                                                  \
  inline int shmem_test(T* ivar, int cmp, T value) { return shmem_##NAME##_test(ivar, cmp, value); }       \
  inline void shmem_wait_until_all(T* ivars, size_t n, const int* status, int cmp, T value) {              \
    shmem_##NAME##_wait_until_all(ivars, n, status, cmp, value);                                           \
  }                                                                                                        \
  inline size_t shmem_wait_until_any(T* ivars, size_t n, const int* status, int cmp, T value) {            \
    return shmem_##NAME##_wait_until_any(ivars, n, status, cmp, value);                                    \
  }                                                                                                        \
  inline size_t shmem_wait_until_some(T* ivars, size_t n, size_t* indices, const int* status, int cmp, T value) { \
    return shmem_##NAME##_wait_until_some(ivars, n, indices, status, cmp, value);                          \
  }                                                                                                        \
  inline int shmem_test_all(T* ivars, size_t n, const int* status, int cmp, T value) {                     \
    return shmem_##NAME##_test_all(ivars, n, status, cmp, value);                                          \
  }                                                                                                        \
  inline size_t shmem_test_any(T* ivars, size_t n, const int* status, int cmp, T value) {                  \
    return shmem_##NAME##_test_any(ivars, n, status, cmp, value);                                          \
  }                                                                                                        \
  inline size_t shmem_test_some(T* ivars, size_t n, size_t* indices, const int* status, int cmp, T value) { \
    return shmem_##NAME##_test_some(ivars, n, indices, status, cmp, value);                                \
  }
SHOAL_SHMEM_AMO_(SHOAL_SHMEM_OVERLOAD_, 0)
SHOAL_SHMEM_SHORT_(SHOAL_SHMEM_OVERLOAD_, 0)
#undef SHOAL_SHMEM_OVERLOAD_

/* Contexts order what the default one orders. */
#define SHOAL_SHMEM_OVERLOAD_(CALL)                                      \
  template <class... T>                                                  \
  inline auto CALL(shmem_ctx_t, T... rest) -> decltype(CALL(rest...)) {  \
    return CALL(rest...);                                                \
  }
SHOAL_SHMEM_OVERLOAD_(shmem_p)
SHOAL_SHMEM_OVERLOAD_(shmem_g)
SHOAL_SHMEM_OVERLOAD_(shmem_put)
SHOAL_SHMEM_OVERLOAD_(shmem_get)
SHOAL_SHMEM_OVERLOAD_(shmem_put_nbi)
SHOAL_SHMEM_OVERLOAD_(shmem_get_nbi)
SHOAL_SHMEM_OVERLOAD_(shmem_iput)
SHOAL_SHMEM_OVERLOAD_(shmem_iget)
SHOAL_SHMEM_OVERLOAD_(shmem_atomic_fetch)
SHOAL_SHMEM_OVERLOAD_(shmem_atomic_set)
SHOAL_SHMEM_OVERLOAD_(shmem_atomic_swap)
SHOAL_SHMEM_OVERLOAD_(shmem_atomic_compare_swap)
SHOAL_SHMEM_OVERLOAD_(shmem_atomic_fetch_add)
SHOAL_SHMEM_OVERLOAD_(shmem_atomic_fetch_inc)
SHOAL_SHMEM_OVERLOAD_(shmem_atomic_add)
SHOAL_SHMEM_OVERLOAD_(shmem_atomic_inc)
SHOAL_SHMEM_OVERLOAD_(shmem_atomic_fetch_and)
SHOAL_SHMEM_OVERLOAD_(shmem_atomic_and)
SHOAL_SHMEM_OVERLOAD_(shmem_atomic_fetch_or)
SHOAL_SHMEM_OVERLOAD_(shmem_atomic_or)
SHOAL_SHMEM_OVERLOAD_(shmem_atomic_fetch_xor)
SHOAL_SHMEM_OVERLOAD_(shmem_atomic_xor)
#undef SHOAL_SHMEM_OVERLOAD_

} /* extern "C++" */
