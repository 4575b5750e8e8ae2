#include "shoal/base/internal/environment.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "shoal/base/internal/spelling.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::internal {

const char* environment_text(const char* variable) noexcept {
  const char* const text = std::getenv(variable);
  return text == nullptr || *text == '\0' ? nullptr : text;
}

std::int64_t environment_number(const char* variable) noexcept {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return -1;
  std::int64_t value = -1;
  const std::string_view digits(text);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc{} && end == digits.data() + digits.size() ? value : -1;
}

void refuse_misspelt_variables(std::span<const std::string_view> known, std::span<const std::string_view> suggested) {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view variable(*entry);
    const std::string_view name = variable.substr(0, variable.find('='));
    const bool is_empty = name.size() + 1 >= variable.size();
    if (is_empty || std::ranges::find(known, name) != known.end()) continue;
    const std::string_view meant = meant_name(name, suggested);
    if (meant.empty()) continue;
    throw setup_error(std::string(name) + " is unknown and has no effect; write " + std::string(meant) +
                      " if you mean that, or unset it");
  }
}

bool has_privileges_of_others() noexcept { return ::getauxval(AT_SECURE) != 0; }

void refuse_strangers_variables(std::span<const std::string_view> trusted) {
  if (!has_privileges_of_others()) return;
  for (const std::string_view name : trusted) {
    if (environment_text(std::string(name).c_str()) == nullptr) continue;
    throw setup_error(std::string(name) +
                      " is set, but this program has privileges that its user does not have; unset " +
                      "it, or start the program without these privileges");
  }
}

std::string program_in_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = (folder.empty() ? "." : folder) + "/" + name;
    std::error_code failed;
    if (std::filesystem::is_regular_file(file, failed) && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

}  // namespace shoal::internal
