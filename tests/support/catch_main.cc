// The one translation unit that carries Catch2's main for every unit test.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
