// Goal: a module that is no whole file is told from one that can be opened. Method: a real shared object, cut off and
// scribbled over.
#include "shoal/substrate/network/shared_object.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>
#include <link.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iterator>

namespace shoal::network {
namespace {

// One that every machine has: the C library's.
const std::string& whole() {
  static const std::string bytes = [] {
    Dl_info info;
    EXPECT_NE(dladdr(reinterpret_cast<void*>(&dladdr), &info), 0);
    std::ifstream file(info.dli_fname, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  return bytes;
}

std::string damage_of(const std::string& bytes) {
  const std::string path = testing::TempDir() + "shared_object_" + std::to_string(::getpid());
  std::ofstream(path, std::ios::binary) << bytes;
  std::string damage = damage_of_shared_object(path);
  std::remove(path.c_str());
  return damage;
}

// The whole one with a changed header.
template <class Change>
std::string with_header(const Change& change) {
  std::string bytes = whole();
  ElfW(Ehdr) header;
  std::memcpy(&header, bytes.data(), sizeof header);
  change(header);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

TEST(shared_object, a_whole_one_is_well) { EXPECT_EQ(damage_of(whole()), ""); }

TEST(shared_object, one_that_ends_early_is_cut_off) {
  for (const std::size_t missing : {std::size_t{1}, whole().size() / 3, whole().size() - 4096}) {
    const std::string damage = damage_of(whole().substr(0, whole().size() - missing));
    EXPECT_EQ(damage, "it is cut off: " + std::to_string(whole().size() - missing) +
                          " bytes, where its headers promise " + std::to_string(whole().size()));
  }
}

TEST(shared_object, segments_count_without_a_table_of_sections) {
  const std::string bytes = with_header([](ElfW(Ehdr) & header) {
    header.e_shoff = 0;
    header.e_shnum = 0;
  });
  EXPECT_EQ(damage_of(bytes), "");
  EXPECT_TRUE(damage_of(bytes.substr(0, bytes.size() / 2)).starts_with("it is cut off: "));
}

TEST(shared_object, other_files_are_refused) {
  const std::string words = "it is no shared object of this machine";
  EXPECT_EQ(damage_of(""), words);
  EXPECT_EQ(damage_of("#!/bin/sh\n"), words);
  EXPECT_EQ(damage_of(std::string(100'000, '\0')), words);
  EXPECT_EQ(damage_of(whole().substr(0, 40)), words);
  EXPECT_EQ(damage_of(with_header([](ElfW(Ehdr) & header) { header.e_ident[EI_CLASS] = ELFCLASSNONE; })), words);
  EXPECT_EQ(damage_of(with_header([](ElfW(Ehdr) & header) { header.e_type = ET_REL; })), words);
}

TEST(shared_object, promises_beyond_all_files_are_no_small_numbers) {
  EXPECT_TRUE(damage_of(with_header([](ElfW(Ehdr) & header) {
                header.e_shoff = UINT64_MAX - 8;
              })).ends_with("promise more than any file has"));
}

TEST(shared_object, what_cannot_be_read_says_why) {
  EXPECT_EQ(damage_of_shared_object("/nowhere/x.so"), "it cannot be read (No such file or directory)");
}

}  // namespace
}  // namespace shoal::network
