// expect: this type holds an address
#include <string_view>

#include "shoal/conveyor/conveyor.hpp"
#include "shoal/shoal.hpp"

struct word {
  long position;
  std::string_view text;
};

void use(shoal::world& w) { shoal::conveyor<word> words{w}; }
