// expect: elements of arrays travel as bytes: make them trivially copyable
#include <string>
#include <vector>

#include "shoal/shoal.hpp"

void use(shoal::world& w, const std::vector<std::vector<std::string>>& out) { static_cast<void>(w.all_to_all(out)); }
