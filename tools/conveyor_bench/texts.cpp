#include "tools/conveyor_bench/texts.hpp"

#include <span>

namespace shoal::cli {

std::string told_by(world& w, std::string text, pe_id speaker) {
  text.resize(w.broadcast(text.size(), speaker));
  w.broadcast(std::span<char>(text), speaker);
  return text;
}

std::string first_text(world& w, const std::string& text) {
  const pe_id speaker = w.min(text.empty() ? w.n_pes() : w.my_pe());
  if (speaker == w.n_pes()) return {};
  return told_by(w, "PE " + std::to_string(w.my_pe()) + ": " + text, speaker);
}

}  // namespace shoal::cli
