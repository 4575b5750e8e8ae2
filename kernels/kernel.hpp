/// What the command and the benchmarks know of a kernel: how to make its input, run a variant and check the answer.
///
/// Each kernel is a folder: problem.hpp (input and answer), reference.cpp (serial, obvious) and one file per
/// variant: agp.cpp (plain one-sided gets, puts, atomics; agp_nb starts them and completes all at the end),
/// conveyor.cpp, exstack.cpp, exstack2.cpp, actor.cpp (a class), lambda.cpp; in some, combining.cpp (a class whose
/// messages are merged).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shoal/shoal.hpp"

namespace shoal::kernels {

/// Options of one run of the command, as given and validated by the kernel: name without dashes, and value.
using option_list = std::vector<std::pair<std::string, std::string>>;

/// An option that a kernel takes, for `shoal run KERNEL --help` and for refusing unknown ones.
struct option_description {
  std::string name;  // "updates"
  std::string default_value;  // "10000000"; empty: the option is required
  std::string help;  // "updates that each PE sends"
};

/// Items that a buffer of the variants exstack and exstack2 holds for each PE: bale's default.
inline constexpr std::size_t exstack_capacity = 1024;

/// What one run of a variant did on this PE. Messages are what a variant would have to send one by one, requests and
/// replies alike; if it merges messages, what it sent. Operations are what the user asked for.
struct work {
  std::uint64_t n_operations = 0;
  std::uint64_t n_messages = 0;
};

/// A kernel with its input on one PE. All members are collective and may wait.
class kernel {
public:
  virtual ~kernel() = default;

  /// Prepares one run of `variant` if necessary: clears the last answer, arranges the input. Not timed; a barrier
  /// follows.
  virtual void prepare(world& w, std::string_view variant) {
    static_cast<void>(w);
    static_cast<void>(variant);
  }

  /// Runs one variant. The caller times it between two barriers, so it neither prepares nor verifies. `variant` is one
  /// of the description's, or "loop" if it has one.
  virtual work run(world& w, std::string_view variant) = 0;

  /// Whether the answer of the last run is right: compared with the serial reference if the problem is small enough,
  /// else with an invariant that no wrong answer has. The same verdict on every PE; on PE 0 `why` says what was
  /// compared, or what was wrong.
  virtual bool verify(world& w, std::string& why) = 0;

  /// Nanoseconds that an operation of the plain loop takes at most on an undisturbed machine, for the current sizes; 0
  /// if unknown. If the loop is slower, the measurement is invalid.
  virtual double loop_ns_max() const { return 0; }

  /// Prints the answer in readable form on PE 0: PageRank's top ten, the number of triangles.
  virtual void show(world& w, std::ostream& out) {
    static_cast<void>(w);
    static_cast<void>(out);
  }

  /// The answer as JSON members, such as `"triangles": 418906`, on PE 0; empty if there is none.
  virtual std::string answer_json(world& w) {
    static_cast<void>(w);
    return {};
  }
};

/// What is known of a kernel before it has an input.
struct kernel_description {
  std::string name;
  std::string summary;  // one line
  std::vector<std::string> variants;  // "agp", "agp_nb", "conveyor", "exstack", …, in the order of a table
  std::vector<std::string> one_sided = {};  // the variants that need one-sided access to every PE
  bool has_loop = false;  // the variant "loop" of --baseline: the plain loop on local data
  std::vector<option_description> options;
  /// Collective: reads or generates the input. Throws setup_error for a bad option or input.
  std::function<std::unique_ptr<kernel>(world&, const option_list&)> make;
  /// Throws setup_error for an option that `make` would refuse without looking at the world, so that the command can
  /// report it before any PE starts. May be empty.
  std::function<void(const option_list&)> check = {};

  /// Whether `variant`, one of the above or "loop", runs on a substrate with or without such access.
  bool can_run(std::string_view variant, bool is_one_sided) const {
    return is_one_sided || std::ranges::find(one_sided, variant) == one_sided.end();
  }
};

/// All kernels, in the order of `shoal list`.
const std::vector<kernel_description>& all_kernels();

}  // namespace shoal::kernels
