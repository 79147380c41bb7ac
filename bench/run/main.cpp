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
#include "w1.hpp"
#include "w1_gears.hpp"
#include "w2.hpp"
#include "w3.hpp"
#include "w7.hpp"
#include "w8.hpp"

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
    if (wanted("w1")) agree &= workload<eigen::w1, programs::w1>(what, "w1", mlp_tensors{16, 32, 32, 8});
    if (wanted("w1_gears") && what != mode::memory)
        agree &= compare(what, "w1_gears", mlp_tensors{16, 32, 32, 8},
                         subject<program<w1_programs::program<0>>>("direct"), subject<w1_gears>("visit"));
    if (wanted("w2")) agree &= workload<eigen::w2, programs::w2>(what, "w2", mlp_tensors{784, 512, 256, 10});
    if (wanted("w3")) agree &= workload<eigen::w3, programs::w3>(what, "w3", lenet_tensors{});
    if (wanted("w4")) agree &= w4(what);
    if (wanted("silero_vad"))
        agree &= workload<eigen::silero_vad, programs::silero_vad>(what, "silero_vad", silero_vad_tensors{});
    if (wanted("w7")) agree &= workload<eigen::w7<256>, programs::w7>(what, "w7", activation_tensors{256});
    if (wanted("w7_1m"))
        agree &= workload<eigen::w7<(1 << 20)>, programs::w7_1m>(what, "w7_1m", activation_tensors{1 << 20});
    if (wanted("w8")) agree &= workload<eigen::w8, programs::w8>(what, "w8", chain_tensors{});
    if (wanted("w8_captured") && what != mode::memory)
        agree &= compare(what, "w8_captured", chain_tensors{}, subject<eigen::w8>("eigen"),
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
