/// A value that may be absent, for headers that programs include.
#pragma once

#include <new>
#include <utility>

namespace shoal::internal {

/// As a std::optional that is moved, whose header and traits would cost each program 10 ms to compile.
template <class T>
class maybe {
public:
  maybe() noexcept {}
  template <class U>
  maybe(std::in_place_t, U&& value) : value_(std::forward<U>(value)), has_value_(true) {}
  maybe(maybe&& from) : has_value_(from.has_value_) {
    if (has_value_) ::new (static_cast<void*>(&value_)) T(std::move(from.value_));
  }
  maybe& operator=(maybe&& from) {
    if (this == &from) return *this;
    reset();
    if (from.has_value_) emplace(std::move(from.value_));
    return *this;
  }
  ~maybe() { reset(); }

  bool has_value() const noexcept { return has_value_; }
  T& operator*() noexcept { return value_; }
  template <class... Arguments>
  void emplace(Arguments&&... arguments) {
    reset();
    ::new (static_cast<void*>(&value_)) T(std::forward<Arguments>(arguments)...);
    has_value_ = true;
  }
  void reset() noexcept {
    if (!has_value_) return;
    has_value_ = false;
    value_.~T();
  }

private:
  union {
    T value_;
  };
  bool has_value_ = false;
};

}  // namespace shoal::internal
