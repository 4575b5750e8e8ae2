#include "shoal/base/internal/type_name.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "shoal/base/internal/digest.hpp"

namespace shoal::internal {

std::string readable_type_name(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(mangled, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 ? name.get() : mangled;
}

std::uint64_t digest_of_names(std::initializer_list<const char*> mangled) {
  digest names;
  for (const char* name : mangled) names.add(std::string_view(name));
  return names.value();
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
