// Goal: every step of the proof in docs/design/control-plane.md is an assertion, and misuse ends the job with a line
// that names the wave. Method: one PE alone, to which this test sends what other PEs must never send.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shoal/control/internal/counting_wave.hpp"
#include "shoal/control/internal/message.hpp"
#include "shoal/control/internal/plane.hpp"
#include "shoal/control/internal/wave.hpp"

namespace shoal::internal {
namespace {

// One PE; messages of the others are forged.
class lone_pe final : public control_transport {
public:
  explicit lone_pe(pe_id my_pe) noexcept : control_transport(my_pe, 8) {}

  bool try_send_control(std::span<const std::byte>, pe_id) noexcept override { return !refuses; }
  bool poll_control(control_message& into) noexcept override {
    if (coming.empty()) return false;
    into = coming.front();
    coming.erase(coming.begin());
    return true;
  }

  bool refuses = false;
  std::vector<control_message> coming;
};

void add_bytes(std::byte* into, const std::byte* from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) into[i] |= from[i];
}

struct said {
  std::uint32_t generation = 0;  // counted from the first one
  std::uint8_t piece = 0;
  std::uint16_t opening = 0;
};

// All 8 PEs, as PE `my_pe` sees them. PE 0 has the children 1, 2, 3 and 4, PE 4 the children 5, 6 and 7.
struct scene {
  explicit scene(pe_id my_pe, std::size_t bytes = 8) : machine(my_pe), plane(machine), n_bytes(bytes) {}

  void make() {
    wave_options options{.bytes = n_bytes, .combine = add_bytes, .is_ordered = is_ordered};
    if (is_called) options.on_call = [this] { called(); };
    made.emplace(plane, group::strided(machine, 0, 1, 8), wave_name{wave_kind::mailbox, 12}, options);
  }

  void hear(wave_message kind, pe_id source, said what = {}) {
    wave_header header{.name = std::uint32_t{2} << 24 | 12,
                       .generation = first_generation + what.generation,
                       .opening = what.opening,
                       .kind = kind,
                       .piece = what.piece,
                       .is_first = what.generation == 0};
    control_message& message = machine.coming.emplace_back();
    message.source = source;
    message.bytes = sizeof header;
    if (kind == wave_message::contribution || kind == wave_message::result) {
      header.bytes = static_cast<std::uint16_t>(n_bytes);
      message.bytes += n_bytes_said.value_or(std::min(piece_bytes_max, n_bytes - what.piece * piece_bytes_max));
    }
    std::memcpy(message.data, &header, sizeof header);
    plane.progress();
  }
  void hear_children(said what = {}) {
    for (const pe_id child : {5, 6, 7}) hear(wave_message::contribution, child, what);
  }

  void contribute() {
    const std::vector<std::byte> mine(n_bytes);
    made->contribute(mine);
    plane.progress();
  }

  // Ends the open generation, at PE 4.
  void complete(said what = {}) {
    hear_children(what);
    contribute();
    hear(wave_message::result, 0, what);
  }

