/* Part of shmem.h: its generic calls in C11. A call that begins with a context has one argument more. */

#define SHOAL_SHMEM_CASE_(OP, NAME, T) , T: shmem_##NAME##OP
#define SHOAL_SHMEM_CTX_CASE_(OP, NAME, T) , T: shmem_ctx_##NAME##OP
#define SHOAL_SHMEM_OF_RMA_(OP, place) _Generic(*(place)SHOAL_SHMEM_RMA_(SHOAL_SHMEM_CASE_, OP))
#define SHOAL_SHMEM_CTX_OF_RMA_(OP, place) _Generic(*(place)SHOAL_SHMEM_RMA_(SHOAL_SHMEM_CTX_CASE_, OP))
#define SHOAL_SHMEM_OF_AMO_(OP, place) _Generic(*(place)SHOAL_SHMEM_AMO_(SHOAL_SHMEM_CASE_, OP))
#define SHOAL_SHMEM_CTX_OF_AMO_(OP, place) _Generic(*(place)SHOAL_SHMEM_AMO_(SHOAL_SHMEM_CTX_CASE_, OP))
#define SHOAL_SHMEM_OF_SWAP_(OP, place) \
  _Generic(*(place)SHOAL_SHMEM_AMO_(SHOAL_SHMEM_CASE_, OP) SHOAL_SHMEM_REAL_(SHOAL_SHMEM_CASE_, OP))
#define SHOAL_SHMEM_CTX_OF_SWAP_(OP, place) \
  _Generic(*(place)SHOAL_SHMEM_AMO_(SHOAL_SHMEM_CTX_CASE_, OP) SHOAL_SHMEM_REAL_(SHOAL_SHMEM_CTX_CASE_, OP))
#define SHOAL_SHMEM_OF_BITS_(OP, place)                                                                       \
  _Generic(*(place)SHOAL_SHMEM_BITS_(SHOAL_SHMEM_CASE_, OP) SHOAL_SHMEM_CASE_(OP, int32, int32_t) \
               SHOAL_SHMEM_CASE_(OP, int64, int64_t))
#define SHOAL_SHMEM_CTX_OF_BITS_(OP, place)                                                                   \
  _Generic(*(place)SHOAL_SHMEM_BITS_(SHOAL_SHMEM_CTX_CASE_, OP) SHOAL_SHMEM_CTX_CASE_(OP, int32, int32_t) \
               SHOAL_SHMEM_CTX_CASE_(OP, int64, int64_t))
#define SHOAL_SHMEM_OF_WAITS_(OP, place) \
  _Generic(*(place)SHOAL_SHMEM_AMO_(SHOAL_SHMEM_CASE_, OP) SHOAL_SHMEM_SHORT_(SHOAL_SHMEM_CASE_, OP))

/* The fourth to eighth of its arguments. */
#define SHOAL_SHMEM_4TH_(a, b, c, d, ...) d
#define SHOAL_SHMEM_5TH_(a, b, c, d, e, ...) e
#define SHOAL_SHMEM_6TH_(a, b, c, d, e, f, ...) f
#define SHOAL_SHMEM_8TH_(a, b, c, d, e, f, g, h, ...) h

/* --- Puts and gets */

