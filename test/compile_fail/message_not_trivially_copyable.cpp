// expect: a message travels as bytes: make it trivially copyable
#include <string>

#include "shoal/shoal.hpp"

struct letters : shoal::selector<letters, std::string> {
  using selector::selector;
  void process(const std::string&) {}
};

void use(shoal::world& w) { letters l{w}; }
