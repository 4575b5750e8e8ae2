#include "shoal/base/internal/type_name.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

namespace shoal::internal {

std::string readable_type_name(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(mangled, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 ? name.get() : mangled;
}

const char* lasting_type_name(const char* mangled) {
  int status = 0;
  char* const name = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  if (status != 0) return mangled;
  // Nothing destroys the list, so leak checkers find every name.
  static std::mutex one_at_a_time;
  static auto& names = *new std::vector<char*>;
  const std::scoped_lock lock(one_at_a_time);
  names.push_back(name);
  return name;
}

}  // namespace shoal::internal
