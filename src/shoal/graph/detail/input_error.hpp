/// What is wrong with an input file, and how all PEs come to agree about it.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "shoal/actor/world.hpp"

namespace shoal::detail {

/// Something wrong in line `line` of a file, counted from 1, or with the file as a whole (line 0). The
/// text says what, and what would be right; `agree` puts the file's name and the line before it.
class input_error : public std::runtime_error {
public:
  input_error(std::int64_t line, const std::string& what) : std::runtime_error(what), line_(line) {}

  std::int64_t line() const noexcept { return line_; }

private:
  std::int64_t line_;
};

/// Collective, waits. Each PE gives the error that it met, if any. If one did, all PEs throw the same
/// setup_error, about the first line that is wrong: "data/foo.mtx:17: column 99 is out of range (…)".
void agree(world& w, std::string_view file, const std::optional<input_error>& mine);

/// Text from a file as an error message may repeat it: quoted, on one line, of bearable length.
std::string quoted(std::string_view text);

}  // namespace shoal::detail
