// SPDX-License-Identifier: MIT
// Times each workload's subjects against each other: TSV on standard output, one row a subject, after all of them
// agreed with the first.
//     ahead_bench [--ratios | --memory] [workload...]
// --ratios: each subject's time over the first one's instead, paired round by round. --memory: the bytes of ahead's
// plan; nothing is run.
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "ahead.hpp"
#include "captured_chain.hpp"
#include "compare.hpp"
#include "models.hpp"
#include "silero_vad.hpp"
#include "small_floats.hpp"
#include "small_mlp.hpp"
#include "small_mlp_gears.hpp"
#include "mnist_mlp.hpp"
#include "lenet.hpp"
#include "activations.hpp"
#include "adds.hpp"

int main(int count, char** arguments) {
    using namespace bench;
    mode what = mode::times;
    int first = 1;
    if (count > 1 && std::string_view(arguments[1]) == "--ratios") what = mode::ratios, ++first;
    if (count > 1 && std::string_view(arguments[1]) == "--memory") what = mode::memory, ++first;
    const auto wanted = [&](std::string_view workload) {
        for (int i = first; i < count; ++i)
            if (workload == arguments[i]) return true;
        return count == first;
    };
    std::puts(what == mode::times ? "workload\tsubject\tmedian_ns\tmin_ns"
              : what == mode::ratios
                  ? "workload\tsubject\tratio"
                  : "workload\tpeak_bytes\tlargest_live_bytes\tconstant_bytes\tworkspace_bytes\ttasks");
    bool agree = true;
    if (wanted("small_mlp")) agree &= workload<eigen::small_mlp, programs::small_mlp>(what, "small_mlp", mlp_tensors{16, 32, 32, 8});
    if (wanted("small_mlp_gears") && what != mode::memory)
        agree &= compare(what, "small_mlp_gears", mlp_tensors{16, 32, 32, 8},
                         subject<program<small_mlp_programs::program<0>>>("direct"), subject<small_mlp_gears>("visit"));
    if (wanted("mnist_mlp")) agree &= workload<eigen::mnist_mlp, programs::mnist_mlp>(what, "mnist_mlp", mlp_tensors{784, 512, 256, 10});
    if (wanted("lenet")) agree &= workload<eigen::lenet, programs::lenet>(what, "lenet", lenet_tensors{});
    if (wanted("resnet_block")) agree &= resnet_block(what);
    if (wanted("silero_vad"))
        agree &= workload<eigen::silero_vad, programs::silero_vad>(what, "silero_vad", silero_vad_tensors{});
    if (wanted("activations")) agree &= workload<eigen::activations<256>, programs::activations>(what, "activations", activation_tensors{256});
    if (wanted("activations_1m"))
        agree &= workload<eigen::activations<(1 << 20)>, programs::activations_1m>(what, "activations_1m", activation_tensors{1 << 20});
    if (wanted("adds")) agree &= workload<eigen::adds, programs::adds>(what, "adds", chain_tensors{});
    if (wanted("adds_captured") && what != mode::memory)
        agree &= compare(what, "adds_captured", chain_tensors{}, subject<eigen::adds>("eigen"),
                         subject<captured_chain>("ahead"));
    using namespace small_floats;
    using ::ahead::float16, ::ahead::bfloat16;
    if (wanted("mm_256") && what != mode::memory)
        agree &= compare(what, "mm_256", 0, subject<product<float>>("f32"), subject<product<float16>>("f16"),
                         subject<product<bfloat16>>("bf16"), subject<product<std::int8_t>>("i8"));
    if (wanted("add_1m") && what != mode::memory)
        agree &= compare(what, "add_1m", 0, subject<sum<float>>("f32"), subject<sum<float16>>("f16"),
                         subject<sum<bfloat16>>("bf16"));
    if (wanted("resnet18_w16")) agree &= resnet18_w16(what);
    if (wanted("vit_tiny")) agree &= vit_tiny(what);
    if (wanted("gpt_block")) agree &= gpt_block(what);
    return agree ? 0 : 1;
}
