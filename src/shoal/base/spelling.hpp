/// Names that were meant for another one.
#pragma once

#include <span>
#include <string_view>

namespace shoal {

/// The name among `known` that `name`, which is none of them, is most likely a misspelling of; empty: it is another
/// name. They are alike but for case and underscores, or for one letter that is missing, added, wrong or swapped with
/// the next; from six letters on, two. SHOAL in front does not count, but `name` must begin with it. Local.
std::string_view meant_name(std::string_view name, std::span<const std::string_view> known);

}  // namespace shoal
