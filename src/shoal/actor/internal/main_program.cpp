#include "shoal/actor/internal/main_program.hpp"

#include <utility>

#include "shoal/actor/internal/answers.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/handled_messages.hpp"
#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/base/internal/signal_reports.hpp"
#include "shoal/base/internal/signal_text.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/misuse.hpp"
#include "shoal/conveyor/internal/stream_hop.hpp"

namespace shoal::internal {
namespace {

// " (file:line)", or nothing if unknown.
std::string in_parentheses(const std::source_location& where) {
  if (where.line() == 0) return {};
  return " (" + source_place(where) + ")";
}

}  // namespace

main_program::main_program(exchange& through)
    : exchange_(through), parts_(std::make_unique<std::vector<const reporting_part*>>()) {
  exchange_.backend().on_stall(this);
}

main_program::~main_program() { exchange_.backend().on_stall(nullptr); }

void main_program::require(const char* what) const {
  if (other_worker() != nullptr) refuse_in_work(name_of_tasks, what);
  if (const char* answering = exchange_.now().answering(); answering != nullptr) {
    end_job(status_usage,
            std::string(answering) + ": " + what + " in an answer, where nothing may wait; do it in the main program");
  }
  const inbox* const running = exchange_.now().running();
  if (running == nullptr) {
    if (answers_ != nullptr && answers_->are_running()) {  // outside finish, or on the stack of a task
      end_job(status_usage,
              std::string(what) + " in what waited for an answer, where nothing may wait; do it in the main program");
    }
    if (const char* working = exchange_.now().working(); working != nullptr) {
      refuse_in_work(working, what);
    }
    if (!broken_off_.empty()) end_job(status_usage, broken_off_);
    return;
  }
  end_job(status_usage, running->describe() + ": " + what +
                            " in a handler, where nothing may wait; send a message whose handler "
                            "continues, or do it in the main program");
}

void main_program::require_order(const char* what) const {
  const inbox* const running = exchange_.now().running();
  std::string who;
  if (other_worker() != nullptr) {
    who = describe_task();
  } else if (const char* answering = exchange_.now().answering(); answering != nullptr) {
    who = answering;
  } else if (running != nullptr) {
    who = running->describe();
  } else if (answers_ != nullptr && answers_->are_running()) {
    who = "what waited for an answer";
  } else if (const char* working = exchange_.now().working(); working != nullptr) {
    who = working == name_of_tasks ? describe_task() : working;
  } else {
    return require(what);
  }
  end_job(status_usage, who + ": " + what +
                            " outside the main program, where PEs may come to it in different orders; call it in the "
                            "main program");
}

void main_program::break_off(std::string report) noexcept {
  if (broken_off_.empty()) broken_off_ = std::move(report);
}

bool main_program::progress() {
  require("progress (or yield)");
  const bool has_arrived = exchange_.progress();
  const bool has_moved = exchange_.parts().spare.run() || has_arrived;
  if (has_moved || exchange_.flush()) {
    patience_ = 0;
  } else {
    // A program that loops on progress waits for another PE, which may need this core.
    exchange_.note_idle_call(patience_, true);
  }
  return has_moved;
}

main_program::wait::wait(main_program& of, const exchange& through, const char* call,
                         const std::source_location& where) noexcept
    : of_(of), lap_(of.exchange_.parts().watch, activity::waiting) {
  SHOAL_ASSERT(!of_.is_waiting_);  // no handler waits, so at most one call does
  of_.call_ = call;
  of_.called_at_ = where;
  of_.called_of_ = &through;
  of_.is_waiting_ = true;
}

main_program::wait::~wait() { of_.is_waiting_ = false; }

std::string main_program::describe_wait() const {
  std::string text;
  if (const inbox* full = exchange_.parts().pressure.waiting_for_room(); full != nullptr) {
    text = "for room to send (" + full->describe() + ")";
  } else if (is_waiting_) {
    text = std::string("in ") + call_ + in_parentheses(called_at_) + called_of_->of_name();
  } else if (const char* const call = exchange_.now().collective_call(); call != nullptr) {
    text = std::string("in ") + call;
  } else {
    text = "runs its main program";
  }
  if (!is_waiting_ && finish_.line() != 0) text += ", in the body of finish" + in_parentheses(finish_);
  for (const exchange* each : exchange_.parts().exchanges) {
    for (const stream_hop* hop : each->hops()) {
      const stream_counts counts = hop->counts();
      const bool is_used = counts.n_sent != 0 || counts.n_handled != 0 || !hop->in().is_empty() || !hop->is_empty();
      if (!is_used && !hop->in().is_in_conveyor_session()) continue;
      text += "; " + (each->is_team() ? each->name() + ": " : "") + hop->describe_backlog();
    }
  }
  if (answers_ != nullptr) text += answers_->describe();
  if (const auto& tasks = exchange_.parts().tasks; tasks != nullptr) text += tasks->describe();
  for (const reporting_part* each : *parts_) text += each->describe();
  return text;
}

std::size_t main_program::n_free_slots() const noexcept { return exchange_.parts().slots.n_free(); }

// Waits look for questions only where they have nothing to do. So a question that the last wait has not answered is not
// left to it once more.
void main_program::tell_when_asked(bool is_passed_on) noexcept {
  substrate& backend = exchange_.backend();
  const bool has_open_question = backend.has_open_question();
  const inbox* const running = exchange_.now().running();
  // A task runs on this thread, within the wait.
  const handled_messages* const handled = handled_by_task();
  const std::source_location made = current_worker == nullptr ? std::source_location() : current_worker->made_now();
  const bool is_in_task = handled != nullptr || made.line() != 0;
  const bool is_in_wait = (is_waiting_ && !is_in_task) || exchange_.parts().pressure.waiting_for_room() != nullptr;
  const bool will_answer = running == nullptr && is_in_wait;
  if (is_passed_on) {
    if (will_answer || !has_open_question) return;
  } else {
    n_questions.fetch_add(1, std::memory_order_relaxed);
    if (will_answer && !has_open_question) return;
  }
  backend.note_answer();
  signal_text line;
  line << "shoal: PE " << backend.my_pe();
  if (running != nullptr) {
    line << " handles ";
    running->tell(line, nullptr);
  } else if (handled != nullptr) {
    line << " handles ";
    handled->tell(line, nullptr);
  } else if (is_in_task) {
    line << " runs a task (" << made.file_name() << ":" << std::int64_t{made.line()} << ")";
  } else {
    line << (is_waiting_ ? " is busy" : " runs its main program");
  }
  if (call_ == nullptr) {
    line << "; it has not waited yet";
  } else {
    line << (is_waiting_ ? "; it is in " : "; it was last in ") << call_;
    if (called_at_.line() != 0) line << " (" << called_at_.file_name() << ":" << std::int64_t{called_at_.line()} << ")";
  }
  line.print();
}

}  // namespace shoal::internal
