/// The command line of `shoal swe`.
#pragma once

#include <string>

#include "tools/swe/command.hpp"

namespace CLI {
class App;
}

namespace shoal::cli {

inline constexpr const char* swe_verb = "swe";

class swe_parser {
public:
  /// Adds the command to those that `app` knows.
  explicit swe_parser(CLI::App& app);
  swe_parser(const swe_parser&) = delete;
  swe_parser& operator=(const swe_parser&) = delete;

  bool is_parsed() const;

  /// The request, after `app` has parsed it. Throws setup_error.
  swe_request request() const;

private:
  swe::simulation simulation() const;
  void charge(swe_request& asked) const;
  sea_request sea() const;
  std::vector<swe::form> forms(swe::step_rule steps) const;
  swe::frame_plan frames(const swe_request& asked) const;

  CLI::App* command_;
  // Values as written: they are checked with the same words as those of environment variables.
  std::string scenario_, x_, y_, patch_, end_, solver_, real_, steps_, forms_, repeat_, pes_, substrate_, mpi_, json_;
  std::string bed_, uplift_, raised_x_, raised_y_, radius_, height_, out_, format_, n_frames_, progress_, threads_,
      charged_ns_, charged_steps_;
  bool is_lazy_ = false;
  bool balances_ = false;
  std::string steps_between_;
  bool measures_cache_ = false;
};

}  // namespace shoal::cli
