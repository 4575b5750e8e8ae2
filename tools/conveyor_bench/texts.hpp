/// Texts that one PE tells all others. Collective.
#pragma once

#include <string>

#include "shoal/actor/world.hpp"

namespace shoal::cli {

/// Gives every PE the text of PE `speaker`.
std::string told_by(world& w, std::string text, pe_id speaker);

/// Gives every PE what the first PE whose text is not empty has to say, and which PE that is.
std::string first_text(world& w, const std::string& text);

}  // namespace shoal::cli
