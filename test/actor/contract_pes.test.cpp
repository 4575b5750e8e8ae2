// The actor layer's contract on PEs that are processes, with the sizes that a user gets.
// pes: 1 2 3 4 7
#include "test/support/actors_on_pes.hpp"