#define SHOAL_SHMEM_P_(dest, value, pe) SHOAL_SHMEM_OF_RMA_(_p, dest)(dest, value, pe)
#define SHOAL_SHMEM_P_CTX_(ctx, dest, value, pe) SHOAL_SHMEM_CTX_OF_RMA_(_p, dest)(ctx, dest, value, pe)
#define shmem_p(...) SHOAL_SHMEM_5TH_(__VA_ARGS__, SHOAL_SHMEM_P_CTX_, SHOAL_SHMEM_P_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_G_(source, pe) SHOAL_SHMEM_OF_RMA_(_g, source)(source, pe)
#define SHOAL_SHMEM_G_CTX_(ctx, source, pe) SHOAL_SHMEM_CTX_OF_RMA_(_g, source)(ctx, source, pe)
#define shmem_g(...) SHOAL_SHMEM_4TH_(__VA_ARGS__, SHOAL_SHMEM_G_CTX_, SHOAL_SHMEM_G_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_PUT_(dest, source, n, pe) SHOAL_SHMEM_OF_RMA_(_put, dest)(dest, source, n, pe)
#define SHOAL_SHMEM_PUT_CTX_(ctx, dest, source, n, pe) SHOAL_SHMEM_CTX_OF_RMA_(_put, dest)(ctx, dest, source, n, pe)
#define shmem_put(...) SHOAL_SHMEM_6TH_(__VA_ARGS__, SHOAL_SHMEM_PUT_CTX_, SHOAL_SHMEM_PUT_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_GET_(dest, source, n, pe) SHOAL_SHMEM_OF_RMA_(_get, dest)(dest, source, n, pe)
#define SHOAL_SHMEM_GET_CTX_(ctx, dest, source, n, pe) SHOAL_SHMEM_CTX_OF_RMA_(_get, dest)(ctx, dest, source, n, pe)
#define shmem_get(...) SHOAL_SHMEM_6TH_(__VA_ARGS__, SHOAL_SHMEM_GET_CTX_, SHOAL_SHMEM_GET_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_PUT_NBI_(dest, source, n, pe) SHOAL_SHMEM_OF_RMA_(_put_nbi, dest)(dest, source, n, pe)
#define SHOAL_SHMEM_PUT_NBI_CTX_(ctx, dest, source, n, pe) SHOAL_SHMEM_CTX_OF_RMA_(_put_nbi, dest)(ctx, dest, source, n, pe)
#define shmem_put_nbi(...) SHOAL_SHMEM_6TH_(__VA_ARGS__, SHOAL_SHMEM_PUT_NBI_CTX_, SHOAL_SHMEM_PUT_NBI_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_GET_NBI_(dest, source, n, pe) SHOAL_SHMEM_OF_RMA_(_get_nbi, dest)(dest, source, n, pe)
#define SHOAL_SHMEM_GET_NBI_CTX_(ctx, dest, source, n, pe) SHOAL_SHMEM_CTX_OF_RMA_(_get_nbi, dest)(ctx, dest, source, n, pe)
#define shmem_get_nbi(...) SHOAL_SHMEM_6TH_(__VA_ARGS__, SHOAL_SHMEM_GET_NBI_CTX_, SHOAL_SHMEM_GET_NBI_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_IPUT_(dest, source, dst, sst, n, pe) SHOAL_SHMEM_OF_RMA_(_iput, dest)(dest, source, dst, sst, n, pe)
#define SHOAL_SHMEM_IPUT_CTX_(ctx, dest, source, dst, sst, n, pe) SHOAL_SHMEM_CTX_OF_RMA_(_iput, dest)(ctx, dest, source, dst, sst, n, pe)
#define shmem_iput(...) SHOAL_SHMEM_8TH_(__VA_ARGS__, SHOAL_SHMEM_IPUT_CTX_, SHOAL_SHMEM_IPUT_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_IGET_(dest, source, dst, sst, n, pe) SHOAL_SHMEM_OF_RMA_(_iget, dest)(dest, source, dst, sst, n, pe)
#define SHOAL_SHMEM_IGET_CTX_(ctx, dest, source, dst, sst, n, pe) SHOAL_SHMEM_CTX_OF_RMA_(_iget, dest)(ctx, dest, source, dst, sst, n, pe)
#define shmem_iget(...) SHOAL_SHMEM_8TH_(__VA_ARGS__, SHOAL_SHMEM_IGET_CTX_, SHOAL_SHMEM_IGET_, 0)(__VA_ARGS__)

/* --- Atomics */

