#include "shoal/graph/internal/shared_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "shoal/actor/actor.hpp"
#include "shoal/graph/internal/file_part.hpp"

namespace shoal::internal {
namespace {

// --- Compressed files. Only who decompresses everything before a position knows what is there, so PE 0 decompresses
// and distributes the text. If every PE did it for itself, that would save the messages but take P times the processor
// time, which counts where PEs share cores or a memory bus. The other PEs take over PE 0's share of the parsing,
// because they wait for PE 0.

// The text travels in pieces of this size, so that it fits any buffer. A buffer full of them is one contiguous text.
struct text_piece {
  char bytes[64];
};

// Precedes the pieces of a block, as a piece of its own.
struct block_head {
  std::int64_t n_lines_before = 0;
  std::int64_t n_bytes = 0;
};
static_assert(sizeof(block_head) <= sizeof(text_piece));

constexpr std::size_t block_bytes = 2 * line_reader::line_bytes_max;

// Handles what PE 0 distributes.
class block_receiver {
public:
  explicit block_receiver(text_consumer& into) : into_(&into) {}

  void operator()(std::span<const text_piece> pieces) {
    while (!pieces.empty()) {
      if (n_bytes_left_ == 0) {
        block_head head;
        std::memcpy(&head, pieces.front().bytes, sizeof head);
        into_->start_after(head.n_lines_before);
        n_bytes_left_ = static_cast<std::size_t>(head.n_bytes);
        pieces = pieces.subspan(1);
        continue;
      }
      const std::size_t n = std::min(n_bytes_left_, pieces.size_bytes());
      into_->feed({pieces.front().bytes, n});
      n_bytes_left_ -= n;
      if (n_bytes_left_ == 0) into_->end_line();
      pieces = pieces.subspan((n + sizeof(text_piece) - 1) / sizeof(text_piece));
    }
  }

private:
  text_consumer* into_;
  std::size_t n_bytes_left_ = 0;  // left in the current block
};

template <class Mailbox>
void send_block(Mailbox& to, pe_id target, std::int64_t n_lines_before, std::string_view block) {
  text_piece piece{};
  const block_head head{n_lines_before, static_cast<std::int64_t>(block.size())};
  std::memcpy(piece.bytes, &head, sizeof head);
  to.send(target, piece);
  while (!block.empty()) {
    const std::size_t n = std::min(block.size(), sizeof piece.bytes);
    std::memcpy(piece.bytes, block.data(), n);
    to.send(target, piece);
    block.remove_prefix(n);
  }
}

}  // namespace

std::optional<input_error> deal_text(world& w, open_file* file, text_consumer& into) {
  actor text{w, block_receiver{into}, no_prefetch{}, "text of a file"};
  if (file == nullptr) return {};
  line_reader& lines = file->lines;
  try {
    for (pe_id target = 0;;) {
      const std::int64_t n_lines_before = lines.n_lines();
      const std::string_view block = lines.next_block(block_bytes);
      if (block.empty()) return {};
      if (w.n_pes() == 1) {
        into.start_after(n_lines_before);
        into.feed(block);
        into.end_line();
      } else {
        target = target % (w.n_pes() - 1) + 1;
        send_block(text, target, n_lines_before, block);
      }
    }
  } catch (const input_error& e) {
    return e;
  }
}

// --- Plain files. Each PE takes the lines that begin in its part.

std::optional<input_error> feed_own_part(world& w, const std::string& path, std::int64_t begin, std::int64_t end,
                                         text_consumer& into) {
  try {
    part_reader{path}.for_each_piece(begin, end, w.my_pe(), w.n_pes(), [&](std::string_view text) { into.feed(text); });
    into.end_line();
    return {};
  } catch (const input_error& e) {
    return e;
  }
}

}  // namespace shoal::internal
