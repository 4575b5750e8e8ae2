// `shoal list`.
#include <iomanip>
#include <iostream>

#include "tools/cli/commands.hpp"
#include "tools/cli/suggest.hpp"

namespace shoal::cli {

int list_kernels() {
  for (const kernels::kernel_description& kernel : kernels::all_kernels()) {
    std::cout << std::left << std::setw(14) << kernel.name << kernel.summary << '\n'
              << std::setw(14) << "" << "variants: " << joined(kernel.variants)
              << (kernel.has_loop ? "; --baseline adds the plain loop" : "") << '\n';
  }
  return 0;
}

}  // namespace shoal::cli