#define SHOAL_SHMEM_ATOMIC_FETCH_(source, pe) SHOAL_SHMEM_OF_SWAP_(_atomic_fetch, source)(source, pe)
#define SHOAL_SHMEM_ATOMIC_FETCH_CTX_(ctx, source, pe) SHOAL_SHMEM_CTX_OF_SWAP_(_atomic_fetch, source)(ctx, source, pe)
#define shmem_atomic_fetch(...) SHOAL_SHMEM_4TH_(__VA_ARGS__, SHOAL_SHMEM_ATOMIC_FETCH_CTX_, SHOAL_SHMEM_ATOMIC_FETCH_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_ATOMIC_SET_(dest, value, pe) SHOAL_SHMEM_OF_SWAP_(_atomic_set, dest)(dest, value, pe)
#define SHOAL_SHMEM_ATOMIC_SET_CTX_(ctx, dest, value, pe) SHOAL_SHMEM_CTX_OF_SWAP_(_atomic_set, dest)(ctx, dest, value, pe)
#define shmem_atomic_set(...) SHOAL_SHMEM_5TH_(__VA_ARGS__, SHOAL_SHMEM_ATOMIC_SET_CTX_, SHOAL_SHMEM_ATOMIC_SET_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_ATOMIC_SWAP_(dest, value, pe) SHOAL_SHMEM_OF_SWAP_(_atomic_swap, dest)(dest, value, pe)
#define SHOAL_SHMEM_ATOMIC_SWAP_CTX_(ctx, dest, value, pe) SHOAL_SHMEM_CTX_OF_SWAP_(_atomic_swap, dest)(ctx, dest, value, pe)
#define shmem_atomic_swap(...) SHOAL_SHMEM_5TH_(__VA_ARGS__, SHOAL_SHMEM_ATOMIC_SWAP_CTX_, SHOAL_SHMEM_ATOMIC_SWAP_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_ATOMIC_COMPARE_SWAP_(dest, cond, value, pe) SHOAL_SHMEM_OF_AMO_(_atomic_compare_swap, dest)(dest, cond, value, pe)
#define SHOAL_SHMEM_ATOMIC_COMPARE_SWAP_CTX_(ctx, dest, cond, value, pe) SHOAL_SHMEM_CTX_OF_AMO_(_atomic_compare_swap, dest)(ctx, dest, cond, value, pe)
#define shmem_atomic_compare_swap(...) SHOAL_SHMEM_6TH_(__VA_ARGS__, SHOAL_SHMEM_ATOMIC_COMPARE_SWAP_CTX_, SHOAL_SHMEM_ATOMIC_COMPARE_SWAP_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_ATOMIC_FETCH_ADD_(dest, value, pe) SHOAL_SHMEM_OF_AMO_(_atomic_fetch_add, dest)(dest, value, pe)
#define SHOAL_SHMEM_ATOMIC_FETCH_ADD_CTX_(ctx, dest, value, pe) SHOAL_SHMEM_CTX_OF_AMO_(_atomic_fetch_add, dest)(ctx, dest, value, pe)
#define shmem_atomic_fetch_add(...) SHOAL_SHMEM_5TH_(__VA_ARGS__, SHOAL_SHMEM_ATOMIC_FETCH_ADD_CTX_, SHOAL_SHMEM_ATOMIC_FETCH_ADD_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_ATOMIC_FETCH_INC_(dest, pe) SHOAL_SHMEM_OF_AMO_(_atomic_fetch_inc, dest)(dest, pe)
#define SHOAL_SHMEM_ATOMIC_FETCH_INC_CTX_(ctx, dest, pe) SHOAL_SHMEM_CTX_OF_AMO_(_atomic_fetch_inc, dest)(ctx, dest, pe)
#define shmem_atomic_fetch_inc(...) SHOAL_SHMEM_4TH_(__VA_ARGS__, SHOAL_SHMEM_ATOMIC_FETCH_INC_CTX_, SHOAL_SHMEM_ATOMIC_FETCH_INC_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_ATOMIC_ADD_(dest, value, pe) SHOAL_SHMEM_OF_AMO_(_atomic_add, dest)(dest, value, pe)
#define SHOAL_SHMEM_ATOMIC_ADD_CTX_(ctx, dest, value, pe) SHOAL_SHMEM_CTX_OF_AMO_(_atomic_add, dest)(ctx, dest, value, pe)
#define shmem_atomic_add(...) SHOAL_SHMEM_5TH_(__VA_ARGS__, SHOAL_SHMEM_ATOMIC_ADD_CTX_, SHOAL_SHMEM_ATOMIC_ADD_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_ATOMIC_INC_(dest, pe) SHOAL_SHMEM_OF_AMO_(_atomic_inc, dest)(dest, pe)
#define SHOAL_SHMEM_ATOMIC_INC_CTX_(ctx, dest, pe) SHOAL_SHMEM_CTX_OF_AMO_(_atomic_inc, dest)(ctx, dest, pe)
#define shmem_atomic_inc(...) SHOAL_SHMEM_4TH_(__VA_ARGS__, SHOAL_SHMEM_ATOMIC_INC_CTX_, SHOAL_SHMEM_ATOMIC_INC_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_ATOMIC_FETCH_AND_(dest, value, pe) SHOAL_SHMEM_OF_BITS_(_atomic_fetch_and, dest)(dest, value, pe)
#define SHOAL_SHMEM_ATOMIC_FETCH_AND_CTX_(ctx, dest, value, pe) SHOAL_SHMEM_CTX_OF_BITS_(_atomic_fetch_and, dest)(ctx, dest, value, pe)
#define shmem_atomic_fetch_and(...) SHOAL_SHMEM_5TH_(__VA_ARGS__, SHOAL_SHMEM_ATOMIC_FETCH_AND_CTX_, SHOAL_SHMEM_ATOMIC_FETCH_AND_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_ATOMIC_AND_(dest, value, pe) SHOAL_SHMEM_OF_BITS_(_atomic_and, dest)(dest, value, pe)
#define SHOAL_SHMEM_ATOMIC_AND_CTX_(ctx, dest, value, pe) SHOAL_SHMEM_CTX_OF_BITS_(_atomic_and, dest)(ctx, dest, value, pe)
#define shmem_atomic_and(...) SHOAL_SHMEM_5TH_(__VA_ARGS__, SHOAL_SHMEM_ATOMIC_AND_CTX_, SHOAL_SHMEM_ATOMIC_AND_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_ATOMIC_FETCH_OR_(dest, value, pe) SHOAL_SHMEM_OF_BITS_(_atomic_fetch_or, dest)(dest, value, pe)
#define SHOAL_SHMEM_ATOMIC_FETCH_OR_CTX_(ctx, dest, value, pe) SHOAL_SHMEM_CTX_OF_BITS_(_atomic_fetch_or, dest)(ctx, dest, value, pe)
#define shmem_atomic_fetch_or(...) SHOAL_SHMEM_5TH_(__VA_ARGS__, SHOAL_SHMEM_ATOMIC_FETCH_OR_CTX_, SHOAL_SHMEM_ATOMIC_FETCH_OR_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_ATOMIC_OR_(dest, value, pe) SHOAL_SHMEM_OF_BITS_(_atomic_or, dest)(dest, value, pe)
#define SHOAL_SHMEM_ATOMIC_OR_CTX_(ctx, dest, value, pe) SHOAL_SHMEM_CTX_OF_BITS_(_atomic_or, dest)(ctx, dest, value, pe)
#define shmem_atomic_or(...) SHOAL_SHMEM_5TH_(__VA_ARGS__, SHOAL_SHMEM_ATOMIC_OR_CTX_, SHOAL_SHMEM_ATOMIC_OR_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_ATOMIC_FETCH_XOR_(dest, value, pe) SHOAL_SHMEM_OF_BITS_(_atomic_fetch_xor, dest)(dest, value, pe)
#define SHOAL_SHMEM_ATOMIC_FETCH_XOR_CTX_(ctx, dest, value, pe) SHOAL_SHMEM_CTX_OF_BITS_(_atomic_fetch_xor, dest)(ctx, dest, value, pe)
#define shmem_atomic_fetch_xor(...) SHOAL_SHMEM_5TH_(__VA_ARGS__, SHOAL_SHMEM_ATOMIC_FETCH_XOR_CTX_, SHOAL_SHMEM_ATOMIC_FETCH_XOR_, 0)(__VA_ARGS__)
#define SHOAL_SHMEM_ATOMIC_XOR_(dest, value, pe) SHOAL_SHMEM_OF_BITS_(_atomic_xor, dest)(dest, value, pe)
#define SHOAL_SHMEM_ATOMIC_XOR_CTX_(ctx, dest, value, pe) SHOAL_SHMEM_CTX_OF_BITS_(_atomic_xor, dest)(ctx, dest, value, pe)
#define shmem_atomic_xor(...) SHOAL_SHMEM_5TH_(__VA_ARGS__, SHOAL_SHMEM_ATOMIC_XOR_CTX_, SHOAL_SHMEM_ATOMIC_XOR_, 0)(__VA_ARGS__)

