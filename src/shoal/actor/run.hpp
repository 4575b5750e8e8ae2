/// The entry point: every Shoal program passes its body to shoal::run.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include "shoal/actor/world.hpp"

namespace shoal {

struct settings;  // base/settings.hpp

namespace internal {

/// A program's body as a function that returns a status: the body's value, or 0 if it returns nothing. Refers to the
/// body, which must outlive it.
class program_body {
public:
  template <class Body>
  explicit program_body(Body& body) noexcept
      : body_(const_cast<void*>(reinterpret_cast<const void*>(std::addressof(body)))), call_(call<Body>) {}

  int operator()(world& w) const { return call_(body_, w); }

private:
  template <class Body>
  static int call(void* body, world& w) {
    if constexpr (std::is_void_v<std::invoke_result_t<Body&, world&>>) {
      (*reinterpret_cast<Body*>(body))(w);
      return 0;
    } else {
      return (*reinterpret_cast<Body*>(body))(w);
    }
  }

  void* body_;
  int (*call_)(void* body, world& w);
};

int run_with(const settings& chosen, program_body body);
int run_from_environment(program_body body);

/// Runs on the processes of an MPI communicator in Fortran's form (MPI_Fint).
int run_on_communicator(std::int32_t communicator, program_body body);

}  // namespace internal

/// Runs `body` with the given settings instead of the environment's: for tests, and for programs that choose for their
/// users. Settings left open are derived from the machine. Returns the exit status.
template <class Body>
int run_with(const settings& chosen, Body&& body) {
  return internal::run_with(chosen, internal::program_body(body));
}

/// Calls `body(world)` once on each PE: on the only PE of this process under shoalrun, on all PEs in turn under `sim`.
/// That several PEs may share a process is why the body is a function. The environment chooses the substrate and the
/// number of PEs (docs/tutorial.md). Returns the process's exit status: what the body returned, 0 if it returns
/// nothing, or 2 for a set-up error, which prints one line.
template <class Body>
int run(int argc, char** argv, Body&& body) {
  static_cast<void>(argc);
  static_cast<void>(argv);
  return internal::run_from_environment(internal::program_body(body));
}

}  // namespace shoal
