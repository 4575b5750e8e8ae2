/// Ends a simulated job before its program ends, with one report that says how to replay the run.
#pragma once

#include <string>
#include <string_view>

#include "shoal/base/settings.hpp"
#include "shoal/base/types.hpp"

namespace shoal::internal::sim {

class final_report {
public:
  /// `chosen` outlives this object.
  explicit final_report(const settings& chosen) noexcept : chosen_(chosen) {}

  /// Prints `text`, which must end with a newline, and ends the process with `status`.
  [[noreturn]] void end(int status, const std::string& text) noexcept;

  /// The same for a report of one PE: "shoal: PE 3: <report> (sim: seed 1, 4 PEs)".
  [[noreturn]] void end(int status, pe_id pe, std::string_view report) noexcept;

  /// The same for a stall, after which the process ends, aborts or stays for a debugger, as the user wishes.
  [[noreturn]] void end_stalled(const std::string& text) noexcept;

  /// "(substrate sim, seed 1, 4 PEs); replay with SHOAL_SUBSTRATE=sim …"
  std::string place_and_replay() const;

private:
  void print(const std::string& text) noexcept;
  std::string seed_and_pes() const;

  const settings& chosen_;
  bool is_ending_ = false;
};

}  // namespace shoal::internal::sim
