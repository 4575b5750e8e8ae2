/// Patches as files that ParaView and other programs of VTK read.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

#include "applications/shallow_water/patch.hpp"

namespace shoal::swe {

/// "<base>.<first_x>-<first_y>.<step>.vts": one file for each patch and output.
std::string vts_name(std::string_view base, const block& part, std::size_t step);

/// Writes the cells as a structured grid (XML, text) with cell data h, hu, hv and b. All digits that tell numbers
/// apart.
template <class Real>
void write_vts(std::ostream& out, const patch<Real>& of);

}  // namespace shoal::swe
