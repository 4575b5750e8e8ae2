/// Options of a comparator, on its command line: --name=value or --name value. All values are whole numbers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

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
  /// From then on the end of memory ends the program alike.
  /// `words`: the names of what stands beside the options, as many words.
  options(int argc, char** argv, std::initializer_list<option> known, std::initializer_list<const char*> words = {});

  std::int64_t operator[](const std::string& name) const { return values_.at(name); }
  const std::vector<std::string>& words() const { return words_; }

private:
  std::map<std::string, std::int64_t> values_;
  std::vector<std::string> words_;
};

}  // namespace comparators
