#include "shoal/graph/internal/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#if SHOAL_HAVE_ZLIB
#include <zlib.h>
#endif

#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {
namespace {

[[noreturn]] void fail(const std::string& what) { throw input_error(0, what); }

std::string reason(int error) { return std::generic_category().message(error); }

// The name of the compression format that begins with these bytes, or null.
const char* compression_of(std::string_view first_bytes) {
  using namespace std::string_view_literals;
  static constexpr std::pair<std::string_view, const char*> magics[] = {{"\x1f\x8b"sv, "gzip"},
                                                                        {"BZh"sv, "bzip2"},
                                                                        {"\xfd"
                                                                         "7zXZ"sv,
                                                                         "xz"},
                                                                        {"\x28\xb5\x2f\xfd"sv, "zstd"},
                                                                        {"PK\x03\x04"sv, "zip"}};
  for (const auto& [magic, name] : magics) {
    if (first_bytes.starts_with(magic)) return name;
  }
  return nullptr;
}

// Reads `into.size()` bytes; fewer only at the end of the file.
std::size_t read_fully(int fd, std::span<char> into) {
  std::size_t n_read = 0;
  while (n_read < into.size()) {
    const ssize_t n = ::read(fd, into.data() + n_read, into.size() - n_read);
    if (n == 0) break;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot be read: " + reason(errno));
    n_read += static_cast<std::size_t>(n);
  }
  return n_read;
}

}  // namespace

#if SHOAL_HAVE_ZLIB

// The output of gzip(1) for a file of one or several compressed members. Uses inflate, not gzread, which loses the text
// before damage, and so the number of the damaged line.
class gzip_stream {
public:
  explicit gzip_stream(int fd) : fd_(fd), input_(128 * 1024) {
    constexpr int gzip_only = 16;
    if (::inflateInit2(&stream_, MAX_WBITS + gzip_only) != Z_OK) fail("cannot be decompressed: no memory");
  }
  ~gzip_stream() { ::inflateEnd(&stream_); }
  gzip_stream(const gzip_stream&) = delete;
  gzip_stream& operator=(const gzip_stream&) = delete;

  // As byte_source::read.
  std::size_t read(std::span<char> into) {
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(into.size());
    while (stream_.avail_out != 0 && damage_.empty()) {
      if (stream_.avail_in == 0 && !refill()) break;
      if (is_between_members_ && !begin_member()) break;
      inflate_some();
    }
    const std::size_t n = into.size() - stream_.avail_out;
    if (n == 0 && !damage_.empty()) fail(damage_);
    return n;
  }

private:
  // False at the end of the file.
  bool refill() {
    const std::size_t n = read_fully(fd_, input_);
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(n);
    if (n == 0 && !is_between_members_) {
      damage_ = "the compressed data end too early: the file is truncated; copy or compress it again";
    }
    return n != 0;
  }

  // Another member may follow a member. Like gzip(1), ignore anything else there: tapes were padded.
  bool begin_member() {
    constexpr Bytef magic = 0x1f;
    if (*stream_.next_in != magic) return false;
    is_between_members_ = false;
    ::inflateReset(&stream_);
    return true;
  }

  void inflate_some() {
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      is_between_members_ = true;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      damage_ = std::string("the compressed data are damaged here or a little earlier (") +
                (stream_.msg == nullptr ? "no reason given" : stream_.msg) + "); copy or compress the file again";
    }
  }

  int fd_;
  std::vector<char> input_;
  z_stream stream_{};
  bool is_between_members_ = false;
  std::string damage_;  // why reading stopped
};

#endif

// --- Bytes

struct byte_source::state {
  int fd = -1;
  std::int64_t file_bytes = 0;
#if SHOAL_HAVE_ZLIB
  std::unique_ptr<gzip_stream> gzip;
#endif

  ~state() {
    if (fd >= 0) ::close(fd);
  }
};

