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
  CLI::App* command_;
  // Values as written: they are checked with the same words as those of environment variables.
  std::string scenario_, x_, y_, patch_, end_, solver_, real_, steps_, forms_, repeat_, pes_, substrate_, mpi_, json_;
  bool is_lazy_ = false;
};

}  // namespace shoal::cli
