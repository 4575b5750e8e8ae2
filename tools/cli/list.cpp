// `shoal list`.
#include <iomanip>
#include <iostream>

#include "tools/cli/commands.hpp"
#include "tools/cli/json.hpp"
#include "tools/cli/suggest.hpp"

namespace shoal::cli {
namespace {

void print_for_people(const kernels::kernel_description& kernel) {
  std::cout << std::left << std::setw(14) << kernel.name << kernel.summary << '\n'
            << std::setw(14) << "" << "variants: " << joined(kernel.variants)
            << (kernel.has_loop ? "; --baseline adds the plain loop" : "") << '\n';
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
  for (const kernels::kernel_description& kernel : kernels::all_kernels()) {
    request.is_json ? print_as_json(kernel) : print_for_people(kernel);
  }
  return 0;
}

}  // namespace shoal::cli
