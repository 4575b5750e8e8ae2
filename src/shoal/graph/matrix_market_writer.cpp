#include <string>

#include "shoal/graph/internal/entry_writer.hpp"
#include "shoal/graph/matrix_market.hpp"

namespace shoal {

void write_matrix_market(world& w, const sparse_matrix& m, const std::string& path) {
  const std::string head = std::string("%%MatrixMarket matrix coordinate ") + (m.has_values ? "real" : "pattern") +
                           " general\n" + std::to_string(m.n_rows()) + " " + std::to_string(m.n_columns) + " " +
                           std::to_string(n_entries(w, m)) + "\n";
  internal::write_entries(w, m, path, head, 1);
}

}  // namespace shoal
