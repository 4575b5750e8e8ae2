#include "shoal/compat/internal/bale_files.hpp"

#include <fcntl.h>
#include <unistd.h>

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

// No program that this one starts inherits it.
std::FILE* open_file(const char* call, const std::string& name, const char* mode) {
  const bool may_read = mode[0] == 'r';
  const bool may_write = mode[0] != 'r' || mode[1] == '+';
  int flags = may_read && may_write ? O_RDWR : may_write ? O_WRONLY : O_RDONLY;
  if (mode[0] == 'w') flags |= O_CREAT | O_TRUNC;
  if (mode[0] == 'a') flags |= O_CREAT | O_APPEND;
  const int descriptor = ::open(name.c_str(), flags | O_CLOEXEC, 0666);
  std::FILE* const file = descriptor >= 0 ? fdopen(descriptor, mode) : nullptr;
  if (file == nullptr) refuse_access(call, name, may_read ? "open it" : "create it");
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
