/// Starts a job: from settings to PEs, each with its own substrate.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace shoal {
struct machine;
struct settings;
}  // namespace shoal

namespace shoal::internal {

class process_pe;
class substrate;

/// The program of a PE: called once per PE with its substrate, returns the PE's exit status. The substrate outlives the
/// call.
using pe_body = std::function<int(substrate&)>;

/// Decides the sizes of a run whose PEs divide `here` among them. Only the layers above know what buffers and routes
/// need, and only a substrate knows which PEs share which memory. So the substrate calls this function, with the same
/// `here` on every PE. Throws setup_error.
using resolve_function = void (*)(settings& chosen, const machine& here);

/// Chooses a substrate if the user has not: the one of the launcher's PEs, otherwise local. Local.
void choose_substrate(settings& chosen);

/// As choose_substrate; then adapts the choices that the user left open to the libraries that the program has loaded.
/// Returns whether PEs of the chosen substrate are processes. Local.
bool has_process_pes(settings& chosen);

/// Throws setup_error if the substrate cannot run these PEs, or cannot run them as they were started. Local.
void check_start(const settings& chosen);

/// The divisor of a PE's memory budget that gives its share for sending. 1 if all buffers lie in their senders' slots.
/// 2 on networks of several nodes: buffers from other nodes arrive in memory of their own, the other half. Local.
std::size_t n_budget_parts(const settings& chosen);

/// Prints one line about a fault that keeps a job from starting, before it has a substrate. All PEs may find the same
/// fault, so among the PEs that one launcher started on one machine, according to the environment, the first reports
/// it. May wait up to three seconds for that.
void report_fault(std::string_view what) noexcept;

/// Ends the job of the current PE because the user must mend something; if no PE runs, reports the fault and ends this
/// process. Local.
[[noreturn]] void end_for_fault(std::string_view what) noexcept;

/// Makes this process a PE of its job, on a substrate whose PEs are processes, and decides what `chosen` leaves open.
/// Collective. Throws setup_error.
std::unique_ptr<process_pe> start_process(settings& chosen, resolve_function resolve);

/// The same for a substrate with all PEs in this process: starts them, runs `body` on each and returns the exit status
/// of the process. Throws setup_error.
int run_on_substrate(settings& chosen, resolve_function resolve, const pe_body& body);

}  // namespace shoal::internal