#define shmem_atomic_fetch_nbi(fetch, source, pe) SHOAL_SHMEM_OF_SWAP_(_atomic_fetch_nbi, fetch)(fetch, source, pe)
#define shmem_atomic_swap_nbi(fetch, dest, value, pe) SHOAL_SHMEM_OF_SWAP_(_atomic_swap_nbi, fetch)(fetch, dest, value, pe)
#define shmem_atomic_compare_swap_nbi(fetch, dest, cond, value, pe) SHOAL_SHMEM_OF_AMO_(_atomic_compare_swap_nbi, fetch)(fetch, dest, cond, value, pe)
#define shmem_atomic_fetch_add_nbi(fetch, dest, value, pe) SHOAL_SHMEM_OF_AMO_(_atomic_fetch_add_nbi, fetch)(fetch, dest, value, pe)
#define shmem_atomic_fetch_inc_nbi(fetch, dest, pe) SHOAL_SHMEM_OF_AMO_(_atomic_fetch_inc_nbi, fetch)(fetch, dest, pe)
#define shmem_atomic_fetch_and_nbi(fetch, dest, value, pe) SHOAL_SHMEM_OF_BITS_(_atomic_fetch_and_nbi, fetch)(fetch, dest, value, pe)
#define shmem_atomic_fetch_or_nbi(fetch, dest, value, pe) SHOAL_SHMEM_OF_BITS_(_atomic_fetch_or_nbi, fetch)(fetch, dest, value, pe)
#define shmem_atomic_fetch_xor_nbi(fetch, dest, value, pe) SHOAL_SHMEM_OF_BITS_(_atomic_fetch_xor_nbi, fetch)(fetch, dest, value, pe)

