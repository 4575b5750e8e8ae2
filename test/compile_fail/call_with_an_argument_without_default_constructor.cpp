// expect: its default constructor makes, which its type lacks
#include <string>
#include <vector>

#include "shoal/shoal.hpp"

struct named {
  explicit named(std::string its) : name(std::move(its)) {}
  std::string name;
};
void serialize(auto& archive, named& n) { archive(n.name); }

void use(shoal::world& w) {
  w.finish([&] { w.send(0, [](const named& n) { static_cast<void>(n); }, named("a")); });
}
