// Goal: the line of a signal handler is what was put into it, in one piece, and cut where it is too long.
#include "shoal/base/internal/signal_text.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace shoal {

using namespace internal;
namespace {

std::string printed(signal_text& line) {
  testing::internal::CaptureStderr();
  line.print();
  return testing::internal::GetCapturedStderr();
}

TEST(signal_text, puts_texts_and_numbers_together) {
  signal_text line;
  (line << "PE " << std::int64_t{12} << " at ").add_hex(0x7ffdULL) << ", " << std::int64_t{INT64_MIN};
  EXPECT_EQ(printed(line), "PE 12 at 0x7ffd, -9223372036854775808\n");
}

TEST(signal_text, cuts_what_does_not_fit) {
  signal_text line;
  const std::string some(600, 'x');
  line << some << some << "end";
  const std::string shown = printed(line);
  EXPECT_EQ(shown.size(), 1024U);
  EXPECT_EQ(shown, std::string(1023, 'x') + '\n');
}

}  // namespace
}  // namespace shoal
