/// The entry: every Shoal program hands its body to shoal::run.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "shoal/actor/world.hpp"
#include "shoal/base/settings.hpp"

namespace shoal {

/// Runs `body` with given settings instead of those of the environment: for tests, and for programs that
/// choose for their users. What is not set is decided from the machine. Returns the exit status.
int run_with(settings chosen, const std::function<int(world&)>& body);

/// The same with the settings of the environment, on the processes of a communicator if there is one.
int run_from_environment(const std::function<int(world&)>& body, communicator_handle communicator = {});

namespace detail {

// The body as a function with a status: what it returns, or 0 if it returns nothing.
template <class Body>
auto with_status(Body& body) {
  return [&body](world& w) -> int {
    if constexpr (std::is_void_v<std::invoke_result_t<Body&, world&>>) {
      body(w);
      return 0;
    } else {
      return body(w);
    }
  };
}

}  // namespace detail

/// Calls `body(world)` once on each PE: on this process's one under shoalrun, on all of them in turn under
/// `sim`, where "once per PE in one process" is why the body is a function. Which substrate, and how many
/// PEs: the environment says (docs/tutorial.md). Returns the process's exit status: what the body returned,
/// 0 if it returns nothing, 2 for a set-up error, which is printed in one line.
template <class Body>
int run(int argc, char** argv, Body&& body) {
  static_cast<void>(argc);
  static_cast<void>(argv);
  return run_from_environment(detail::with_status(body));
}

}  // namespace shoal
