#include "shoal/base/internal/type_name.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace shoal::internal {

std::string readable_type_name(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(mangled, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 ? name.get() : mangled;
}

}  // namespace shoal::internal
