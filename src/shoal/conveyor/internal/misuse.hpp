/// The messages for illegal calls, shared by all kinds of conveyors. Each function ends the job with one line.
#pragma once

#include <string>
#include <string_view>

#include "shoal/base/types.hpp"
#include "shoal/conveyor/conveyor.hpp"

namespace shoal::internal {

class exchange;

/// The name of a state for reports, such as "endgame".
std::string_view name_of(conveyor_state state) noexcept;

/// Called by the destructor of a conveyor: ends the job if items may be lost with it. Not while an exception unwinds the
/// stack: that has usually a report of its own, and a program that catches it has given the items up.
void check_destruction(std::string_view kind, conveyor_state state) noexcept;

/// "biconveyor: push is illegal while endgame (…)"
[[noreturn]] void refuse_call(std::string_view kind, std::string_view call, std::string_view state);

/// "biconveyor: push to PE 9, which is out of range; …"
[[noreturn]] void refuse_target(std::string_view kind, std::string_view call, pe_id target, const exchange& through);

/// The name of tasks as work of a PE (delivery.hpp).
inline constexpr std::string_view name_of_tasks = "a task";
/// The same, or the parallel handler that runs as one now: "actor histogram, message long".
std::string describe_task();
/// Ends the job: `work`, a list's name or name_of_tasks, does `what` in its work.
[[noreturn]] void refuse_in_work(std::string_view work, std::string_view what);

/// Ends the job: a task or a parallel handler does `what` on another worker than the PE's own thread, which alone may do it. `advice`
/// says what to do instead.
[[noreturn]] void refuse_elsewhere(std::string_view what, std::string_view advice);
inline constexpr std::string_view advice_for_own_thread =
    "call it in the main program, or in a handler that is not parallel";

/// Ends the job if a handler runs now: handlers must not make collective calls or calls that make progress.
void require_main_program(const exchange& through, std::string_view kind, std::string_view call);

}  // namespace shoal::internal
