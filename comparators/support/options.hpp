/// Options of a comparator, on its command line: --name=value or --name value. All values are whole numbers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>

namespace comparators {

struct option {
  std::string name;
  std::int64_t value;  // if it is not given
  std::int64_t least;
  std::int64_t most;
};

class options {
public:
  /// Besides `known`, every program has --repeat and --seed. A wrong option ends the program with status 2 and one line,
  /// from the first process of a job alone. To be called before the library starts, which would report it as well.
  options(int argc, char** argv, std::initializer_list<option> known);

  std::int64_t operator[](const std::string& name) const { return values_.at(name); }

private:
  std::map<std::string, std::int64_t> values_;
};

}  // namespace comparators
