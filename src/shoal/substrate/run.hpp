/// How a job starts: from settings to PEs, each with a substrate of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace shoal {

class process_pe;
class substrate;
struct machine;
struct settings;

/// What a PE's program is to a substrate: called once per PE, returns the PE's exit status. The
/// substrate outlives the call.
using pe_body = std::function<int(substrate&)>;

/// Decides the sizes of a run whose PEs divide `here` among them. The layers above know what buffers and routes need; a
/// substrate knows which PEs share what memory, so it calls this, with the same `here` on every PE. Throws setup_error.
using resolve_function = void (*)(settings& chosen, const machine& here);

/// Decides on a substrate if the user has not: the one that the launcher's PEs belong to, else local. Local.
void choose_substrate(settings& chosen);

/// As choose_substrate; also adapts to the libraries that the program has loaded what the user has not chosen. Returns
/// whether PEs are processes there. Local.
bool has_process_pes(settings& chosen);

/// Throws setup_error if the substrate cannot run these PEs, or not as they were started. Local.
void check_start(const settings& chosen);

/// A PE's memory budget divided by this is what it may spend on sending. 1 if all buffers are in their senders' slots. 2
/// on networks of several nodes: buffers from other nodes arrive in memory of their own, which takes the other half.
/// Local.
std::size_t n_budget_parts(const settings& chosen);

/// Prints in one line what keeps a job from starting, before there is a substrate that could. All its PEs may find the
/// same; the first says it for all that one launcher started on one machine. The environment says which these are. Waits
/// for up to three seconds where only time can tell.
void report_fault(std::string_view what) noexcept;

/// Makes this process a PE of its job, on a substrate whose PEs are processes, and decides what `chosen` leaves open.
/// Collective. Throws setup_error.
std::unique_ptr<process_pe> start_process(settings& chosen, resolve_function resolve);

/// The same for a substrate that has all PEs in this process: starts them, runs `body` on each and returns the exit
/// status of the process. Throws setup_error.
int run_on_substrate(settings& chosen, resolve_function resolve, const pe_body& body);

}  // namespace shoal
