/// Sends a text from one PE to all others. Collective.
#pragma once

#include <string>

#include "shoal/actor/world.hpp"

namespace shoal::cli {

/// Gives every PE the text of PE `speaker`.
std::string told_by(world& w, std::string text, pe_id speaker);

/// Gives every PE the first text that is not empty, in order of PEs, and the number of its PE.
std::string first_text(world& w, const std::string& text);

}  // namespace shoal::cli
