/// Holds a PE until a debugger has attached to it.
#pragma once

#include "shoal/base/settings.hpp"
#include "shoal/base/types.hpp"

namespace shoal::internal {

/// Some systems let only parents attach.
void let_debuggers_attach() noexcept;

/// If `pe` was chosen for a debugger, prints how to attach one and waits until one has. Sleeps instead of stopping by a
/// signal, which a debugger would report before it comes to the first breakpoint.
void wait_for_debugger(const settings& chosen, pe_id pe);

}  // namespace shoal::internal
