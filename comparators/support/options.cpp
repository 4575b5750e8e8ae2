#include "comparators/support/options.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string_view>

namespace comparators {
namespace {

[[noreturn]] void refuse(const std::string& line) {
  for (const char* rank : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"}) {
    const char* const mine = std::getenv(rank);
    if (mine != nullptr && std::string_view(mine) != "0") std::exit(2);
  }
  std::fprintf(stderr, "%s\n", line.c_str());
  std::exit(2);
}

// Of every operator new. Memory may end in any thread, and on any PE: the first line counts.
[[noreturn]] void out_of_memory() {
  std::fputs("there is too little memory; give smaller sizes\n", stderr);
  std::_Exit(2);
}

std::int64_t value_of(const option& o, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && value >= o.least && value <= o.most) return value;
  refuse("--" + o.name + "=" + std::string(text) + " is not a whole number from " + std::to_string(o.least) + " to " +
         std::to_string(o.most));
}

}  // namespace

options::options(int argc, char** argv, std::initializer_list<option> known, std::initializer_list<const char*> words) {
  std::set_new_handler(out_of_memory);
  std::vector<option> all(known);
  all.push_back({"repeat", 5, 1, 1000});
  all.push_back({"seed", 1, 0, INT64_MAX});
  for (const option& o : all) values_[o.name] = o.value;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (!word.starts_with("--") && words_.size() < words.size()) {
      words_.emplace_back(word);
      continue;
    }
    const std::size_t equals = word.find('=');
    const option* meant = nullptr;
    for (const option& o : all) {
      if (word.substr(0, equals) == "--" + o.name) meant = &o;
    }
    if (meant == nullptr) {
      std::string names;
      for (const option& o : all) names += " --" + o.name;
      refuse(std::string(word) + " is no option; there are" + names);
    }
    if (equals == std::string_view::npos && i + 1 == argc) refuse("--" + meant->name + " has no value");
    values_[meant->name] = value_of(*meant, equals == std::string_view::npos ? argv[++i] : word.substr(equals + 1));
  }
  if (words_.size() < words.size()) refuse(std::string(words.begin()[words_.size()]) + " is missing");
}

}  // namespace comparators
