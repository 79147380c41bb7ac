#include "npu/compiled.hpp"
