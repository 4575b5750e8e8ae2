/// The main program of a PE: which calls it may make, how it runs handlers, and what it waits for.
#pragma once

#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "shoal/base/internal/owner.hpp"
#include "shoal/conveyor/internal/stopwatch.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {

class answers;
class exchange;

/// A part of a world of which reports tell.
class reporting_part {
public:
  /// What of it waits, after "; ". Empty: nothing.
  [[gnu::cold]] virtual std::string describe() const = 0;

protected:
  ~reporting_part() = default;
};

class main_program final : public wait_reporter {
public:
  /// `through` outlives this object.
  explicit main_program(exchange& through);
  ~main_program();
  main_program(const main_program&) = delete;
  main_program& operator=(const main_program&) = delete;

  /// Ends the job if a handler, an answer of a biconveyor or what waited for an answer makes the call `what`, since nothing
  /// may wait there; and after break_off.
  void require(const char* what) const;

  /// The same for a call that does not wait, but that all PEs make in the same order.
  void require_order(const char* what) const;

  /// An exception has broken something off that the other PEs wait for. If the program catches the exception and goes on,
  /// its next collective call ends the job with `report`. The first report counts.
  void break_off(std::string report) noexcept;

  /// world::progress.
  bool progress();

  /// During its lifetime, reports say that the main program waits in `call` of the PEs of `through`, called at `where`, and
  /// statistics count it as waiting.
  class wait {
  public:
    wait(main_program& of, const exchange& through, const char* call, const std::source_location& where) noexcept;
    ~wait();
    wait(const wait&) = delete;
    wait& operator=(const wait&) = delete;

  private:
    main_program& of_;
    stopwatch::lap lap_;
  };

  waiting_call call_now() const noexcept override {
    return is_waiting_ ? waiting_call{call_, called_at_} : waiting_call{};
  }
  [[gnu::cold]] std::string describe_wait() const override;
  std::size_t n_free_slots() const noexcept override;

  /// The innermost finish whose body runs; without a line: none. Returns the last.
  std::source_location note_finish(const std::source_location& where) noexcept { return std::exchange(finish_, where); }

  /// What a wait may tell of, besides buffers; null: nothing.
  void note_answers(const answers* to_come) noexcept { answers_ = to_come; }
  void enter(const reporting_part& its) { parts_->push_back(&its); }
  void leave(const reporting_part& its) noexcept { std::erase(*parts_, &its); }

  /// What came before is not worth telling.
  void forget_calls() noexcept { call_ = nullptr; }

  /// In a signal handler: tells at once what runs here, unless a wait will soon tell more. `is_passed_on`: another thread
  /// has counted the question.
  void tell_when_asked(bool is_passed_on) noexcept;

private:
  exchange& exchange_;
  const answers* answers_ = nullptr;
  const owner<std::vector<const reporting_part*>> parts_;  // of each world
  const char* call_ = nullptr;  // the last that waited; null: none yet
  std::source_location called_at_;  // without a line if unknown
  const exchange* called_of_ = nullptr;  // while it waits
  bool is_waiting_ = false;  // in this call
  std::source_location finish_;
  std::string broken_off_;  // the report; empty: nothing is
  unsigned patience_ = 0;  // consecutive calls of progress that moved nothing
};

}  // namespace shoal::internal
