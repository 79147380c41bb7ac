#include <ahead/core/good.hpp>

namespace AHEAD_NAMESPACE {
using ir::capacity, ir::stranger;
} // namespace ahead

namespace AHEAD_NAMESPACE {
struct loose {};
} // namespace ahead
