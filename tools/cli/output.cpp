#include "tools/cli/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/launcher.hpp"

namespace shoal::cli {

using namespace internal;

namespace fs = std::filesystem;

void check_output(const std::string& file) {
  if (file.empty() || file == "-") return;
  if (launcher_rank_from_environment() > 0) return;  // only the first PE writes, and others may see other disks
  const std::string what = "--json=" + file;
  std::error_code error;
  if (fs::is_directory(file, error)) throw setup_error(what + " is a folder; give the name of a file");
  const fs::path parent = fs::path(file).parent_path();
  const fs::path folder = parent.empty() ? "." : parent;
  if (!fs::is_directory(folder, error)) {
    throw setup_error(what + ": there is no folder " + folder.string() + "; create it first");
  }
  const bool is_there = fs::exists(file, error);
  if (::access((is_there ? fs::path(file) : folder).c_str(), W_OK) != 0) {
    throw setup_error(what + " cannot be written (" + std::strerror(errno) + "); give another file");
  }
}

void print_report(const std::string& file, const printer& table, const printer& json) {
  table(file == "-" ? std::cerr : std::cout);
  if (file == "-") {
    json(std::cout);
  } else if (!file.empty()) {
    std::ofstream out(file);
    json(out);
    out.close();
    if (!out) throw setup_error("--json=" + file + " could not be written; is the disk full?");
  }
  if (!std::cout.flush()) throw setup_error("the output could not be written; is the disk full?");
}

}  // namespace shoal::cli
