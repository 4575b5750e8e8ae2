/// One-sided access as a step of a loop: what it names, and what its arguments are.
#pragma once

#include <cstddef>

#include "tools/translate/loop_code.hpp"

namespace shoal::translate {

/// Adds a step that code in the rest of step `segment` makes; none: the loop's own code. Returns its number. Throws
/// loop_refusal.
std::size_t add_step(loop_code& of, const remote_access& a, std::size_t segment);

/// Begins the rest of a step that reads several elements. Returns the code that copies them to their destination.
pieces receive_elements(loop_code& of, const remote_access& a, std::size_t step);

}  // namespace shoal::translate
