// expect: a parallel handler takes messages of one size, not lists, texts, values that archives write, or closures
#include "shoal/actor/list.hpp"
#include "shoal/shoal.hpp"
#include "shoal/task/parallel_handler.hpp"

void use(shoal::world& w) {
  shoal::actor bad{w, shoal::parallel_handler{[](shoal::list<int>) {}}};
}
