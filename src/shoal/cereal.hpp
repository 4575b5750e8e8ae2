/// Types that travel by cereal: for those whose serialisation needs more than one plain function, such as save and load
/// apart, base classes, smart pointers, or members that only cereal::access reaches.
///
///     #include <cereal/types/memory.hpp>
///     #include <shoal/cereal.hpp>
///     template <>
///     inline constexpr bool shoal::travels_by_cereal<my_type> = true;
///
/// Needs cereal 1.3 (Debian: libcereal-dev). Functions that only call their archive with the members need none of this.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <cereal/cereal.hpp>

#include "shoal/base/internal/headers_place.hpp"
#include "shoal/base/serialize.hpp"

namespace shoal::internal {

/// A cereal archive that writes to one of ours, which counts or writes.
template <class Archive>
class cereal_output : public cereal::OutputArchive<cereal_output<Archive>, cereal::AllowEmptyClassElision> {
public:
  explicit cereal_output(Archive& to)
      : cereal::OutputArchive<cereal_output<Archive>, cereal::AllowEmptyClassElision>(this), to_(to) {}

  void bytes(const void* from, std::size_t n) { to_.bytes(from, n, 1); }

private:
  Archive& to_;
};

class cereal_input : public cereal::InputArchive<cereal_input, cereal::AllowEmptyClassElision> {
public:
  explicit cereal_input(input_archive& from)
      : cereal::InputArchive<cereal_input, cereal::AllowEmptyClassElision>(this), from_(from) {}

  void bytes(void* to, std::size_t n) {
    from_.bytes(to, n, 1);
    // cereal takes sizes as they come, so it must not go on with a wrong one.
    if (!from_.is_good()) throw cereal::Exception("a message ends before what cereal reads of it");
  }

private:
  input_archive& from_;
};

// What an archive owes to cereal: numbers, names, sizes and blocks. cereal finds these by name.

template <class Archive, class T>
std::enable_if_t<std::is_arithmetic_v<T>> CEREAL_SAVE_FUNCTION_NAME(cereal_output<Archive>& to, const T& value) {
  to.bytes(&value, sizeof value);
}
template <class T>
std::enable_if_t<std::is_arithmetic_v<T>> CEREAL_LOAD_FUNCTION_NAME(cereal_input& from, T& value) {
  from.bytes(&value, sizeof value);
}
template <class Archive, class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(cereal_output<Archive>& to, cereal::NameValuePair<T>& named) {
  to(named.value);
}
template <class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(cereal_input& from, cereal::NameValuePair<T>& named) {
  from(named.value);
}
template <class Archive, class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(cereal_output<Archive>& to, cereal::SizeTag<T>& size) {
  to(size.size);
}
template <class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(cereal_input& from, cereal::SizeTag<T>& size) {
  from(size.size);
}
template <class Archive, class T>
void CEREAL_SAVE_FUNCTION_NAME(cereal_output<Archive>& to, const cereal::BinaryData<T>& block) {
  to.bytes(block.data, static_cast<std::size_t>(block.size));
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(cereal_input& from, cereal::BinaryData<T>& block) {
  from.bytes(block.data, static_cast<std::size_t>(block.size));
}

template <class Archive, class T>
void by_cereal(Archive& archive, T& value) {
  if constexpr (Archive::reads) {
    cereal_input in(archive);
    in(value);
  } else {
    cereal_output<Archive> out(archive);
    out(std::as_const(value));
  }
}

}  // namespace shoal::internal

CEREAL_REGISTER_ARCHIVE(shoal::internal::cereal_output<shoal::size_archive>)
CEREAL_REGISTER_ARCHIVE(shoal::internal::cereal_output<shoal::output_archive>)
CEREAL_REGISTER_ARCHIVE(shoal::internal::cereal_input)
CEREAL_SETUP_ARCHIVE_TRAITS(shoal::internal::cereal_input, shoal::internal::cereal_output<shoal::output_archive>)
