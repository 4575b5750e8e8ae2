/// Type names for reports, as programmers write them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <typeinfo>

namespace shoal::internal {

/// Converts the compiler's name, as std::type_info::name returns it.
std::string readable_type_name(const char* mangled);

/// The same in memory that stays until the process ends, for reports in signal handlers. Called once a type.
const char* lasting_type_name(const char* mangled);

/// Tells lists of types apart by the compiler's names: the same in all processes that run one binary.
std::uint64_t digest_of_names(std::initializer_list<const char*> mangled);

/// The type that reports name for T: what the program wrote, if T wraps it.
template <class T>
struct named_as {
  using type = T;
};

template <class T>
const char* lasting_type_name() {
  static const char* const name = lasting_type_name(typeid(T).name());
  return name;
}

template <class T>
std::string type_name() {
  return readable_type_name(typeid(T).name());
}

}  // namespace shoal::internal
