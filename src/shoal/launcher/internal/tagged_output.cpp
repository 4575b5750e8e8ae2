#include "shoal/launcher/internal/tagged_output.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string_view>

namespace shoal::internal::launcher {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{64} << 10;

// False if the target has no reader any more.
bool write_all(int target, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(target, text.data(), text.size());
    if (n >= 0) {
      text.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EAGAIN) {
      // Another process made the target nonblocking.
      pollfd room{target, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

// Appends `text` to the stream and returns the lines that are complete now, with prefixes.
std::string complete_lines(tagged_stream& stream, std::string_view text) {
  std::string lines;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    lines.append(stream.prefix).append(stream.partial).append(text.substr(0, end + 1));
    stream.partial.clear();
    text.remove_prefix(end + 1);
  }
  stream.partial.append(text);
  if (stream.partial.size() >= tagged_line_bytes_max) {
    lines.append(stream.prefix).append(stream.partial).append("\n");
    stream.partial = {};
  }
  return lines;
}

void close_all_to(int target, std::vector<tagged_stream>& streams) {
  for (tagged_stream& stream : streams) {
    if (stream.target == target) stream.source.close();
  }
}

// Copies one chunk, or the end, of a stream that poll reported readable.
void copy_chunk(tagged_stream& stream, std::vector<tagged_stream>& streams, char* chunk) {
  const ssize_t n = ::read(stream.source.get(), chunk, chunk_bytes);
  if (n < 0) return;
  const bool is_end = n == 0;
  if (is_end) stream.source.close();
  const std::string_view text =
      is_end && !stream.partial.empty() ? "\n" : std::string_view(chunk, static_cast<std::size_t>(n));
  if (!write_all(stream.target, complete_lines(stream, text))) close_all_to(stream.target, streams);
}

}  // namespace

void tag_lines(std::vector<tagged_stream> streams, descriptor job_is_over) {
  const auto chunk = std::make_unique<char[]>(chunk_bytes);
  for (;;) {
    std::vector<pollfd> waits;
    bool is_any_open = false;
    for (const tagged_stream& stream : streams) {
      waits.push_back({stream.source.get(), POLLIN, 0});  // poll skips closed ones, which are -1
      is_any_open = is_any_open || stream.source.is_open();
    }
    if (!is_any_open) return;
    waits.push_back({job_is_over.get(), POLLIN, 0});
    const bool is_over = !job_is_over.is_open();
    const int n_ready = ::poll(waits.data(), waits.size(), is_over ? 0 : -1);
    if (is_over && n_ready == 0) break;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (streams[i].source.is_open() && waits[i].revents != 0) {
        copy_chunk(streams[i], streams, chunk.get());
      }
    }
    if (waits.back().revents != 0) job_is_over.close();
  }
  for (tagged_stream& stream : streams) {
    if (stream.partial.empty()) continue;
    write_all(stream.target, complete_lines(stream, "\n"));
  }
}

}  // namespace shoal::internal::launcher
