/// Patches as files that ParaView and other programs of VTK read.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
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

/// What joins the files of an output to one grid, and what joins these to one over time. `names[k]` is the file of
/// `parts[k]`, or of time `times[k]`, beside this one.
void write_pvts(std::ostream& out, const domain& whole, std::span<const block> parts,
                std::span<const std::string> names, bool is_float);
void write_pvd(std::ostream& out, std::span<const double> times, std::span<const std::string> names);

}  // namespace shoal::swe
