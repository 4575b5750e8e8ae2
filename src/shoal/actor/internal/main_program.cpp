#include "shoal/actor/internal/main_program.hpp"

#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/stream_hop.hpp"

namespace shoal::internal {

main_program::main_program(exchange& through) : exchange_(through) { exchange_.backend().on_stall(this); }

main_program::~main_program() { exchange_.backend().on_stall(nullptr); }

void main_program::require(const char* what) const {
  if (const char* answering = exchange_.now().answering(); answering != nullptr) {
    end_job(status_usage,
            std::string(answering) + ": " + what + " in an answer, where nothing may wait; do it in the main program");
  }
  const inbox* const running = exchange_.now().running();
  if (running == nullptr) {
    if (!broken_off_.empty()) end_job(status_usage, broken_off_);
    return;
  }
  end_job(status_usage, running->describe() + ": " + what +
                            " in a handler, where nothing may wait; send a message whose handler "
                            "continues, or do it in the main program");
}

void main_program::break_off(std::string report) noexcept {
  if (broken_off_.empty()) broken_off_ = std::move(report);
}

bool main_program::progress() {
  require("progress (or yield)");
  const bool has_moved = exchange_.progress();
  if (has_moved || exchange_.flush()) {
    patience_ = 0;
  } else {
    // A program that loops on progress waits for another PE, which may need this core.
    exchange_.backend().pause(patience_);
  }
  return has_moved;
}

main_program::wait::wait(main_program& of, const char* call, const std::source_location& where) noexcept : of_(of) {
  SHOAL_ASSERT(of_.waits_in_ == nullptr);  // no handler waits, so at most one call does
  of_.waits_in_ = call;
  of_.waits_at_ = where;
}

main_program::wait::~wait() { of_.waits_in_ = nullptr; }

std::string main_program::describe_wait() const {
  std::string text;
  if (const inbox* full = exchange_.pressure().waiting_for_room(); full != nullptr) {
    text = "for room to send (" + full->describe() + ")";
  } else if (waits_in_ == nullptr) {
    return "runs its main program";
  } else {
    text = std::string("in ") + waits_in_;
    if (waits_at_.line() != 0) {
      text += std::string(" (") + waits_at_.file_name() + ":" + std::to_string(waits_at_.line()) + ")";
    }
  }
  for (const stream_hop* hop : exchange_.hops()) {
    const stream_counts counts = hop->counts();
    if (counts.n_sent != 0 || counts.n_handled != 0 || !hop->is_empty()) text += "; " + hop->describe_backlog();
  }
  return text;
}

}  // namespace shoal::internal
