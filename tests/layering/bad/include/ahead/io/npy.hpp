  #  include <ahead/ir/graph.hpp>
#include <ahead/ir/type/dtype.hpp>
#include <ahead/core/good.hpp>
