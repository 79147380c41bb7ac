  #  include <ahead/ir/graph.hpp>
#include <ahead/ir/dtype.hpp>
#include <ahead/core/good.hpp>
