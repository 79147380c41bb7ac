#include <ahead/core/good.hpp>
#include <Eigen/Core>
