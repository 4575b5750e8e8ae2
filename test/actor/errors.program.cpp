// Does one thing wrong, named by its first argument, for errors.test.py.
#include <signal.h>

#include <array>
#include <climits>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "shoal/base/setup_error.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/kinds/biconveyor.hpp"
#include "shoal/conveyor/kinds/exstack.hpp"
#include "shoal/conveyor/kinds/exstack2.hpp"
#include "shoal/conveyor/kinds/simple_conveyor.hpp"
#include "shoal/shoal.hpp"
#include "test/actor/errors_of_answers.hpp"
#include "test/actor/errors_of_background.hpp"
#include "test/actor/errors_of_teams.hpp"

namespace {

void barrier_beside_sum(shoal::world& w);  // at the end of this file

void misuse_of_arrays(shoal::world& w, std::string_view what) {
  std::vector<long> values(w.my_pe() == 1 ? 5 : 4);
  std::vector<long> others(1000);
  if (what == "other_length") {
    w.sum(std::span(values));
  } else if (what == "other_long_length") {
    values.resize(2000 + values.size());
    w.inclusive_scan(values, std::span(values));
  } else if (what == "shorter_result") {
    w.all_reduce(others, std::span(values));
  } else if (what == "overlapping_result") {
    w.sum(std::span(others).first(900), std::span(others).last(900));
  } else if (what == "gather_at_no_pe") {
    static_cast<void>(w.gather(std::span(values), 3));
  } else if (what == "too_few_arrays") {
    static_cast<void>(w.all_to_all(std::vector<std::vector<long>>(2)));
  } else if (what == "array_beside_value") {
    w.my_pe() == 1 ? static_cast<void>(w.sum(1L)) : w.sum(std::span(others));
  } else if (what == "arrays_of_other_types") {
    std::vector<double> doubles(1000);
    w.my_pe() == 1 ? w.max(std::span(doubles)) : w.max(std::span(others));
  } else if (what == "sum_of_arrays_too_large") {
    std::vector<int> large(1000, INT_MAX / 2);
    w.sum(std::span(large));
  } else if (what == "throw_in_reduction_of_arrays") {
    struct unhappy {
      long operator()(long, long) const { throw std::runtime_error("no"); }
    };
    w.all_reduce(std::span(others), unhappy());
  } else if (what == "array_in_handler") {
    shoal::actor lambda{w, [&](long) { w.sum(std::span(others)); }};
    w.finish([&] { lambda.send(0, 1L); });
  } else if (what == "array_without_slots") {
    std::vector<std::unique_ptr<shoal::conveyor<long>>> all;
    try {
      for (;;) all.push_back(std::make_unique<shoal::conveyor<long>>(w));
    } catch (const shoal::setup_error&) {
    }
    w.sum(std::span(others));
  }
}

void misuse_of_lifetimes(shoal::world& w, std::string_view what) {
  if (what == "deallocate_twice") {
    const auto none = w.allocate<long>(0);
    const auto some = w.allocate<long>(100);
    w.local(some)[0] = 7;
    w.deallocate(none);
    if (w.local(some)[0] == 7) w.deallocate(none);
  } else if (what == "destroy_in_other_order") {
    w.finish([&] {
      std::optional<shoal::actor<void (*)(long), long>> actors[2];
      for (auto& each : actors) each.emplace(w, +[](long) {});
      const std::size_t first = w.my_pe() == 0 ? 0 : 1;
      actors[first].reset();
      actors[1 - first].reset();
    });
  } else if (what == "destroy_open_selector") {
    struct counting : shoal::selector<counting, long> {
      using selector::selector;
      long n = 0;
      void process(long m) { n += m; }
    };
    w.finish([&] {
      counting short_lived{w, "counting"};
      short_lived.send(0, 1L);
    });
  } else if (what == "outlive_run") {
    static shoal::actor counting{w, [](long) {}};
    static shoal::lambda_actor<shoal::world> closures{w, w};
    static shoal::per_pe<long> there{w, 1L};
    static shoal::conveyor<long> items{w};
    static shoal::exstack<long> boxes{w, 10};
    static shoal::future<std::string> answer;
    static shoal::promise<std::string> promised_to_nobody;
    static shoal::promise<std::string> promised;
    static shoal::future<std::string> promised_answer = promised.get_future();
    static shoal::promise<std::string> waited_for;
    [](shoal::future<std::string> comes) -> shoal::future<void> {
      const shoal::promise<std::string> in_its_frame;
      co_await comes;
    }(waited_for.get_future().then([](std::string text) { return text; }));
    w.finish([&] {
      counting.send(0, 1L);
      answer = w.ask(0, [] { return std::string(100, 'x'); });
    });
  } else if (what == "run_in_run") {
    char* no_arguments[] = {nullptr};
    shoal::run(0, no_arguments, [](shoal::world&) { return 0; });
  } else if (what == "late_per_pe") {
    std::optional<shoal::per_pe<long>> there;
    w.finish([&] {
      if (w.my_pe() != 0) {
        there.emplace(w, 1L);
        w.send(0, [h = there->handle()] { ++*h; });
      }
    });
  } else if (what == "advance_in_handler") {
    shoal::conveyor<long> c{w};
    c.begin();
    shoal::actor bad{w, [&](long) { c.advance(true); }};
    w.finish([&] { bad.send(0, 1L); });
  } else if (what == "collective_in_answer") {
    shoal::biconveyor<long, long> asking{w};
    asking.begin([&](long query) { return w.sum(query); });
    bool is_asked = w.my_pe() != 0;
    do {
      is_asked = is_asked || asking.push(1, 1);
    } while (asking.advance(is_asked) != shoal::progress::complete && asking.pull() == nullptr);
  } else if (what == "limit_of_nothing") {
    shoal::actor limited{w, [](long) {}};
    limited.limit_unsent(0);
  } else if (what == "throw_in_reduction") {
    static_cast<void>(w.all_reduce(1L, [](long, long) -> long { throw std::runtime_error("no"); }));
  }
}

// It writes a member that it does not read.
struct forgetful {
  std::string name;
  std::string address;
};
void serialize(auto& archive, forgetful& f) {
  archive(f.name);
  if constexpr (!std::decay_t<decltype(archive)>::reads) archive(f.address);
}

// Its size is counted first: then it grows, or throws.
struct fickle {
  std::string name;
  bool throws = false;
  int n_written = 0;
};
void serialize(auto& archive, fickle& f) {
  if (++f.n_written == 2 && f.throws) throw std::runtime_error("no");
  f.name += 'x';
  archive(f.name);
}

bool misuse_of_any_size(shoal::world& w, std::string_view what) {
  if (what == "read_less_than_written" || what == "read_less_than_written_large") {
    shoal::actor people{w, [](const forgetful&) {}, "people"};
    const std::size_t n = what == "read_less_than_written" ? 10 : 100'000;
    w.finish([&] {
      if (w.my_pe() == 1) people.send(0, {"name", std::string(n, 'x')});
    });
  } else if (what == "write_more_than_counted" || what == "throw_while_writing") {
    shoal::actor people{w, [](const fickle&) {}, "people"};
    w.finish([&] {
      if (w.my_pe() == 1) people.send(0, {"name", what == "throw_while_writing"});
    });
  } else if (what == "write_more_in_call") {
    w.finish([&] {
      if (w.my_pe() == 1) w.send(0, [](const fickle&) {}, fickle{"name"});
    });
  } else if (what == "throw_in_handler_of_text") {
    shoal::actor texts{w, [](std::string_view m) { throw std::runtime_error(std::string(m.substr(0, 7))); }};
    w.finish([&] {
      if (w.my_pe() == 1) texts.send(0, "no such");
    });
  } else if (what == "throw_in_handler_of_large_text") {
    shoal::actor texts{w, [](std::string_view m) { throw std::runtime_error(std::string(m.substr(0, 7))); }};
    w.finish([&] {
      if (w.my_pe() == 1) texts.send(0, "no such" + std::string(1'000'000, 'x'));
    });
  } else if (what == "send_list_out_of_range") {
    shoal::actor rows{w, [](shoal::list<long>) {}, "rows"};
    w.finish([&] { rows.send(-1, {1, 2}); });
  } else if (what == "try_send_list_outside_finish") {
    shoal::actor rows{w, [](shoal::list<long>) {}, "rows"};
    static_cast<void>(rows.try_send(0, {1, 2}));
  } else if (what == "elements_too_wide") {
    struct alignas(64) line {
      long words[8];
    };
    shoal::actor lines{w, [](shoal::list<line>) {}};
  } else {
    return false;
  }
  return true;
}

bool misuse_of_blocks(shoal::world& w, std::string_view what) {
  std::array<long, 3> values{};
  if (what == "block_beyond_the_end") {
    w.get(w.allocate<long>(4), 2, values, 0);
  } else if (what == "block_from_beyond_the_end") {
    w.start_put(w.allocate<long>(4), 5, std::span(values).first(0), 0);
  } else if (what == "block_of_no_pe") {
    w.put(w.allocate<long>(4), 0, std::span(values).first(2), -1);
  } else if (what == "atomic_beyond_the_end") {
    w.fetch_xor(w.allocate<int>(4), 4, 1, 0);
  } else {
    return false;
  }
  return true;
}

void misuse_of_arguments(shoal::world& w, std::string_view what) {
  if (what == "other_root") {
    static_cast<void>(w.broadcast(1L, w.my_pe() == 1 ? 0 : 1));
  } else if (what == "put_beyond_the_end") {
    w.put(w.allocate<long>(4), 9, 1L, 0);
  } else if (what == "put_to_no_pe") {
    w.put(w.allocate<long>(4), 3, 1L, w.n_pes());
  } else if (!misuse_of_blocks(w, what) && !misuse_of_any_size(w, what) && !shoal::test::misuse_of_answers(w, what)) {
    misuse_of_lifetimes(w, what);
  }
}

void misuse(shoal::world& w, std::string_view what) {
  shoal::actor good{w, [](std::int64_t) {}};
  shoal::actor throwing{w, [](std::int64_t) { throw std::runtime_error("no such slot"); }};
  shoal::actor waiting{w, [&](std::int64_t) { w.finish([] {}); }};
  if (what == "send_out_of_range") {
    w.finish([&] { good.send(w.n_pes(), 1); });
  } else if (what == "send_after_done") {
    w.finish([&] {
      good.done();
      good.send(0, 1);
    });
  } else if (what == "send_after_close") {
    w.finish([&] {
      good.close();
      good.send(0, 1);
    });
  } else if (what == "send_outside_finish_after_close") {
    w.finish([&] { good.close(); });
    good.send(0, 1);
  } else if (what == "send_outside_finish") {
    good.send(0, 1);
  } else if (what == "disabled_at_the_end") {
    w.finish([&] {
      if (w.my_pe() == 1) good.disable();
    });
  } else if (what == "disabled_at_close") {
    w.finish([&] {
      if (w.my_pe() == 1) good.disable();
      good.close();
    });
  } else if (what == "disabled_when_it_closes_by_itself") {
    good.fed_by();
    w.finish([&] {
      if (w.my_pe() == 1) good.disable();
      good.done();
      good.closed().get();
    });
  } else if (what == "throw_in_handler") {
    w.finish([&] {
      if (w.my_pe() == 1) throwing.send(0, 1);
    });
  } else if (what == "finish_in_handler") {
    w.finish([&] { waiting.send(0, 1); });
  } else if (what == "throw_in_body") {
    if (w.my_pe() == 1) throw std::runtime_error("no such file");
    w.barrier();
  } else if (what == "throw_everywhere") {
    throw std::runtime_error("no such file for any of us");
  } else if (what == "return_early") {
    if (w.my_pe() == 1) return;
    w.finish([] {});
  } else if (what == "exit_early") {
    if (w.my_pe() == 1) std::exit(0);
    w.finish([] {});
  } else if (what == "exit_at_once") {
    if (w.my_pe() == 1) std::_Exit(0);
    w.finish([] {});
  } else if (what == "other_order") {
    if (w.my_pe() == 1) {
      w.barrier();
    } else {
      static_cast<void>(w.sum(1L));
    }
  } else if (what == "killed") {
    w.finish([&] {
      if (w.my_pe() == 1) ::raise(SIGKILL);
      for (;;) good.send(0, 1);
    });
  } else if (what == "heap") {
    static_cast<void>(w.allocate<double>(1UL << 40));
  } else if (what == "send_of_named_actor") {
    shoal::actor update{w, [](long) {}, "update"};
    const std::string other = "other";
    shoal::actor unused{w, [](long) {}, other};
    w.finish([&] { update.send(99, 1L); });
  } else if (what == "large_closure") {
    struct large {
      char bytes[100'000];
    };
    w.finish([&] { w.send(0, [big = large{}] { static_cast<void>(big); }); });
  } else if (what == "destroy_working_conveyor") {
    shoal::conveyor<long> c{w};
    c.begin();
    static_cast<void>(c.push(1, 0));
  } else if (what == "destroy_conveyor_in_cleanup") {
    shoal::simple_conveyor<long> c{w};
    c.begin();
    static_cast<void>(c.push(1, 0));
    while (c.advance(true) != shoal::progress::cleanup && c.state() != shoal::conveyor_state::complete) {
    }
  } else if (what == "destroy_working_exstack2") {
    shoal::exstack2<long> c{w, 100};
    static_cast<void>(c.push(1, 0));
  } else if (what == "destroy_working_biconveyor") {
    shoal::biconveyor<long, long> c{w};
    c.begin([](long query) { return query; });
    static_cast<void>(c.push(1, 0));
  } else if (what == "destroy_exstack_with_items") {
    shoal::exstack<long> c{w, 100};
    static_cast<void>(c.push(1, w.my_pe()));
    c.exchange();
    static_cast<void>(c.push(2, w.my_pe()));
  } else if (what == "throw_beside_conveyor") {
    shoal::conveyor<long> c{w};
    c.begin();
    throw std::runtime_error("no such file");
  } else if (what == "catch_inside_finish") {
    w.finish([&] {
      try {
        shoal::actor lost{w, [](long) {}};
        for (int i = 0; i < 50; ++i) lost.send(i % w.n_pes(), 1);
        throw std::runtime_error("caught");
      } catch (const std::runtime_error&) {
      }
    });
  } else if (what == "catch_outside_finish") {
    shoal::actor lost{w, [](long) {}};
    try {
      w.finish([&] {
        for (int i = 0; i < 500; ++i) lost.send((w.my_pe() + i) % w.n_pes(), 1);
        throw std::runtime_error("caught");
      });
    } catch (const std::runtime_error&) {
    }
    w.barrier();
  } else if (what == "sum_beside_barrier") {
    for (int i = 0; i < 100; ++i) static_cast<void>(w.gather(std::array<std::uint64_t, 8>{~0UL, ~0UL, ~0UL >> 1}));
    if (w.my_pe() == 1) static_cast<void>(w.sum(LONG_MAX));
    w.barrier();
  } else if (what == "calls_in_a_long_path") {
    barrier_beside_sum(w);
  } else if (what == "construct_in_other_order") {
    const auto superstep = [&] { w.finish([] {}); };
    if (w.my_pe() == 1) {
      shoal::actor second{w, [](double) {}};
      shoal::actor first{w, [](std::int64_t) {}};
      superstep();
    } else {
      shoal::actor first{w, [](std::int64_t) {}};
      shoal::actor second{w, [](double) {}};
      superstep();
    }
  } else if (what == "other_per_pe") {
    w.finish([&] {
      if (w.my_pe() == 1) {
        const shoal::per_pe<double> first{w, 0.0};
        for (;;) w.progress();
      }
      shoal::per_pe<long> first{w, 0};
      w.send(1, [h = first.handle()] { *h = 1; });
    });
  } else if (what == "construct_one_more") {
    for (int i = 0; i < 100; ++i) shoal::conveyor<short>{w};
    std::optional<shoal::per_pe<std::string>> more;
    if (w.my_pe() == w.n_pes() - 1) more.emplace(w);
    w.barrier();
  } else if (what == "construct_another_conveyor") {
    std::optional<shoal::conveyor<short>> small;
    std::optional<shoal::conveyor<double>> large;
    for (int i = 0; i < 100; ++i) {
      if (w.my_pe() == 0) {
        small.emplace(w);
      } else {
        large.emplace(w);
      }
    }
    static_cast<void>(w.sum(1L));
  } else if (what == "sum_too_large") {
    static_cast<void>(w.sum(INT_MAX / 2));
  } else if (what == "scan_too_large") {
    static_cast<void>(w.exclusive_scan(static_cast<unsigned short>(40'000)));
  } else if (what == "conveyor_state") {
    shoal::conveyor<long> c{w};
    static_cast<void>(c.push(1, 0));
  } else {
    misuse_of_arrays(w, what);
    misuse_of_arguments(w, what);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [&](shoal::world& w) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (what.find("background") != what.npos) {
      shoal::test::misuse_of_background(w, what);
    } else if (!shoal::test::misuse_of_teams(w, what)) {
      misuse(w, what);
    }
    return what == "return_256" ? 256 : 0;
  });
}

namespace {

#line 1234 "/a012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789\
/b012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789\
/c012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789\
/d012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789\
/e012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789\
/name.cpp"
void barrier_beside_sum(shoal::world& w) {
  if (w.my_pe() == 1) static_cast<void>(w.sum(1));
  w.barrier();
}

}  // namespace
