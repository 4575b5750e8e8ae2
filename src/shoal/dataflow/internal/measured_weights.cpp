#include "shoal/dataflow/internal/measured_weights.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string_view>

#include "shoal/base/internal/quoting.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::internal {
namespace {

constexpr std::string_view first_line = "Shoal: measured weights of a graph, 1";

std::string escaped_name(std::string_view name) {
  std::string its;
  for (const char c : name) {
    if (c == '\t') {
      its += "\\t";
    } else if (c == '\n') {
      its += "\\n";
    } else {
      if (c == '\\') its += c;
      its += c;
    }
  }
  return its;
}

std::string name_of_escaped(std::string_view text) {
  std::string its;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      its += text[i];
    } else {
      const char c = text[++i];
      its += c == 't' ? '\t' : c == 'n' ? '\n' : c;
    }
  }
  return its;
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    words.emplace_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

bool is_number(const std::string& word, std::uint64_t& number) {
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, number);
  return error == std::errc() && rest == end;
}

[[noreturn]] void refuse_file(const std::string& path, const char* what) {
  throw setup_error("cannot " + std::string(what) + " the measured weights " + printable(path) + ": " +
                    std::strerror(errno) + "; record_weights in an earlier run writes them");
}

template <class Map>
double mean_of(const Map& its) {
  double sum = 0;
  for (const auto& [name, number] : its) sum += static_cast<double>(number);
  return its.empty() || sum == 0 ? 1 : sum / static_cast<double>(its.size());
}

}  // namespace

measured_weights measured_weights::read(const std::string& path) {
  std::ifstream file(path);
  if (!file) refuse_file(path, "read");
  measured_weights its;
  std::string line;
  std::uint64_t number = 1;
  for (; std::getline(file, line); ++number) {
    const std::vector<std::string> words = words_of(line);
    std::uint64_t value = 0;
    bool is_right = number == 1 ? line == first_line : words.size() > 1 && is_number(words[1], value);
    if (is_right && number > 1) {
      if (words[0] == "actor" && words.size() == 3) {
        its.actors_[name_of_escaped(words[2])] = value;
      } else if (words[0] == "channel" && words.size() == 4) {
        its.channels_[{name_of_escaped(words[2]), name_of_escaped(words[3])}] = value;
      } else {
        is_right = false;
      }
    }
    if (!is_right) {
      throw setup_error(printable(path) + ":" + std::to_string(number) +
                        ": not a line of measured weights; give a file that record_weights has written");
    }
  }
  if (file.bad()) refuse_file(path, "read");
  if (number == 1) throw setup_error(printable(path) + ": empty; give a file that record_weights has written");
  its.find_means();
  return its;
}

void measured_weights::write(const std::string& path) const {
  std::ofstream file(path);
  file << first_line << '\n';
  for (const auto& [name, act_ns] : actors_) file << "actor\t" << act_ns << '\t' << escaped_name(name) << '\n';
  for (const auto& [its, n_tokens] : channels_) {
    file << "channel\t" << n_tokens << '\t' << escaped_name(its.first) << '\t' << escaped_name(its.second) << '\n';
  }
  file.close();
  if (!file) {
    throw setup_error("cannot write the measured weights " + printable(path) + ": " + std::strerror(errno));
  }
}

void measured_weights::add(const std::vector<measured_actor>& actors, const std::vector<measured_channel>& channels) {
  for (const measured_actor& each : actors) actors_[each.name] += each.act_ns;
  for (const measured_channel& each : channels) channels_[{each.actor, each.port}] += each.n_tokens;
}

void measured_weights::find_means() {
  mean_act_ns_ = mean_of(actors_);
  mean_tokens_ = mean_of(channels_);
}

double measured_weights::of_actor(const std::string& name, double weight) const {
  const auto its = actors_.find(name);
  return its == actors_.end() ? weight * mean_act_ns_ : std::max(1.0, static_cast<double>(its->second));
}

double measured_weights::of_channel(const std::string& actor, const std::string& port, double weight) const {
  const auto its = channels_.find({actor, port});
  return weight * (its == channels_.end() ? mean_tokens_ : std::max(1.0, static_cast<double>(its->second)));
}

}  // namespace shoal::internal
