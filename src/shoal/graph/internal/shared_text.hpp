/// Shares the text of a file, plain or compressed, among all PEs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "shoal/actor/world.hpp"
#include "shoal/graph/internal/input_error.hpp"
#include "shoal/graph/internal/text_file.hpp"

namespace shoal::internal {

/// Takes a PE's share of a text, in pieces cut anywhere.
class text_consumer {
public:
  /// `n_lines_before` lines precede the text that follows.
  virtual void start_after(std::int64_t n_lines_before) = 0;
  virtual void feed(std::string_view text) = 0;
  /// The last line ends, with or without a line end of its own.
  virtual void end_line() = 0;

protected:
  ~text_consumer() = default;
};

/// A file on PE 0. The reader refers to the source, hence the fixed address.
struct open_file {
  byte_source source;
  line_reader lines{source};

  explicit open_file(const std::string& path) : source(path) {}
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
};

/// Reads the rest of the file on PE 0 and distributes it among the other PEs; `file` is null there. Collective; call it
/// in the superstep that is to wait for the text, after which `into` may be destroyed. Returns errors of the file.
std::optional<input_error> deal_text(world& w, open_file* file, text_consumer& into);

/// Reads the lines of a plain file that begin in this PE's part of [begin, end), where `begin` is the begin of a line.
/// Does not tell how many lines precede them. Local. Returns errors of the file.
std::optional<input_error> feed_own_part(world& w, const std::string& path, std::int64_t begin, std::int64_t end,
                                         text_consumer& into);

}  // namespace shoal::internal
