// expect: process is private, or no overload takes the message; make process public
#include "shoal/shoal.hpp"

class counting : public shoal::selector<counting, long> {
public:
  using selector::selector;

private:
  void process(long) {}
};

void use(shoal::world& w) { counting c{w}; }