byte_source::byte_source(const std::string& path) : state_(std::make_unique<state>()) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) fail("cannot be opened: " + reason(errno));
  if (S_ISDIR(status.st_mode)) fail("is a directory; name a file in it");
  if (!S_ISREG(status.st_mode)) fail("is not a regular file; write its contents to one first");
  state_->file_bytes = status.st_size;
  state_->fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (state_->fd < 0) fail("cannot be opened: " + reason(errno));

  char first[8];
  const ssize_t n = ::pread(state_->fd, first, sizeof first, 0);
  if (n < 0) fail("cannot be read: " + reason(errno));
  const char* const compression = compression_of({first, static_cast<std::size_t>(n)});
  if (compression == nullptr) return;
  if (compression != std::string_view("gzip")) {
    fail(std::string("is compressed with ") + compression + "; decompress it, or compress it with gzip");
  }
#if SHOAL_HAVE_ZLIB
  state_->gzip = std::make_unique<gzip_stream>(state_->fd);
#else
  fail(
      "is compressed with gzip, which this Shoal was built without; decompress it (gunzip), or install "
      "zlib and build again");
#endif
}

byte_source::~byte_source() = default;
byte_source::byte_source(byte_source&&) noexcept = default;

bool byte_source::is_compressed() const noexcept {
#if SHOAL_HAVE_ZLIB
  return state_->gzip != nullptr;
#else
  return false;
#endif
}

std::int64_t byte_source::file_bytes() const noexcept { return state_->file_bytes; }

std::size_t byte_source::read(std::span<char> into) {
#if SHOAL_HAVE_ZLIB
  if (is_compressed()) return state_->gzip->read(into);
#endif
  return read_fully(state_->fd, into);
}

// --- Lines

// Reads until `n_wanted` bytes are available or the file ends. Damage counts as an end; it is thrown only after
// everything before it has been taken.
void line_reader::fill(std::size_t n_wanted) {
  constexpr std::size_t piece_bytes = 64 * 1024;
  if (end_ - begin_ >= n_wanted || is_at_end_) return;
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_), buffer_.begin() + static_cast<std::ptrdiff_t>(end_),
            buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  buffer_.resize(std::max(buffer_.size(), n_wanted + piece_bytes));
  while (end_ < n_wanted && !is_at_end_) {
    try {
      const std::size_t n = source_.read(std::span(buffer_).subspan(end_, piece_bytes));
      end_ += n;
      is_at_end_ = n == 0;
    } catch (const input_error& e) {
      damage_ = e.what();
      is_at_end_ = true;
    }
  }
}

void line_reader::fail_at_next_line() const {
  if (damage_ && rest().size() <= line_bytes_max) throw input_error(n_lines_ + 1, *damage_);
  throw input_error(n_lines_ + 1,
                    "the line is longer than " + std::to_string(line_bytes_max) + " bytes; is this a text file?");
}

std::string_view line_reader::take(std::size_t n) {
  const std::string_view taken = rest().substr(0, n);
  begin_ += n;
  n_bytes_ += static_cast<std::int64_t>(n);
  n_lines_ += std::count(taken.begin(), taken.end(), '\n') + (n != 0 && taken.back() != '\n');
  return taken;
}

bool line_reader::next(std::string_view& line) {
  std::size_t end = rest().find('\n');
  if (end == std::string_view::npos) {
    fill(line_bytes_max + 1);
    end = rest().find('\n');
  }
  if (end == std::string_view::npos) {
    if (damage_ || !is_at_end_) fail_at_next_line();
    if (rest().empty()) return false;
    line = take(rest().size());
  } else {
    if (end > line_bytes_max) fail_at_next_line();
    line = take(end + 1);
    line.remove_suffix(1);
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

std::string_view line_reader::next_block(std::size_t bytes_max) {
  SHOAL_EXPECT(bytes_max > line_bytes_max);
  fill(bytes_max);
  const std::string_view block = rest().substr(0, bytes_max);
  if (is_at_end_ && !damage_ && rest().size() <= bytes_max) return take(block.size());
  const std::size_t last = block.rfind('\n');
  if (last == std::string_view::npos) fail_at_next_line();
  return take(last + 1);
}

}  // namespace shoal::internal
