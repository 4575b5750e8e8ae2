#include "shoal/conveyor/internal/misuse.hpp"

#include <exception>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/handled_messages.hpp"
#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {

std::string_view name_of(conveyor_state state) noexcept {
  constexpr std::string_view names[] = {"dormant", "working", "endgame", "cleanup", "complete"};
  return names[static_cast<std::size_t>(state)];
}

void check_destruction(std::string_view kind, conveyor_state state) noexcept {
  if (state == conveyor_state::dormant || state == conveyor_state::complete || std::uncaught_exceptions() != 0) return;
  end_job(status_usage, std::string(kind) + ": destroyed in state " + std::string(name_of(state)) +
                            ", so items may be lost; advance it until it is complete, and pull all items");
}

void refuse_call(std::string_view kind, std::string_view call, std::string_view state) {
  end_job(status_usage, std::string(kind) + ": " + std::string(call) + " is illegal while " + std::string(state) +
                            " (docs/contract.md has the states)");
}

void refuse_target(std::string_view kind, std::string_view call, pe_id target, const exchange& through) {
  end_job(status_usage, std::string(kind) + ": " + std::string(call) + " PE " + std::to_string(target) +
                            ", which is out of range; PEs are 0 to " + std::to_string(through.n_pes() - 1) +
                            through.of_name());
}

std::string describe_task() {
  const handled_messages* const its = handled_by_task();
  return its == nullptr ? std::string(name_of_tasks) : its->describe();
}

void refuse_in_work(std::string_view work, std::string_view what) {
  if (const handled_messages* const its = handled_by_task(); work == name_of_tasks && its != nullptr) {
    end_job(status_usage, its->describe() + ": " + std::string(what) +
                              " in a handler, where nothing may wait; do it in the main program");
  }
  end_job(status_usage, std::string(work) + ": " + std::string(what) +
                            (work == name_of_tasks ? " in a task, where only sends, answers and scopes may wait"
                                                   : " in deferred work, where only a send may wait") +
                            "; do it in the main program");
}

void refuse_elsewhere(std::string_view what, std::string_view advice) {
  end_job(status_usage, describe_task() + ": " + std::string(what) +
                            (handled_by_task() == nullptr ? "" : " in a parallel handler") +
                            " on another worker than the PE's own thread; " + std::string(advice));
}

void require_main_program(const exchange& through, std::string_view kind, std::string_view call) {
  if (other_worker() != nullptr) refuse_in_work(name_of_tasks, std::string(call) + " of " + std::string(kind));
  const inbox* const running = through.now().running();
  if (const char* working = through.now().working(); running == nullptr && working != nullptr) {
    refuse_in_work(working, std::string(call) + " of " + std::string(kind));
  }
  if (running == nullptr) return;
  end_job(status_usage, running->describe() + ": " + std::string(call) + " of " + std::string(kind) +
                            " in a handler, where nothing may wait; do it in the main program");
}

}  // namespace shoal::internal
