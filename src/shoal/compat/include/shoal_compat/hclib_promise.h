/* Promises and futures of C++, a part of hclib_cpp.h. T has at most the size of a pointer, or is a reference or void. */
#ifndef SHOAL_HCLIB_PROMISE_H
#define SHOAL_HCLIB_PROMISE_H

namespace hclib {

namespace shoal_parts {

/* A value in the place of a pointer. */
template <class T>
struct datum_of {
  static_assert(sizeof(T) <= sizeof(void*), "a promise holds a value of at most the size of a pointer");
  static_assert(std::is_trivially_destructible<T>::value, "a promise holds a copy of the bytes of its value");
  static void* from(const T& value) {
    void* datum = nullptr;
    std::memcpy(&datum, &value, sizeof value);
    return datum;
  }
  static T to(void* datum) {
    union place {
      char none;
      typename std::remove_const<T>::type value;
      place() : none() {}
    } its;
    std::memcpy(static_cast<void*>(&its.value), &datum, sizeof(T));
    return its.value;
  }
};
template <class T>
struct datum_of<T*> {
  static void* from(T* value) { return const_cast<void*>(static_cast<const volatile void*>(value)); }
  static T* to(void* datum) { return static_cast<T*>(datum); }
};
template <class T>
struct datum_of<T&> {
  static void* from(T& value) { return datum_of<T*>::from(std::addressof(value)); }
  static T& to(void* datum) { return *static_cast<T*>(datum); }
};
template <>
struct datum_of<void> {
  static void to(void*) {}
};

}  // namespace shoal_parts

template <class T>
struct future_t : hclib_future_t {
  /* Of a satisfied future. */
  T get() {
    if (owner->satisfied == 0) shoal_hclib_refuse_get("hclib::future_t::get");
    return shoal_parts::datum_of<T>::to(owner->datum);
  }
  T wait() {
    if (owner->satisfied == 0) shoal_hclib_wait(owner, "hclib::future_t::wait");
    return shoal_parts::datum_of<T>::to(owner->datum);
  }
  bool test() { return owner->satisfied != 0; }
};

namespace shoal_parts {

/* Futures of type T are what promises have, without members of their own. */
template <class T>
struct promise_base : hclib_promise_t {
  promise_base() { hclib_promise_init(this); }
  promise_base(const promise_base&) = delete;
  promise_base& operator=(const promise_base&) = delete;
  future_t<T>* get_future() { return static_cast<future_t<T>*>(&(this->hclib_promise_t::future)); }
  future_t<T>& future() { return *get_future(); }
};

}  // namespace shoal_parts

template <class T>
struct promise_t : shoal_parts::promise_base<T> {
  void put(T value) { hclib_promise_put(this, shoal_parts::datum_of<T>::from(value)); }
};
template <>
struct promise_t<void> : shoal_parts::promise_base<void> {
  void put() { hclib_promise_put(this, nullptr); }
};

}  // namespace hclib

#endif
