#include "program/compiled.hpp"
