/// Says why the actors of a graph that have not finished cannot act.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shoal::internal {

class graph_part;

/// A channel of an actor that has not finished, when nothing moves any more.
struct blocked_channel {
  std::string from;
  std::string out;
  std::string to;
  std::string in;
  std::uint32_t capacity = 0;
  std::uint32_t n_tokens = 0;
  bool has_reader_finished = false;

  void serialize(auto& archive) { archive(from, out, to, in, capacity, n_tokens, has_reader_finished); }
};

/// Channels that end in the actors of this PE, up to `n_most`.
std::vector<blocked_channel> channels_of(const graph_part& part, std::size_t n_most);

/// Who waits for whom: the writer of a full channel for its reader, the reader of an empty one for its writer. A cycle
/// of such waits if there is one, else what `live` actors have at their ports.
std::string describe_stall(const std::vector<blocked_channel>& channels, const std::vector<std::string>& live);

/// The same channels as text for Graphviz: full ones red, empty ones blue, those of the cycle bold.
std::string stall_for_graphviz(const std::vector<blocked_channel>& channels);

}  // namespace shoal::internal
