/// How a job starts: from settings to PEs, each with a substrate of its own.
#pragma once

#include <functional>
#include <string_view>

namespace shoal {

class substrate;
struct settings;

/// What a PE's program is to a substrate: called once per PE, returns the PE's exit status. The
/// substrate outlives the call.
using pe_body = std::function<int(substrate&)>;

/// Prints in one line what keeps a job from starting, before there is a substrate that could. All its PEs may find the
/// same; the first says it for all, of those that one launcher started on one machine. Facts of the environment say
/// which these are. Waits for up to three seconds where only time can tell.
void report_fault(std::string_view what) noexcept;

/// Decides what `chosen` leaves open, starts the PEs that live in this process (one, or all of them), runs `body` on
/// each and returns the exit status of the process. Throws setup_error.
int run_on_substrate(settings& chosen, const pe_body& body);

}  // namespace shoal
