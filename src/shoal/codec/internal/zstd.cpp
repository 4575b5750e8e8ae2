#include "shoal/codec/internal/zstd.hpp"

#include "shoal/base/setup_error.hpp"
#include "shoal/codec/internal/known_codecs.hpp"

#ifdef SHOAL_HAVE_ZSTD
#include <zstd.h>
#endif

namespace shoal::internal {

#ifdef SHOAL_HAVE_ZSTD

namespace {

constexpr std::size_t payload_bytes_min = 512;

struct free_context {
  void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

class zstd_codec final : public codec {
public:
  explicit zstd_codec(int level) : level_(level), encoder_(ZSTD_createCCtx()), decoder_(ZSTD_createDCtx()) {
    if (encoder_ == nullptr || decoder_ == nullptr) {
      throw setup_error("no memory for the state of zstd; choose another codec or lower the memory budget");
    }
  }

  std::string_view name() const noexcept override { return name_of(codec_number::zstd); }

  std::size_t encode(std::span<const std::byte> items, std::size_t, std::span<std::byte> out) noexcept override {
    if (items.size() < payload_bytes_min || out.empty()) return 0;
    const std::size_t bytes =
        ZSTD_compressCCtx(encoder_.get(), out.data(), out.size(), items.data(), items.size(), level_);
    return ZSTD_isError(bytes) != 0 ? 0 : bytes;  // the only possible error: it does not fit
  }

  bool decode(std::span<const std::byte> body, std::size_t, std::span<std::byte> items) noexcept override {
    const std::size_t bytes = ZSTD_decompressDCtx(decoder_.get(), items.data(), items.size(), body.data(), body.size());
    return ZSTD_isError(bytes) == 0 && bytes == items.size();
  }

  double ns_per_byte(std::size_t) const noexcept override { return 1.5; }

private:
  int level_;
  std::unique_ptr<ZSTD_CCtx, free_context> encoder_;
  std::unique_ptr<ZSTD_DCtx, free_context> decoder_;
};

}  // namespace

bool has_zstd() noexcept { return true; }

std::unique_ptr<codec> make_zstd_codec(int level) { return std::make_unique<zstd_codec>(level); }

#else

bool has_zstd() noexcept { return false; }

std::unique_ptr<codec> make_zstd_codec(int) { return nullptr; }

#endif

}  // namespace shoal::internal
