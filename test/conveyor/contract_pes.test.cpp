// The conveyor's contract on PEs that are processes, with the sizes that a user gets.
// pes: 1 2 3 4 7
#include "test/support/conveyor_on_pes.hpp"
