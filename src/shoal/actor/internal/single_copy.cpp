#include "shoal/actor/internal/single_copy.hpp"

#include <string>
#include <vector>

#include "shoal/base/internal/loaded_object.hpp"
#include "shoal/substrate/internal/run.hpp"

// An ELF note tells which objects contain this file. Unlike a symbol it cannot be hidden by options of the linker.
asm(R"(
  .pushsection .note.shoal, "a", %note
  .balign 4
  .long 6, 4, 1
  .asciz "Shoal"
  .balign 4
  .long 1
  .popsection
)");

namespace shoal::internal {
namespace {

// When a copy is opened that no object with closures uses.
[[maybe_unused]] const bool is_single = (refuse_second_copy(), true);

}  // namespace

void refuse_second_copy() {
  const std::vector<std::string> copies = objects_with_note("Shoal");
  if (copies.size() < 2) return;
  end_for_fault("this process has two copies of Shoal, in " + copies[0] + " and in " + copies[1] +
                "; link both with libshoal.so instead of libshoal.a");
}

}  // namespace shoal::internal
