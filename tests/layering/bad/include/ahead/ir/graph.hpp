#include "../frontend/trace.hpp"
