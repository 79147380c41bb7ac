#include <ahead/core/good.hpp>
#include <Eigen/Core>
using four = float __attribute__((vector_size(16)));
