/// Files of spmat: what is wrong with one ends the job with a line that names it, and status 1.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <string>

namespace shoal::internal::compat {

/// A line `call: name: text`.
[[noreturn, gnu::cold, gnu::format(printf, 3, 4)]] void refuse_file(const char* call, const std::string& name,
                                                                    const char* text, ...);

/// A line that says what the system says.
[[noreturn, gnu::cold]] void refuse_access(const char* call, const std::string& name, const char* verb);

/// An open file, or the job ends. `mode`: as fopen has it, r, r+, w or a first.
std::FILE* open_file(const char* call, const std::string& name, const char* mode);

/// Or the job ends. What has been written is with the system then.
void close_written(const char* call, const std::string& name, std::FILE* file);

/// Or the job ends.
void write_items(const char* call, const std::string& name, const void* items, std::size_t bytes, std::size_t n,
                 std::FILE* file);

}  // namespace shoal::internal::compat
