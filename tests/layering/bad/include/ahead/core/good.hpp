#include <vector>
#include "upward.hpp"
#include <ahead/version.hpp>