/* Their older names. */

#define shmem_fetch(source, pe) SHOAL_SHMEM_OF_SWAP_(_fetch, source)(source, pe)
#define shmem_set(dest, value, pe) SHOAL_SHMEM_OF_SWAP_(_set, dest)(dest, value, pe)
#define shmem_swap(dest, value, pe) SHOAL_SHMEM_OF_SWAP_(_swap, dest)(dest, value, pe)
#define shmem_cswap(dest, cond, value, pe) SHOAL_SHMEM_OF_AMO_(_cswap, dest)(dest, cond, value, pe)
#define shmem_fadd(dest, value, pe) SHOAL_SHMEM_OF_AMO_(_fadd, dest)(dest, value, pe)
#define shmem_finc(dest, pe) SHOAL_SHMEM_OF_AMO_(_finc, dest)(dest, pe)
#define shmem_add(dest, value, pe) SHOAL_SHMEM_OF_AMO_(_add, dest)(dest, value, pe)
#define shmem_inc(dest, pe) SHOAL_SHMEM_OF_AMO_(_inc, dest)(dest, pe)

/* --- Waits */

#define shmem_wait_until(ivar, cmp, value) SHOAL_SHMEM_OF_WAITS_(_wait_until, ivar)(ivar, cmp, value)
#define shmem_test(ivar, cmp, value) SHOAL_SHMEM_OF_WAITS_(_test, ivar)(ivar, cmp, value)
#define shmem_wait_until_all(ivars, n, status, cmp, value) SHOAL_SHMEM_OF_WAITS_(_wait_until_all, ivars)(ivars, n, status, cmp, value)
#define shmem_wait_until_any(ivars, n, status, cmp, value) SHOAL_SHMEM_OF_WAITS_(_wait_until_any, ivars)(ivars, n, status, cmp, value)
#define shmem_wait_until_some(ivars, n, indices, status, cmp, value) SHOAL_SHMEM_OF_WAITS_(_wait_until_some, ivars)(ivars, n, indices, status, cmp, value)
#define shmem_test_all(ivars, n, status, cmp, value) SHOAL_SHMEM_OF_WAITS_(_test_all, ivars)(ivars, n, status, cmp, value)
#define shmem_test_any(ivars, n, status, cmp, value) SHOAL_SHMEM_OF_WAITS_(_test_any, ivars)(ivars, n, status, cmp, value)
#define shmem_test_some(ivars, n, indices, status, cmp, value) \
  SHOAL_SHMEM_OF_WAITS_(_test_some, ivars)(ivars, n, indices, status, cmp, value)

