/// The main of benchmarks that are programs of HClib.
#pragma once

#include <cstddef>

#include "benchmarks/support/benchmark.hpp"
#include "shoal/compat/include/hclib_cpp.h"
#include "shoal/shoal.hpp"

namespace shoal::bench {

/// Calls compare(world, benchmark, n), with n operations a PE. Returns the program's status.
template <class Compare>
int run_in_launch(int argc, char** argv, const char* name, const Compare& compare) {
  const char* deps[] = {"system", "bale_actor"};
  int status = 0;
  hclib::launch(deps, 2, [&] {
    world& w = world::of_job();
    try {
      const options given = parse_options(argc, argv);
      refuse_others(given);
      benchmark all(w, name, given);
      compare(w, all, given.is_smoke ? std::size_t{20'000} : std::size_t{2'000'000});
      status = all.status();
    } catch (const setup_error& e) {
      w.end_job(2, e.what());
    }
  });
  return status;
}

}  // namespace shoal::bench