  lone_pe machine;
  control_plane plane;
  std::size_t n_bytes;
  std::optional<std::size_t> n_bytes_said;  // after the header, if they differ from the length in the header
  bool is_ordered = false;
  bool is_called = false;
  std::function<void()> called = [] {};
  std::optional<wave> made;
};

using step = std::function<void(scene&)>;

void expect_end(int status, const char* line, const step& steps, scene& at) {
  EXPECT_EXIT(
      {
        steps(at);
        std::_Exit(0);
      },
      testing::ExitedWithCode(status), line);
}

void expect_assertion(const char* expression, const step& steps, pe_id my_pe = 4, std::size_t bytes = 8) {
  scene at(my_pe, bytes);
  expect_end(1, (std::string("broken assertion: .*") + expression).c_str(), [&](scene& s) { s.make(), steps(s); }, at);
}

void expect_called_assertion(const char* expression, const step& steps, pe_id my_pe = 4) {
  expect_assertion(
      expression,
      [&](scene& s) {
        s.made.reset();
        s.is_called = true;
        s.make();
        steps(s);
      },
      my_pe);
}

using enum wave_message;

class invariants : public testing::Test {
protected:
  void SetUp() override {
    if (SHOAL_CHECKED == 0) GTEST_SKIP() << "assertions are off";
  }
};

TEST_F(invariants, an_edge_carries_each_message_once) {
  expect_assertion("arrived_.*bit", [](scene& s) { s.hear(contribution, 5), s.hear(contribution, 5); });
  expect_assertion("arrived_.*bit", [](scene& s) { s.hear(contribution, 5), s.hear(contribution, 5); }, 4, 500);
  expect_assertion(
      "result_pieces_",
      [](scene& s) {
        for (std::uint8_t piece = 0; piece < 3; ++piece) s.hear_children({.piece = piece});
        s.contribute();
        s.hear(result, 0), s.hear(result, 0);
      },
      4, 500);
  expect_called_assertion("!is_called_", [](scene& s) { s.hear(call, 0), s.hear(call, 0); });
  expect_called_assertion("!is_called_next_", [](scene& s) {
    s.hear(call, 0), s.hear_children(), s.contribute();
    s.hear(call, 0, {.generation = 1}), s.hear(call, 0, {.generation = 1});
  });
}

TEST_F(invariants, a_message_meets_its_receiver_in_step) {
  expect_assertion("header.generation == generation_", [](scene& s) { s.hear(contribution, 5, {.generation = 1}); });
  expect_assertion("header.generation == generation_", [](scene& s) {
    s.hear_children(), s.contribute();
    s.hear(result, 0, {.generation = 1});
  });
  expect_assertion("phase::passed_on", [](scene& s) { s.hear(result, 0); });
  expect_assertion("phase::passed_on", [](scene& s) { s.contribute(), s.hear(result, 0); });
  expect_called_assertion("generation_ - generation", [](scene& s) { s.hear(request, 5, {.generation = 1}); });
  expect_called_assertion("generation == generation_ \\+ 1", [](scene& s) { s.hear(call, 0, {.generation = 1}); });
  expect_called_assertion("generation == generation_ \\+ 1", [](scene& s) {
    s.hear(call, 0), s.contribute();  // the children's contributions have not arrived, so the parent has no result
    s.hear(call, 0, {.generation = 1});
  });
  expect_called_assertion("is_called_ == is_called_wave", [](scene& s) { s.hear(contribution, 5); });
}

TEST_F(invariants, one_accumulator_and_one_result_suffice) {
  expect_assertion("phase::passed_on", [](scene& s) {
    s.hear_children(), s.contribute();
    s.hear(contribution, 5);
  });
  expect_assertion("n_up_owed_ == 0", [](scene& s) {
    s.machine.refuses = true;
    s.hear_children(), s.contribute();
    s.hear(result, 0);
  });
  expect_assertion(
      "n_results_owed_ == 0",
      [](scene& s) {
        s.machine.refuses = true;
        for (std::uint32_t generation : {0U, 1U}) {
          for (const pe_id child : {1, 2, 3, 4}) s.hear(contribution, child, {.generation = generation});
          s.contribute(), s.made->take();
        }
      },
      0);
  expect_called_assertion(
      "n_calls_owed_ == 0",
      [](scene& s) {
        s.machine.refuses = true;
        s.made->call(), s.plane.progress();
        for (const pe_id child : {1, 2, 3, 4}) s.hear(contribution, child);
        s.contribute();
      },
      0);
}

TEST_F(invariants, what_comes_early_is_of_the_first_generation) {
  const auto without_wave = [](const char* expression, wave_message kind, said what) {
    expect_assertion(expression, [=](scene& s) { s.made.reset(), s.hear(kind, kind == result ? 0 : 5, what); });
  };
  without_wave("wave_message::result", result, {});
  without_wave("header.is_first", contribution, {.generation = 1});
  without_wave("header.is_first", call, {.generation = 1});
  // A waiting message is checked when its wave is made.
  expect_assertion("arrived_.*bit", [](scene& s) {
    s.made.reset();
    s.hear(contribution, 5), s.hear(contribution, 5);
    s.make();
  });
}

TEST_F(invariants, no_pe_is_two_openings_ahead) {
  expect_assertion("is_next", [](scene& s) { s.hear(contribution, 5, {.opening = 2}); });
  expect_assertion("is_next", [](scene& s) {
    s.made.reset();
    s.plane.reopen(), s.hear(contribution, 5);
  });
}

TEST_F(invariants, messages_follow_the_edges_of_the_tree) {
  expect_assertion("source == place_.parent", [](scene& s) { s.hear(result, 5); });
  expect_called_assertion("source == place_.parent", [](scene& s) { s.hear(call, 1); });
  expect_called_assertion("child_of.source. < n_children", [](scene& s) { s.hear(request, 1); });
  expect_assertion("is_called_wave", [](scene& s) { s.hear(call, 0); });
  expect_assertion("is_called_wave", [](scene& s) { s.hear(request, 5); });
}

TEST_F(invariants, pieces_have_their_places) {
  expect_assertion("header.piece < n_pieces", [](scene& s) { s.hear(contribution, 5, {.piece = 3}); }, 4, 696);
  expect_assertion("piece.size", [](scene& s) { s.n_bytes_said = 4, s.hear(contribution, 5); });
  expect_assertion("arrived.bytes >= sizeof", [](scene& s) {
    s.machine.coming.emplace_back();
    s.plane.progress();
  });
}

TEST_F(invariants, nothing_is_handled_before_it_is_sent) {
  scene at(0);
  const auto steps = [](scene& s) {
    const pe_id me = 0;
    counting_wave counts(s.plane, group::listed(s.machine, 3, {&me, 1}), {wave_kind::scope, 0});
    counts.advance(true, 1, 1), counts.advance(true, 1, 0), counts.advance(true, 0, 0);
  };
  expect_end(1, "broken assertion: last_handled_ <= all", steps, at);
}

// --- Misuse: checked in every build

void expect_line(const char* line, const step& steps, pe_id my_pe = 4) {
  scene at(my_pe);
  expect_end(2, (std::string("wave mailbox 12 of group 0: ") + line).c_str(), steps, at);
}

TEST(misuse, of_a_generation) {
  expect_line("this PE contributes twice", [](scene& s) { s.make(), s.contribute(), s.contribute(); });
  expect_line("this PE contributes before it has taken", [](scene& s) {
    s.make(), s.complete();
    s.contribute();
  });
  expect_line("there is no result to take yet", [](scene& s) { s.make(), s.made->take(); });
  expect_line("this PE contributes 0 bytes instead of 8", [](scene& s) { s.make(), s.made->contribute({}); });
  expect_line("this PE destroys it while its contribution", [](scene& s) { s.make(), s.contribute(), s.made.reset(); });
  expect_line("this PE destroys it while other members contribute", [](scene& s) {
    s.make(), s.hear(contribution, 5);
    s.made.reset();
  });
}

TEST(misuse, of_calls) {
  const auto called = [](const step& steps) { return [=](scene& s) { s.is_called = true, s.make(), steps(s); }; };
  expect_line("this PE contributes before it is called", called([](scene& s) { s.contribute(); }));
  expect_line("it cannot be called", [](scene& s) { s.make(), s.made->call(); });
  expect_line("this PE destroys it while it is called", called([](scene& s) { s.hear(call, 0), s.made.reset(); }));
  expect_line("it is destroyed in a wave's on_call", [](scene& s) {
    s.called = [&s] { s.made.reset(); };
    s.is_called = true, s.make(), s.hear(call, 0);
  });
  const auto in_on_call = [](scene& s, const std::function<void()>& called_by) {
    s.called = called_by;
    s.is_called = true, s.make(), s.hear(call, 0);
  };
  expect_line("it is made in a wave's on_call", [&](scene& s) {
    in_on_call(s,
               [&s] { const wave another(s.plane, group::strided(s.machine, 0, 1, 8), {wave_kind::mailbox, 12}, {}); });
  });
  scene at(4);
  expect_end(
      2, "control_plane::progress is called from a wave's on_call",
      [&](scene& s) { in_on_call(s, [&s] { s.plane.progress(); }); }, at);
}

TEST(misuse, of_names_and_sizes) {
  expect_line("this PE makes it twice", [](scene& s) {
    s.make();
    const wave again(s.plane, group::strided(s.machine, 0, 1, 8), {wave_kind::mailbox, 12}, {});
  });
  expect_line("contributions of 1025 bytes are too large; at most 1024", [](scene& s) { s.n_bytes = 1025, s.make(); });
  expect_line("contributions have bytes, but nothing combines them", [](scene& s) {
    const wave mute(s.plane, group::strided(s.machine, 0, 1, 8), {wave_kind::mailbox, 12}, {.bytes = 8});
  });
  expect_line("its number is not less than 16777216", [](scene& s) {
    const wave large(s.plane, group::strided(s.machine, 0, 1, 8), {wave_kind::mailbox, (1U << 24) + 12}, {});
  });
  expect_line("PE 5 contributes 16 bytes, this PE 8", [](scene& s) {
    s.make();
    s.n_bytes = 16, s.hear(contribution, 5);
  });
  expect_line("PE 1 contributes to this PE, but", [](scene& s) { s.make(), s.hear(contribution, 1); });
}

TEST(misuse, of_the_plane) {
  expect_line("it exists while the job is opened again", [](scene& s) { s.make(), s.plane.reopen(); });
  expect_line("it outlives the control plane", [](scene& s) { s.make(), s.plane.~control_plane(); });
  scene at(4);
  expect_end(
      2, "wave team 512 of group 0: 512 waves exist on this PE already",
      [](scene& s) {
        std::vector<std::unique_ptr<wave>> waves;
        for (std::uint32_t number = 0;; ++number) {
          waves.push_back(std::make_unique<wave>(s.plane, group::strided(s.machine, 0, 1, 8),
                                                 wave_name{wave_kind::team, number}, wave_options{}));
        }
      },
      at);
}

TEST(misuse, of_a_counting_wave) {
  scene at(4);
  expect_end(
      1, "broken requirement: wave_.is_open",
      [](scene& s) {
        counting_wave counts(s.plane, group::strided(s.machine, 0, 1, 8), {wave_kind::scope, 0});
        counts.advance(true, 0, 0);
        counts.begin();
      },
      at);
}

}  // namespace
}  // namespace shoal::internal
