#include <Eigen/Core>
#include "ahead/ahead.hpp"
