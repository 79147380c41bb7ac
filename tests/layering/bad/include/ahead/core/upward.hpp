#include "ahead/core/good.hpp"
#include <ahead/ir/graph.hpp>
