// expect: a message travels as bytes: make it trivially copyable, or give it a function serialize
#include <string>

#include "shoal/shoal.hpp"

struct person {
  std::string name;
};

struct letters : shoal::selector<letters, person> {
  using selector::selector;
  void process(const person&) {}
};

void use(shoal::world& w) { letters l{w}; }
