/* Variables of HClib with a part for each worker, which a gathering folds: on Shoal one, since each PE has one worker.
   So nothing here is shared between PEs, and calls are local. */
#ifndef SHOAL_HCLIB_ATOMIC_H
#define SHOAL_HCLIB_ATOMIC_H

#include "hclib.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*atomic_init_func)(void* part, void* user_data);
typedef void (*atomic_update_func)(void* part, void* user_data);
typedef void (*atomic_gather_func)(void* into, void* part, void* user_data);

typedef struct hclib_atomic_t {
  void* part; /* of the worker */
  size_t bytes;
} hclib_atomic_t;

/* `init` sets a part, `update` changes it; `gather` folds parts into the first one, which hclib_atomic_gather returns. */
hclib_atomic_t* hclib_atomic_create(size_t bytes, atomic_init_func init, void* user_data);
void hclib_atomic_init(hclib_atomic_t* atomic, size_t bytes, atomic_init_func init, void* user_data);
void hclib_atomic_update(hclib_atomic_t* atomic, atomic_update_func update, void* user_data);
void* hclib_atomic_gather(hclib_atomic_t* atomic, atomic_gather_func gather, void* user_data);

#ifdef __cplusplus
}

extern "C++" {
namespace hclib {

template <class T>
class atomic_t {
public:
  explicit atomic_t(T value) : part_(value) {}

  void update(std::function<T(T)> change) { part_ = change(part_); }
  T gather(std::function<T(T, T)>) { return part_; }

protected:
  T part_;
};

template <class T>
class atomic_sum_t : public atomic_t<T> {
public:
  explicit atomic_sum_t(T value) : atomic_t<T>(value) {}

  atomic_sum_t& operator+=(T other) {
    this->part_ += other;
    return *this;
  }
  T get() { return this->part_; }
};

template <class T>
class atomic_max_t : public atomic_t<T> {
public:
  explicit atomic_max_t(T value) : atomic_t<T>(value) {}

  using atomic_t<T>::update;
  void update(T other) {
    if (this->part_ < other) this->part_ = other;
  }
  T get() { return this->part_; }
};

template <class T>
class atomic_or_t : public atomic_t<T> {
public:
  explicit atomic_or_t(T value) : atomic_t<T>(value) {}

  atomic_or_t& operator|=(T other) {
    this->part_ |= other;
    return *this;
  }
  T get() { return this->part_; }
};

}  // namespace hclib
}
#endif

#endif
