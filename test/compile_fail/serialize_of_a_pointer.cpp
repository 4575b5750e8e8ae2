// expect: values of this type do not travel
#include <memory>
#include <string>

#include "shoal/shoal.hpp"

struct node {
  std::string name;
  std::unique_ptr<node> next;
};
void serialize(auto& archive, node& n) { archive(n.name, n.next); }

void use(shoal::world& w) {
  shoal::actor nodes{w, [](const node& n) { static_cast<void>(n.name); }};
  nodes.send(0, {"first", nullptr});
}
