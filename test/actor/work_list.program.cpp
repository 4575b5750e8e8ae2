// Misuses work that is left for later, as its first argument says, for work_list.test.py.
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "shoal/actor/keyed_work_list.hpp"
#include "shoal/actor/work_list.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/shoal.hpp"

namespace {

void misuse(shoal::world& w, std::string_view what) {
  shoal::work_list todo{w,
                        [&](long) {
                          if (what == "throw") throw std::runtime_error("no such vertex");
                          if (what == "barrier_inside") w.barrier();
                          if (what == "progress_inside") w.progress();
                          if (what == "finish_inside") w.finish([] {});
                          if (what == "conveyor_inside") shoal::conveyor<long> late{w};
                          if (what == "construct_inside") shoal::actor late{w, [](long) {}};
                          if (what == "throw_number") throw 7;
                        },
                        "todo"};
  shoal::keyed_work_list by_key{w, 10, [](std::size_t) {}};
  if (what == "outside") todo.defer(1);
  if (what == "call_outside") w.defer([] {});
  if (what == "key") w.finish([&] { by_key.defer(10); });
  if (what == "destroyed") {
    w.finish([&] {
      std::optional<shoal::work_list<void (*)(int), int>> short_lived;
      short_lived.emplace(w, +[](int) {}, "short_lived");
      short_lived->defer(1);
      short_lived.reset();
    });
  }
  if (what == "construct_in_handler") {
    shoal::actor bad{w, [&](long) { shoal::work_list late{w, [](long) {}}; }};
    w.finish([&] { bad.send(0, 1L); });
  }
  if (what == "outlive_run") {
    static shoal::work_list lasting{w, [](long) {}};
    w.finish([&] { lasting.defer(1); });
    return;
  }
  if (what == "catch") {
    // An item of a superstep that was broken off is forgotten.
    try {
      w.finish([&] {
        todo.defer(1);
        throw std::runtime_error("stop");
      });
    } catch (const std::runtime_error&) {
    }
    if (todo.size() != 0) throw std::logic_error("an item is left");
    throw std::runtime_error("the program ends itself");
  }
  w.finish([&] {
    if (w.my_pe() == 0) todo.defer(1);
  });
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [&](shoal::world& w) {
    misuse(w, argc > 1 ? argv[1] : "");
    return 0;
  });
}
