/// A pointer that owns what it points to, for classes that programs include.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace shoal::internal {

struct delete_one {
  template <class T>
  void operator()(T* its) const noexcept {
    static_assert(sizeof(T) > 0, "its destructor must be known");
    delete its;
  }
};
struct delete_array {
  template <class T>
  void operator()(T* all) const noexcept {
    static_assert(sizeof(T) > 0, "its destructor must be known");
    delete[] all;
  }
};

/// As std::unique_ptr, which makes one, but each type of it costs a compiler next to nothing. A std::unique_ptr costs
/// 5 ms, because it keeps its pointer in a tuple, and over a dozen of them were a tenth of what a program compiled. Where
/// a class owns a std::vector by it, programs do not compile the vector either.
template <class T, class Free = delete_one>
class owner {
public:
  owner() noexcept = default;
  explicit owner(T* its) noexcept : its_(its) {}
  template <class From>
  owner(std::unique_ptr<From> from) noexcept : its_(from.release()) {
    static_assert(std::is_same_v<Free, std::conditional_t<std::is_array_v<From>, delete_array, delete_one>>);
  }
  owner(owner&& from) noexcept : its_(from.release()) {}
  owner& operator=(owner&& from) noexcept {
    reset(from.release());
    return *this;
  }
  ~owner() {
    if (its_ != nullptr) Free{}(its_);
  }

  T* get() const noexcept { return its_; }
  T& operator*() const noexcept { return *its_; }
  T* operator->() const noexcept { return its_; }
  T& operator[](std::size_t i) const noexcept { return its_[i]; }
  bool operator==(std::nullptr_t) const noexcept { return its_ == nullptr; }

  T* release() noexcept {
    T* const its = its_;
    its_ = nullptr;
    return its;
  }
  void reset(T* next = nullptr) noexcept {
    T* const last = its_;
    its_ = next;
    if (last != nullptr) Free{}(last);
  }

private:
  T* its_ = nullptr;
};

/// The same for an array, of which operator[] takes elements.
template <class T>
using array_owner = owner<T, delete_array>;

}  // namespace shoal::internal
