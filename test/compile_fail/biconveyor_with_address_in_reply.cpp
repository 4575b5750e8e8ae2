// expect: this type holds an address
#include <optional>

#include "shoal/conveyor/kinds/biconveyor.hpp"
#include "shoal/shoal.hpp"

void use(shoal::world& w) { shoal::biconveyor<long, std::optional<const long*>> found{w}; }
