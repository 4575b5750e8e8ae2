/// Finds misspelt variables that begin with "SHOAL_".
#pragma once

#include <span>
#include <string_view>

namespace shoal::internal {

/// The entry of `known` that `name` most likely misspells; empty if none is close. `name` is none of them itself. Case
/// and underscores do not count. One letter may be missing, added, wrong or swapped with the next; two in names of six
/// letters or more. `name` must begin with SHOAL, whose letters are not counted. Local.
std::string_view meant_name(std::string_view name, std::span<const std::string_view> known);

}  // namespace shoal::internal
