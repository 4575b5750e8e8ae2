/* Part of shmem.h: waits for a word of this PE that others change, and locks. */

/* --- Waits. Local. They serve the other PEs meanwhile. `status`: where it is not 0, the element is left out. */

#define SHOAL_SHMEM_DECLARE_WAITS_(A, NAME, T)                                                                       \
  void shmem_##NAME##_wait_until(T* ivar, int cmp, T value);                                                         \
  int shmem_##NAME##_test(T* ivar, int cmp, T value);                                                                \
  void shmem_##NAME##_wait_until_all(T* ivars, size_t n, const int* status, int cmp, T value);                       \
  size_t shmem_##NAME##_wait_until_any(T* ivars, size_t n, const int* status, int cmp, T value);                     \
  size_t shmem_##NAME##_wait_until_some(T* ivars, size_t n, size_t* indices, const int* status, int cmp, T value);   \
  int shmem_##NAME##_test_all(T* ivars, size_t n, const int* status, int cmp, T value);                              \
  size_t shmem_##NAME##_test_any(T* ivars, size_t n, const int* status, int cmp, T value);                           \
  size_t shmem_##NAME##_test_some(T* ivars, size_t n, size_t* indices, const int* status, int cmp, T value);
SHOAL_SHMEM_AMO_(SHOAL_SHMEM_DECLARE_WAITS_, 0)
SHOAL_SHMEM_AMO_NAMES_(SHOAL_SHMEM_DECLARE_WAITS_, 0)
SHOAL_SHMEM_SHORT_(SHOAL_SHMEM_DECLARE_WAITS_, 0)
#undef SHOAL_SHMEM_DECLARE_WAITS_

/* Until the word is not `value` any more; and the old names of calls for long. */
void shmem_short_wait(short* ivar, short value);
void shmem_int_wait(int* ivar, int value);
void shmem_long_wait(long* ivar, long value);
void shmem_longlong_wait(long long* ivar, long long value);
void shmem_wait(long* ivar, long value);
void shmem_wait_until(long* ivar, int cmp, long value);
long shmem_swap(long* dest, long value, int pe);

/* --- Locks: symmetric words that are 0 at first. Local. Clearing one completes this PE's puts. */

void shmem_set_lock(long* lock);
void shmem_clear_lock(long* lock);
int shmem_test_lock(long* lock); /* 0: this PE has it now */
