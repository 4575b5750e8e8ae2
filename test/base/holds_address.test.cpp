// Which types hold addresses, as far as the compiler can tell. What must not compile for it: test/compile_fail.
#include "shoal/base/internal/holds_address.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <complex>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "shoal/actor/origin.hpp"
#include "shoal/actor/per_pe.hpp"
#include "shoal/actor/symmetric.hpp"
#include "shoal/base/internal/type_name.hpp"

namespace {

using shoal::internal::holds_address;

template <class T>
void expect(bool address) {
  EXPECT_EQ(holds_address<T>, address) << shoal::internal::type_name<T>();
}
template <class... Types>
void expect_addresses() {
  (expect<Types>(true), ...);
}
template <class... Types>
void expect_none() {
  (expect<Types>(false), ...);
}

struct plain {
  long a;
  double b;
  int c;
};
struct pointed {
  long a;
  long* p;
};
enum class color : long { red };
struct tag {};

TEST(holds_address, types_by_name) {
  expect_addresses<long*, const char*, long&, void(), void (*)(), void (plain::*)(), std::reference_wrapper<long>>();
  expect_addresses<std::span<long>, std::span<const long, 4>, std::string_view, std::u16string_view>();
  expect_addresses<std::vector<int>::iterator, std::vector<int>::const_iterator, std::string::iterator>();
  // The offset of a member is the same in every process.
  expect_none<long, const long, bool, color, std::byte, std::nullptr_t, long plain::*, plain, tag>();
  expect_none<std::complex<double>, std::chrono::nanoseconds, std::atomic<long>>();
}

TEST(holds_address, standard_types_made_of_others) {
  expect_addresses<long* [3], std::array<char*, 2>, std::pair<int, pointed>, std::tuple<long, char*>>();
  expect_addresses<std::optional<int*>, std::variant<int, pointed>, std::array<std::pair<int, int*>, 2>>();
  expect_none<long[3], std::array<long, 2>, std::array<char*, 0>, std::pair<int, plain>, std::tuple<>,
              std::tuple<int, long>, std::optional<plain>, std::variant<int, plain>>();
}

// --- Aggregates

struct has_const_pointer {
  const long a;
  volatile long b;
  const char* const p;
};
struct has_function {
  long m[2][3];
  void (*f)();
};
struct has_member_function {
  void (plain::*f)();
};
struct has_pointers {
  long* p[3];
  long a;
};
struct has_itself {
  has_itself* next;
  long value;
};
struct has_defaults {
  long a = 3;
  long* p = nullptr;
};
struct has_bits {
  unsigned long a : 40;
  unsigned long b : 24;
  bool c : 1;
  char* p;
};
struct alignas(64) is_aligned {
  char text[8];
  long* p;
};
template <class T>
struct vector_of {
  T x, y, z;
};

TEST(holds_address, pointers_in_aggregates) {
  expect_addresses<pointed, has_const_pointer, has_function, has_member_function, has_pointers, has_itself>();
  expect_addresses<has_defaults, has_bits, is_aligned, vector_of<char*>, const pointed>();
}

struct nested {
  int a;
  pointed in;
};
struct nested_twice {
  vector_of<vector_of<double>> m;
  nested in[2];
};
struct unnamed {
  struct {
    long a;
    long* p;
  } in;
};
struct derived : plain {
  long* p;
};
struct derived_from_pointed : pointed {
  long b;
};
struct after_empty {
  tag t;
  long a;
  long* p;
};

TEST(holds_address, aggregates_in_aggregates) {
  expect_addresses<nested, nested_twice, unnamed, derived, derived_from_pointed, after_empty>();
}

struct has_reference {
  long a;
  long& r;
};
struct has_const_reference {
  const long& r;
};
struct has_reference_to_class {
  plain& r;
  long a;
};
struct has_const_reference_to_class {
  long a;
  const plain& r;
};
struct has_const_reference_to_optional {
  const std::optional<int>& r;
};
struct has_reference_to_function {
  void (&f)(int);
};
struct has_reference_and_handle {
  long& r;
  shoal::pe_handle<int> h;
};

class unknown;
struct has_reference_to_unknown {
  unknown& r;
  long a;
};
struct abstract {
  virtual ~abstract() = default;
  virtual void f() = 0;
};
struct has_reference_to_abstract {
  const abstract& r;
  long a;
};

TEST(holds_address, references_in_aggregates) {
  expect_addresses<has_reference, has_const_reference, has_reference_to_class, has_const_reference_to_class>();
  expect_addresses<has_const_reference_to_optional, has_reference_to_function, has_reference_and_handle>();
  expect_addresses<has_reference_to_unknown, has_reference_to_abstract>();
}

template <class T>
struct beside {
  int a;
  T of_interest;
  std::optional<double> b;
  long c;
};
template <class T>
struct before_pointer {
  T of_interest[2];
  long* p;
};

TEST(holds_address, standard_types_in_aggregates) {
  expect_addresses<beside<std::string_view>, beside<std::span<const long>>, beside<std::reference_wrapper<long>>,
                   beside<std::array<long*, 3>>, beside<std::pair<long, long*>>, beside<std::tuple<long*, long>>,
                   beside<std::optional<long*>>, beside<std::optional<pointed>>, beside<std::variant<long, char*>>,
                   beside<std::vector<int>::iterator>>();
  expect_none<beside<std::array<long, 3>>, beside<std::pair<long, int>>, beside<std::tuple<int, long>>,
              beside<std::optional<long>>, beside<std::optional<plain>>, beside<std::variant<long, double>>,
              beside<std::complex<double>>, beside<std::chrono::nanoseconds>, beside<color>, beside<tag>,
              beside<std::atomic<long>>, beside<std::string>, beside<std::function<void()>>>();
  expect_addresses<before_pointer<std::optional<long>>, before_pointer<std::variant<int, double>>,
                   before_pointer<std::tuple<int, double>>, before_pointer<plain>>();
}

// --- What carries addresses on purpose, or something better

TEST(holds_address, names_of_things_are_none) {
  expect_none<shoal::origin<long>, shoal::pe_handle<long>, shoal::symmetric<long>>();
  expect_none<beside<shoal::origin<long>>, beside<shoal::pe_handle<long>>, beside<shoal::symmetric<long>>>();
  expect_addresses<before_pointer<shoal::origin<long>>, before_pointer<shoal::pe_handle<long>>>();
}

class with_constructor {
public:
  explicit with_constructor(long* p) : p_(p) {}
  long get() const { return *p_; }

private:
  long* p_;
};

TEST(holds_address, classes_are_not_looked_into) {
  const auto closure = [p = static_cast<long*>(nullptr)] { return p; };
  expect_none<with_constructor, beside<with_constructor>, decltype(closure), beside<decltype(closure)>>();
}

// --- Odd types: accepted if nobody can tell, and never an error

union either {
  long* p;
  long n;
};
struct has_anonymous_union {
  union {
    long* p;
    long n;
  };
  long kind;
};
struct has_pointer_after_anonymous_union {
  union {
    long n;
    double d;
  };
  long* p;
};
struct has_unions {
  char kind;
  either which[2];
};
struct [[gnu::packed]] is_packed {
  char c;
  long* p;
};
struct has_many_members {
  char text[200];
  long* p;
};
struct has_virtual_function {
  virtual ~has_virtual_function() = default;
  long a;
};

TEST(holds_address, what_cannot_be_told_is_accepted) {
  expect_none<either, has_anonymous_union, has_unions, beside<has_anonymous_union>, is_packed, has_many_members>();
  expect_none<has_virtual_function, vector_of<has_many_members>>();
  expect_addresses<has_pointer_after_anonymous_union>();
}

// Their constructors take probes.
struct takes_all {
  template <class X>
  explicit(false) takes_all(X&& /*unused*/) {}
  long a = 0;
};
template <class Address>
struct takes_address {
  template <class X>
    requires std::is_convertible_v<X, Address>
  explicit(false) takes_address(X&& /*unused*/) {}
  long hash = 0;
};
struct takes_pointer {
  explicit(false) takes_pointer(const char* /*unused*/) {}
  long hash = 0;
};
struct takes_numbers {
  template <class X>
  explicit(false) constexpr takes_numbers(X x) noexcept(noexcept(static_cast<long>(x))) : a(static_cast<long>(x)) {
    static_assert(std::is_arithmetic_v<X>);
  }
  long a = 0;
};
struct has_explicit_default {
  explicit has_explicit_default(long /*unused*/ = 1) {}
  long a = 0;
};
struct is_moved_only {
  is_moved_only(is_moved_only&&) = default;
  is_moved_only(const is_moved_only&) = delete;
  long a = 0;
};
template <class T>
struct alone {
  T of_interest;
};

TEST(holds_address, constructors_do_not_mislead) {
  expect_none<alone<takes_all>, beside<takes_all>, alone<takes_pointer>, beside<takes_pointer>>();
  expect_none<alone<takes_address<const char*>>, beside<takes_address<const char*>>,
              alone<std::optional<takes_address<const char*>>>>();
  expect_none<alone<takes_address<std::string_view>>, beside<takes_address<std::string_view>>,
              alone<std::optional<takes_address<std::string_view>>>>();
  // Compiles only if the body of the constructor is never instantiated.
  expect_none<alone<takes_numbers>, beside<takes_numbers>, alone<std::optional<takes_numbers>>,
              alone<takes_numbers[2]>>();
  expect_none<alone<has_explicit_default>, beside<has_explicit_default>, alone<is_moved_only>, beside<is_moved_only>>();
}

struct has_sixteen {
  long a[15];
  long* p;
};
struct has_seventeen {
  long a[16];
  long* p;
};

TEST(holds_address, sixteen_members_are_looked_at) {
  expect_addresses<has_sixteen>();
  expect_none<has_seventeen>();
}

}  // namespace
