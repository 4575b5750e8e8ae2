/// Yield points of programs of HClib: the places where handlers of selectors run, and the only ones.
#pragma once

namespace shoal::internal::compat {

/// Runs handlers of what has arrived, and lets selectors go on that end. Returns whether anything moved. In a handler it
/// does nothing. Local, does not wait.
bool run_handlers();

/// One step of a wait at a yield point: as run_handlers; if nothing moved, idles. `patience` is 0 at a wait's first
/// step, and again after something moved.
void wait_at_yield_point(unsigned& patience);

/// Whether a handler of a selector runs.
bool is_in_handler() noexcept;

}  // namespace shoal::internal::compat
