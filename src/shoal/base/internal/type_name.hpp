/// Type names for reports, as programmers write them.
#pragma once

#include <string>
#include <typeinfo>

namespace shoal::internal {

/// Converts the compiler's name, as std::type_info::name returns it.
std::string readable_type_name(const char* mangled);

template <class T>
std::string type_name() {
  return readable_type_name(typeid(T).name());
}

}  // namespace shoal::internal
