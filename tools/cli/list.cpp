// `shoal list`.
#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <iostream>
#include <vector>

#include "tools/cli/commands.hpp"
#include "tools/cli/json.hpp"
#include "tools/cli/suggest.hpp"

namespace shoal::cli {
namespace {

void print_for_people(const std::vector<kernels::kernel_description>& all) {
  std::size_t longest = 0;
  for (const kernels::kernel_description& kernel : all) longest = std::max(longest, kernel.name.size());
  const int column = static_cast<int>(longest) + 2;
  for (const kernels::kernel_description& kernel : all) {
    std::cout << std::left << std::setw(column) << kernel.name << kernel.summary << '\n'
              << std::setw(column) << "" << "variants: " << joined(kernel.variants)
              << (kernel.has_loop ? "; --baseline adds the plain loop" : "") << '\n';
  }
}

void print_as_json(const kernels::kernel_description& kernel) {
  std::string variants;
  for (const std::string& variant : kernel.variants) {
    variants += (variants.empty() ? "" : ", ") + json_string(variant);
  }
  std::string options;
  for (const kernels::option_description& option : kernel.options) {
    options += (options.empty() ? "" : ", ") + json_string(option.name) + ": " + json_value(option.default_value);
  }
  std::cout << R"({"kernel": )" << json_string(kernel.name) << R"(, "summary": )" << json_string(kernel.summary)
            << R"(, "variants": [)" << variants << R"(], "has_loop": )" << (kernel.has_loop ? "true" : "false")
            << R"(, "options": {)" << options << "}}\n";
}

}  // namespace

int list_kernels(const list_request& request) {
  if (!request.is_json) {
    print_for_people(kernels::all_kernels());
    return 0;
  }
  for (const kernels::kernel_description& kernel : kernels::all_kernels()) print_as_json(kernel);
  return 0;
}

}  // namespace shoal::cli
