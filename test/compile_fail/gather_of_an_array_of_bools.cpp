// expect: a vector of bools has no array; take std::uint8_t
#include <array>
#include <span>

#include "shoal/shoal.hpp"

void use(shoal::world& w, std::array<bool, 3>& mine) { static_cast<void>(w.gather(std::span(mine))); }
