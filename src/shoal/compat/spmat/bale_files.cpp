#include "shoal/compat/internal/bale_files.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace shoal::internal::compat {

void refuse_file(const char* call, const std::string& name, const char* text, ...) {
  char line[400];
  va_list values;
  va_start(values, text);
  std::vsnprintf(line, sizeof line, text, values);
  va_end(values);
  std::fprintf(stderr, "%s: %s: %s\n", call, name.c_str(), line);
  std::exit(1);
}

void refuse_access(const char* call, const std::string& name, const char* verb) {
  refuse_file(call, name, "cannot %s: %s", verb, std::strerror(errno));
}

std::FILE* open_file(const char* call, const std::string& name, const char* mode) {
  std::FILE* const file = std::fopen(name.c_str(), (std::string(mode) + "e").c_str());
  if (file == nullptr) refuse_access(call, name, mode[0] == 'r' ? "open it" : "create it");
  return file;
}

void close_written(const char* call, const std::string& name, std::FILE* file) {
  if (std::fclose(file) != 0) refuse_access(call, name, "write it");
}

void write_items(const char* call, const std::string& name, const void* items, std::size_t bytes, std::size_t n,
                 std::FILE* file) {
  if (std::fwrite(items, bytes, n, file) != n) refuse_access(call, name, "write it");
}

}  // namespace shoal::internal::compat
