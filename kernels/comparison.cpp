#include "kernels/comparison.hpp"

namespace shoal::kernels {

bool comparison::agree(world& w, std::string_view what, std::string_view method, std::string& why) const {
  const std::uint64_t n_different = w.sum(n_different_);
  if (n_different == 0) {
    why = "every " + std::string(what) + " equals " + std::string(method);
    return true;
  }
  // The lowest PE that found a difference describes its first one.
  const pe_id teller = w.min(n_different_ == 0 ? w.n_pes() : w.my_pe());
  const difference first = w.broadcast(first_, teller);
  why = std::to_string(n_different) + " differ from " + std::string(method) + "; on PE " + std::to_string(teller) +
        " the first is " + std::string(what) + " " + std::to_string(first.place) + ": " + std::to_string(first.found) +
        " instead of " + std::to_string(first.expected);
  return false;
}

}  // namespace shoal::kernels
