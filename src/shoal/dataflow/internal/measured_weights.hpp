/// What acts and channels of a graph have cost in a run: a text file that placements of later runs read.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace shoal::internal {

struct measured_actor {
  std::string name;
  std::uint64_t act_ns = 0;

  void serialize(auto& archive) { archive(name, act_ns); }
};

/// The channel of an out-port, which has no other.
struct measured_channel {
  std::string actor;
  std::string port;
  std::uint64_t n_tokens = 0;

  void serialize(auto& archive) { archive(actor, port, n_tokens); }
};

/// After a line that says what it is, a file has a line for each actor and channel, in the order of their names:
///
///     actor <nanoseconds> <name>
///     channel <tokens> <actor> <out-port>
///
/// with tabs between the words. Tabs, line ends and backslashes in names are written \t, \n and \\.
class measured_weights {
public:
  /// Both throw setup_error: the file cannot be opened, read or written, or has other lines.
  static measured_weights read(const std::string& path);
  void write(const std::string& path) const;

  void add(const std::vector<measured_actor>& actors, const std::vector<measured_channel>& channels);

  /// Its acts in ns. An actor that was not there counts `weight` times the mean of those that were.
  double of_actor(const std::string& name, double weight) const;
  /// Its tokens times `weight`, that of one. A channel that was not there counts as the mean of those that were.
  double of_channel(const std::string& actor, const std::string& port, double weight) const;

private:
  std::map<std::string, std::uint64_t> actors_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> channels_;
  double mean_act_ns_ = 1;
  double mean_tokens_ = 1;

  void find_means();
};

}  // namespace shoal::internal
