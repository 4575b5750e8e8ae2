// The main of tests that run on PEs.
#include "test/support/tests_on_pes.hpp"

int main(int argc, char** argv) { return shoal::test::run_tests_on_pes(argc, argv); }
