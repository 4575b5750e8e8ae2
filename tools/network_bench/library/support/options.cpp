#include "tools/network_bench/library/support/options.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace network_bench {
namespace {

constexpr std::size_t bytes_most = 64u << 20;
constexpr int n_threads_most = 64;
const std::vector<std::string> thread_levels = {"single", "funneled", "serialized", "multiple"};

// Launchers set these before the library starts: Open MPI, Hydra and Slurm.
bool is_first_process() {
  for (const char* rank : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    const char* const mine = std::getenv(rank);
    if (mine != nullptr) return std::string_view(mine) == "0";
  }
  return true;
}

[[noreturn]] void refuse(const std::string& line) {
  if (is_first_process()) std::fprintf(stderr, "%s\n", line.c_str());
  std::exit(2);
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "" : between) + word;
  return result;
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t comma = list.find(',');
    words.emplace_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return words;
    list.remove_prefix(comma + 1);
  }
}

template <class Number>
bool read(std::string_view text, Number least, Number most, Number& into) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  return error == std::errc{} && end == text.data() + text.size() && into >= least && into <= most;
}

std::vector<std::size_t> read_sizes(const std::string& list) {
  std::vector<std::size_t> sizes;
  for (const std::string& word : split(list)) {
    std::size_t bytes = 0;
    if (!read<std::size_t>(word, 1, bytes_most, bytes)) {
      refuse("--sizes has \"" + word +
             "\", which is not a number of bytes from 1 to 67108864; write for example "
             "--sizes=8,4096,1048576");
    }
    sizes.push_back(bytes);
  }
  return sizes;
}

void check_measure(const command_line& known, const std::string& option, const std::string& name) {
  if (contains(known.measures, name)) return;
  refuse(option + " has \"" + name + "\", which is no measure; there are " + joined(known.measures, ", "));
}

[[noreturn]] void help(const command_line& known) {
  if (is_first_process()) {
    std::printf(
        "%s measures the link between its 2 processes and prints one JSON object a line.\n\n"
        "  --least-seconds S   seconds that each measured point takes at least (0.02)\n"
        "  --sizes A,B,...     bytes of messages, at most 67108864 (powers of two from 8 to 4194304)\n"
        "  --only NAME,...     measures only these: %s\n",
        known.program.c_str(), joined(known.measures, ", ").c_str());
    if (known.has_threads()) {
      std::printf(
          "  --thread-level L    what the library must provide: %s (single);\n"
          "                      with multiple, threads are measured as well\n"
          "  --threads T         threads of each process in those measures, at most %d (1)\n",
          joined(thread_levels, ", ").c_str(), n_threads_most);
    }
    std::printf("  --spoil NAME        changes a byte that this measure sends: a test that it is noticed\n");
  }
  std::exit(0);
}

void check_threads(const command_line& known, const options& given) {
  if (!contains(thread_levels, given.thread_level)) {
    refuse("--thread-level=" + given.thread_level + " is no level; there are " + joined(thread_levels, ", "));
  }
  if (given.thread_level == "multiple") return;
  if (given.n_threads > 1) {
    refuse("--threads=" + std::to_string(given.n_threads) + " needs --thread-level=multiple");
  }
  for (const std::string& name : known.measures_of_threads) {
    if (contains(given.only, name)) refuse("--only=" + name + " needs --thread-level=multiple");
  }
}

}  // namespace

bool options::wants(const std::string& measure) const { return only.empty() || contains(only, measure); }

std::size_t options::largest() const { return *std::ranges::max_element(sizes); }

options parsed(const command_line& known, int argc, char** argv) {
  options given;
  for (std::size_t bytes = 8; bytes <= 4u << 20; bytes *= 2) given.sizes.push_back(bytes);
  std::vector<std::string> names = {"--least-seconds", "--sizes", "--only", "--spoil", "--help"};
  if (known.has_threads()) names.insert(names.end(), {"--thread-level", "--threads"});

  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (!contains(names, name)) refuse(word + " is no option; there are " + joined(names, " "));
    if (name == "--help") help(known);
    if (equals == std::string::npos && i + 1 == argc) refuse(name + " has no value");
    const std::string value = equals == std::string::npos ? argv[++i] : word.substr(equals + 1);
    if (name == "--least-seconds" && !read(value, 1e-6, 3600.0, given.least_seconds)) {
      refuse("--least-seconds=" + value + " is not a number of seconds from 0.000001 to 3600");
    }
    if (name == "--sizes") given.sizes = read_sizes(value);
    if (name == "--only") given.only = split(value);
    if (name == "--thread-level") given.thread_level = value;
    if (name == "--threads" && !read(value, 1, n_threads_most, given.n_threads)) {
      refuse("--threads=" + value + " is not a whole number from 1 to " + std::to_string(n_threads_most));
    }
    if (name == "--spoil") given.spoil = value;
  }
  for (const std::string& measure : given.only) check_measure(known, "--only", measure);
  if (!given.spoil.empty()) check_measure(known, "--spoil", given.spoil);
  check_threads(known, given);
  return given;
}

}  // namespace network_bench
