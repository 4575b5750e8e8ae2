/// An object on each PE, and a handle to it that can be captured and sent.
#pragma once

#include <cstdint>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "shoal/actor/world.hpp"

namespace shoal {

/// Names a per_pe object. Resolves to the object of the PE that uses it.
template <class T>
class pe_handle {
public:
  T& operator*() const { return *world::of_job().template object<T>(id_); }
  T* operator->() const { return &**this; }

private:
  template <class U>
  friend class per_pe;
  explicit pe_handle(std::uint32_t id) noexcept : id_(id) {}
  std::uint32_t id_;
};

/// Owns a `T` on each PE, which may be const. All PEs construct the same ones in the same order; does not wait. It must
/// outlive the supersteps whose messages use its handle.
template <class T>
class per_pe {
public:
  template <class... Arguments>
  explicit per_pe(world& home, Arguments&&... arguments)
      : home_(home),
        value_(std::forward<Arguments>(arguments)...),
        id_(home.enlist_object(const_cast<std::remove_const_t<T>*>(&value_), internal::object_type_of<T>,
                               typeid(T).name())) {}
  ~per_pe() { world::delist_object(home_, id_, &value_); }
  per_pe(const per_pe&) = delete;
  per_pe& operator=(const per_pe&) = delete;

  pe_handle<T> handle() const noexcept { return pe_handle<T>(id_); }
  T& operator*() noexcept { return value_; }
  T* operator->() noexcept { return &value_; }
  const T& operator*() const noexcept { return value_; }
  const T* operator->() const noexcept { return &value_; }

private:
  world& home_;
  T value_;
  std::uint32_t id_;
};

}  // namespace shoal
