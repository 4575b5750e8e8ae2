/// Claims about the kinds of conveyors beside the plain one; see claims.hpp.
#pragma once

#include <vector>

#include "test/support/claims.hpp"

namespace shoal::test {

std::vector<claim> biconveyor_claims();
std::vector<claim> exstack_claims();  // both exstacks
std::vector<claim> simple_conveyor_claims();
std::vector<claim> lifetime_claims();  // several conveyors, destroyed in any order
std::vector<claim> kind_claims();  // all of these

}  // namespace shoal::test
