// What every test begins with, read once: the umbrella and the reference.
// A test includes what it uses all the same.
// SPDX-License-Identifier: MIT
#pragma once
#include <ahead/ahead.hpp>
#include <ahead/reference/equivalent.hpp>
#include <reference.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>
