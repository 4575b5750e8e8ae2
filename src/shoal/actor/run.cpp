#include "shoal/actor/run.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>

#include "shoal/base/contract.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal {
namespace {

// Registered once per process: a program that calls exit inside its body would leave the others waiting.
void left_by_exit() {
  if (current_pe == nullptr) return;
  current_pe->end_job(status_usage, "exit was called in the middle of the job; return from the function "
                                    "given to shoal::run instead");
}

// PEs that are different binaries would run each other's closures.
void check_same_binary(world& w) {
  const std::uint64_t digest = detail::closure_table_digest();
  if (w.min(digest) != w.max(digest) && w.my_pe() == 0) {
    w.end_job(status_usage, "the PEs of this job run different programs; start one binary with shoalrun");
  }
}

int run_pe(substrate& machine, const settings& chosen, const std::function<int(world&)>& body) {
  world w(machine, chosen);
  try {
    check_same_binary(w);
    const int status = body(w);
    w.end_of_body();
    machine.finished();
    return status;
  } catch (const setup_error& e) {
    w.end_job(status_usage, e.what());
  } catch (const std::exception& e) {
    w.end_job(status_failure, std::string("the program threw: ") + e.what());
  } catch (...) {
    w.end_job(status_failure, "the program threw something that is no std::exception");
  }
}

}  // namespace

int run_with(settings chosen, const std::function<int(world&)>& body) {
  static std::once_flag is_registered;
  std::call_once(is_registered, [] { std::atexit(left_by_exit); });
  if (current_pe != nullptr) {
    end_job(status_usage, "shoal::run was called inside shoal::run; a program has one body");
  }
  try {
    resolve(chosen, this_machine());
    return run_on_substrate(chosen, [&](substrate& machine) { return run_pe(machine, chosen, body); });
  } catch (const setup_error& e) {
    std::fprintf(stderr, "shoal: %s\n", e.what());
    return status_usage;
  }
}

int run_from_environment(const std::function<int(world&)>& body) {
  settings chosen;
  try {
    chosen = settings_from_environment();
  } catch (const setup_error& e) {
    std::fprintf(stderr, "shoal: %s\n", e.what());
    return status_usage;
  }
  return run_with(std::move(chosen), body);
}

}  // namespace shoal
