// SPDX-License-Identifier: MIT
// Every operator that is available for handles, by families.
#pragma once
#include <ahead/frontend/handles/functions/constant.hpp>
#include <ahead/frontend/handles/functions/control.hpp>
#include <ahead/frontend/handles/functions/copy.hpp>
#include <ahead/frontend/handles/functions/create.hpp>
#include <ahead/frontend/handles/functions/fourier.hpp>
#include <ahead/frontend/handles/functions/gather.hpp>
#include <ahead/frontend/handles/functions/index.hpp>
#include <ahead/frontend/handles/functions/loss.hpp>
#include <ahead/frontend/handles/functions/normalise.hpp>
#include <ahead/frontend/handles/functions/pointwise.hpp>
#include <ahead/frontend/handles/functions/print.hpp>
#include <ahead/frontend/handles/functions/product.hpp>
#include <ahead/frontend/handles/functions/quantise.hpp>
#include <ahead/frontend/handles/functions/random.hpp>
#include <ahead/frontend/handles/functions/rearrange.hpp>
#include <ahead/frontend/handles/functions/reduce.hpp>
#include <ahead/frontend/handles/functions/resize.hpp>
#include <ahead/frontend/handles/functions/scan.hpp>
#include <ahead/frontend/handles/functions/shape.hpp>
#include <ahead/frontend/handles/functions/stream.hpp>
#include <ahead/frontend/handles/functions/transforms.hpp>
#include <ahead/frontend/handles/functions/window.hpp>
