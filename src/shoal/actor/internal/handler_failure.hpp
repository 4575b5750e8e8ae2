/// What becomes of an exception that leaves a handler.
#pragma once

namespace shoal::internal {

struct buffer;
class exchange;
class sink;
class stream;

/// Ends the job because a handler of `whose` threw what is being caught, for a message of `b`, which came on `by`.
[[noreturn, gnu::cold]] void end_for_throw(const sink& whose, const stream& by, const exchange& through,
                                           const buffer& b);

}  // namespace shoal::internal
