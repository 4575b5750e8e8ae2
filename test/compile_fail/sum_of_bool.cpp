// expect: a sum of bools is a bool; sum std::int64_t\{value\} to count
#include "shoal/shoal.hpp"

bool use(shoal::world& w) { return w.sum(w.my_pe() == 0); }
