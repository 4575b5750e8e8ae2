// Prints which substrate carries the job, how many PEs and nodes it has and which libraries were loaded for it, for
// launchers.test.py; ends with the status that is its first argument.
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "shoal/shoal.hpp"

namespace {

void print_libraries() {
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void*) {
        const std::string_view path(object->dlpi_name);
        for (const char* library : {"libmpi.so", "libmpich.so", "liboshmem.so"}) {
          if (path.find(library) != path.npos) std::printf(" %s", library);
        }
        return 0;
      },
      nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [&](shoal::world& w) {
    w.barrier();
    if (w.my_pe() == 0) {
      const auto nodes = w.backend().nodes();
      const auto n_nodes = nodes.empty() ? 1 : *std::ranges::max_element(nodes) + 1;
      const std::string_view name = w.backend().name();
      std::printf("%.*s: %d PEs on %u nodes, with", static_cast<int>(name.size()), name.data(),
                  static_cast<int>(w.n_pes()), static_cast<unsigned>(n_nodes));
      print_libraries();
      std::printf("\n");
    }
    return argc > 1 ? std::atoi(argv[1]) : 0;
  });
}
