/// Type names for reports, as people write them.
#pragma once

#include <string>
#include <typeinfo>

namespace shoal {

std::string readable_type_name(const std::type_info& type);

template <class T>
std::string type_name() {
  return readable_type_name(typeid(T));
}

}  // namespace shoal
