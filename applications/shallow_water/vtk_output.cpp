#include "applications/shallow_water/vtk_output.hpp"

#include <limits>
#include <ostream>
#include <span>

namespace shoal::swe {
namespace {

// Points are corners of cells. Patches that touch have the same ones.
std::string extent_of(const block& part) {
  return std::to_string(part.first_x) + " " + std::to_string(part.first_x + part.n_x) + " " +
         std::to_string(part.first_y) + " " + std::to_string(part.first_y + part.n_y) + " 0 0";
}

template <class Real>
using row_reader = std::span<const Real> (patch<Real>::*)(std::size_t) const;

template <class Real>
void write_quantity(std::ostream& out, const patch<Real>& of, const char* name, row_reader<Real> row) {
  const char* const type = sizeof(Real) == 4 ? "Float32" : "Float64";
  out << "        <DataArray type=\"" << type << "\" Name=\"" << name << "\" format=\"ascii\">\n";
  for (std::size_t j = 0; j < of.part().n_y; ++j) {
    for (const Real number : (of.*row)(j)) out << number << ' ';
    out << '\n';
  }
  out << "        </DataArray>\n";
}

}  // namespace

std::string vts_name(std::string_view base, const block& part, std::size_t step) {
  return std::string(base) + "." + std::to_string(part.first_x) + "-" + std::to_string(part.first_y) + "." +
         std::to_string(step) + ".vts";
}

template <class Real>
void write_vts(std::ostream& out, const patch<Real>& of) {
  const block& part = of.part();
  const domain& whole = of.whole();
  const std::string extent = extent_of(part);
  const std::streamsize precision = out.precision(std::numeric_limits<double>::max_digits10);
  out << "<?xml version=\"1.0\"?>\n"
         "<VTKFile type=\"StructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
         "  <StructuredGrid WholeExtent=\""
      << extent << "\">\n    <Piece Extent=\"" << extent
      << "\">\n      <Points>\n        <DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n";
  for (std::size_t j = part.first_y; j <= part.first_y + part.n_y; ++j) {
    for (std::size_t i = part.first_x; i <= part.first_x + part.n_x; ++i) {
      out << whole.x_begin + static_cast<double>(i) * whole.dx() << ' '
          << whole.y_begin + static_cast<double>(j) * whole.dy() << " 0\n";
    }
  }
  out << "        </DataArray>\n      </Points>\n      <CellData Scalars=\"h\">\n";
  out.precision(std::numeric_limits<Real>::max_digits10);
  write_quantity(out, of, "h", &patch<Real>::row_of_h);
  write_quantity(out, of, "hu", &patch<Real>::row_of_hu);
  write_quantity(out, of, "hv", &patch<Real>::row_of_hv);
  write_quantity(out, of, "b", &patch<Real>::row_of_b);
  out << "      </CellData>\n    </Piece>\n  </StructuredGrid>\n</VTKFile>\n";
  out.precision(precision);
}

void write_pvts(std::ostream& out, const domain& whole, std::span<const block> parts,
                std::span<const std::string> names, bool is_float) {
  out << "<?xml version=\"1.0\"?>\n"
         "<VTKFile type=\"PStructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
         "  <PStructuredGrid WholeExtent=\""
      << extent_of({.n_x = whole.n_x, .n_y = whole.n_y})
      << "\" GhostLevel=\"0\">\n    <PPoints>\n      <PDataArray type=\"Float64\" NumberOfComponents=\"3\"/>\n"
         "    </PPoints>\n    <PCellData Scalars=\"h\">\n";
  for (const char* quantity : {"h", "hu", "hv", "b"}) {
    out << "      <PDataArray type=\"" << (is_float ? "Float32" : "Float64") << "\" Name=\"" << quantity << "\"/>\n";
  }
  out << "    </PCellData>\n";
  for (std::size_t k = 0; k < parts.size(); ++k) {
    out << "    <Piece Extent=\"" << extent_of(parts[k]) << "\" Source=\"" << names[k] << "\"/>\n";
  }
  out << "  </PStructuredGrid>\n</VTKFile>\n";
}

void write_pvd(std::ostream& out, std::span<const double> times, std::span<const std::string> names) {
  const std::streamsize precision = out.precision(std::numeric_limits<double>::max_digits10);
  out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n";
  for (std::size_t k = 0; k < times.size(); ++k) {
    out << "    <DataSet timestep=\"" << times[k] << "\" file=\"" << names[k] << "\"/>\n";
  }
  out << "  </Collection>\n</VTKFile>\n";
  out.precision(precision);
}

template void write_vts(std::ostream&, const patch<float>&);
template void write_vts(std::ostream&, const patch<double>&);

}  // namespace shoal::swe
