#include "compile/compiled.hpp"
