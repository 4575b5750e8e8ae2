#include "shoal/substrate/substrate_kind.hpp"

#include "shoal/substrate/internal/substrate.hpp"

namespace shoal {

using namespace internal;

std::string described(const substrate_entry& substrate) {
  const std::string text(substrate.help);
  if (substrate.n_pes_max == n_pes_max) return text;
  return text + "; up to " + std::to_string(substrate.n_pes_max) + " PEs";
}

std::string_view substrate::name() const noexcept { return shoal::name_of(kind()); }

}  // namespace shoal