/* --- Collective calls of teams */

#define shmem_broadcast(team, dest, source, n, root) \
  _Generic(*(dest)SHOAL_SHMEM_RMA_(SHOAL_SHMEM_CASE_, _broadcast))(team, dest, source, n, root)
#define shmem_collect(team, dest, source, n) \
  _Generic(*(dest)SHOAL_SHMEM_RMA_(SHOAL_SHMEM_CASE_, _collect))(team, dest, source, n)
#define shmem_fcollect(team, dest, source, n) \
  _Generic(*(dest)SHOAL_SHMEM_RMA_(SHOAL_SHMEM_CASE_, _fcollect))(team, dest, source, n)
#define shmem_alltoall(team, dest, source, n) \
  _Generic(*(dest)SHOAL_SHMEM_RMA_(SHOAL_SHMEM_CASE_, _alltoall))(team, dest, source, n)
#define shmem_alltoalls(team, dest, source, dst, sst, n) \
  _Generic(*(dest)SHOAL_SHMEM_RMA_(SHOAL_SHMEM_CASE_, _alltoalls))(team, dest, source, dst, sst, n)
#define shmem_sum_reduce(team, dest, source, n) \
  _Generic(*(dest)SHOAL_SHMEM_RMA_(SHOAL_SHMEM_CASE_, _sum_reduce) SHOAL_SHMEM_COMPLEX_(SHOAL_SHMEM_CASE_, _sum_reduce))(team, dest, source, n)
#define shmem_prod_reduce(team, dest, source, n) \
  _Generic(*(dest)SHOAL_SHMEM_RMA_(SHOAL_SHMEM_CASE_, _prod_reduce) SHOAL_SHMEM_COMPLEX_(SHOAL_SHMEM_CASE_, _prod_reduce))(team, dest, source, n)
#define shmem_min_reduce(team, dest, source, n) \
  _Generic(*(dest)SHOAL_SHMEM_RMA_(SHOAL_SHMEM_CASE_, _min_reduce))(team, dest, source, n)
#define shmem_max_reduce(team, dest, source, n) \
  _Generic(*(dest)SHOAL_SHMEM_RMA_(SHOAL_SHMEM_CASE_, _max_reduce))(team, dest, source, n)
#define shmem_and_reduce(team, dest, source, n) \
  _Generic(*(dest)SHOAL_SHMEM_TEAM_BITS_(SHOAL_SHMEM_CASE_, _and_reduce) \
               SHOAL_SHMEM_TEAM_SIGNED_(SHOAL_SHMEM_CASE_, _and_reduce))(team, dest, source, n)
#define shmem_or_reduce(team, dest, source, n) \
  _Generic(*(dest)SHOAL_SHMEM_TEAM_BITS_(SHOAL_SHMEM_CASE_, _or_reduce) \
               SHOAL_SHMEM_TEAM_SIGNED_(SHOAL_SHMEM_CASE_, _or_reduce))(team, dest, source, n)
#define shmem_xor_reduce(team, dest, source, n) \
  _Generic(*(dest)SHOAL_SHMEM_TEAM_BITS_(SHOAL_SHMEM_CASE_, _xor_reduce) \
               SHOAL_SHMEM_TEAM_SIGNED_(SHOAL_SHMEM_CASE_, _xor_reduce))(team, dest, source, n)
