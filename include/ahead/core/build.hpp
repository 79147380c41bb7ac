// SPDX-License-Identifier: MIT
// Checks the compiler and the target machine of this translation unit. It refuses, with a one-line error, compilers and
// standards that are too old, and fast maths. AHEAD_NAMESPACE is the namespace of everything the library defines:
// `ahead` in a build for any x86-64, otherwise an inline namespace of it named after the instruction set,
// `ahead::isa_avx2` under -march=x86-64-v3.
// Invariant: two translation units share a symbol of the library only if the compiler may use the same instructions in
// both. So objects built for different machines link into one program, and none runs code compiled for another machine.
// Every header of the library includes this one first.
#pragma once
// Macros from other headers, such as those of Windows: libstdc++ undefines them, libc++ does not; std::min must not be
// a macro.
#undef min
#undef max

#if !defined(__GNUC__) || \
    (defined(__clang__) ? __clang_major__ < 16 && !defined(__apple_build_version__) : __GNUC__ < 12)
// This file does not exist: the compiler stops here and reports no further errors.
#include "ahead needs g++ 12 or clang 16, or later"
#endif
#if __cplusplus < 202002L
#include "ahead needs C++20 or later, as by -std=c++20"
#endif
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#include "ahead needs NaN and infinity: not with -ffast-math, -Ofast or -ffinite-math-only"
#endif

// Components of AHEAD_NAMESPACE. From the lists below, AHEAD_IF makes `::inline name` for each macro that is 1, and
// AHEAD_ONE makes `1 +`, which shows whether there are any: most builds have none, and every header names the
// namespace, which g++ expands anew each time.
#define AHEAD_IF(Macro, Name) AHEAD_IF_VALUE(Macro, ::inline Name)
#define AHEAD_ONE(Macro, Name) AHEAD_IF_VALUE(Macro, 1 +)
#define AHEAD_IF_VALUE(Value, Text) AHEAD_SECOND(AHEAD_COMMA_##Value Text, , )
#define AHEAD_COMMA_1 ,
#define AHEAD_SECOND(...) AHEAD_SECOND_OF(__VA_ARGS__)
#define AHEAD_SECOND_OF(First, Second, ...) Second

// clang-format off: lists of names
#if defined(__x86_64__)
// The levels of the x86-64 psABI and the most common machines beyond them have one short name each, because g++ prints
// it with every name; each extension beyond a build's level has a separate name. The list has the extensions that
// compilers use without being asked.
#define AHEAD_RARE(Of) \
    Of(__AVXVNNIINT8__, isa_vnni_int8) Of(__AVXVNNIINT16__, isa_vnni_int16) \
    Of(__AVXNECONVERT__, isa_avxneconvert) Of(__AVX10_1__, isa_avx10_1) \
    Of(__AVX10_2__, isa_avx10_2) Of(__APX_F__, isa_apx) Of(__FMA4__, isa_fma4) \
    Of(__XOP__, isa_xop) Of(__TBM__, isa_tbm)
#define AHEAD_BEYOND_ICELAKE(Of) \
    Of(__AVX512BF16__, isa_bf16) Of(__AVX512FP16__, isa_fp16) Of(__AVXVNNI__, isa_avxvnni) \
    Of(__SSE4A__, isa_sse4a) AHEAD_RARE(Of)
#define AHEAD_BEYOND_V4(Of) \
    Of(__AVX512VBMI__, isa_vbmi) Of(__AVX512VBMI2__, isa_vbmi2) Of(__AVX512VNNI__, isa_vnni) \
    Of(__AVX512BITALG__, isa_bitalg) Of(__AVX512VPOPCNTDQ__, isa_vpopcntdq) Of(__GFNI__, isa_gfni) \
    AHEAD_BEYOND_ICELAKE(Of)
#define AHEAD_BEYOND_V3(Of) \
    Of(__AVX512F__, isa_avx512f) Of(__AVX512CD__, isa_avx512cd) Of(__AVX512BW__, isa_avx512bw) \
    Of(__AVX512DQ__, isa_avx512dq) Of(__AVX512VL__, isa_avx512vl) AHEAD_BEYOND_V4(Of)
#define AHEAD_BEYOND_V2(Of) \
    Of(__AVX__, isa_avx) Of(__AVX2__, isa_avx_2) Of(__FMA__, isa_fma) Of(__F16C__, isa_f16c) \
    Of(__BMI__, isa_bmi) Of(__BMI2__, isa_bmi2) Of(__LZCNT__, isa_lzcnt) \
    Of(__MOVBE__, isa_movbe) AHEAD_BEYOND_V3(Of)
#define AHEAD_BEYOND_V1(Of) \
    Of(__SSE3__, isa_sse3) Of(__SSSE3__, isa_ssse3) Of(__SSE4_1__, isa_sse4_1) \
    Of(__SSE4_2__, isa_sse4_2) Of(__POPCNT__, isa_popcnt) AHEAD_BEYOND_V2(Of)

#if !(defined(__SSE3__) && defined(__SSSE3__) && defined(__SSE4_1__) && defined(__SSE4_2__) && defined(__POPCNT__))
#define AHEAD_LEVEL ahead
#define AHEAD_BEYOND(Of) AHEAD_BEYOND_V1(Of)
#elif !(defined(__AVX__) && defined(__AVX2__) && defined(__FMA__) && defined(__F16C__) && defined(__BMI__) && \
        defined(__BMI2__) && defined(__LZCNT__) && defined(__MOVBE__))
#define AHEAD_LEVEL ahead::inline isa_sse4
#define AHEAD_BEYOND(Of) AHEAD_BEYOND_V2(Of)
#elif !(defined(__AVX512F__) && defined(__AVX512CD__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && \
        defined(__AVX512VL__))
#define AHEAD_LEVEL ahead::inline isa_avx2
#define AHEAD_BEYOND(Of) AHEAD_BEYOND_V3(Of)
#elif !(defined(__AVX512VBMI__) && defined(__AVX512VBMI2__) && defined(__AVX512VNNI__) && \
        defined(__AVX512BITALG__) && defined(__AVX512VPOPCNTDQ__) && defined(__GFNI__))
#define AHEAD_LEVEL ahead::inline isa_avx512
#define AHEAD_BEYOND(Of) AHEAD_BEYOND_V4(Of)
#elif defined(__AVX512BF16__) && defined(__SSE4A__) && !defined(__AVX512FP16__) && defined(__AVXVNNI__)
#define AHEAD_LEVEL ahead::inline isa_znver5
#define AHEAD_BEYOND(Of) AHEAD_RARE(Of)
#elif defined(__AVX512BF16__) && defined(__SSE4A__) && !defined(__AVX512FP16__)
#define AHEAD_LEVEL ahead::inline isa_znver4
#define AHEAD_BEYOND(Of) AHEAD_RARE(Of)
#elif defined(__AVX512BF16__) && !defined(__SSE4A__) && defined(__AVX512FP16__) && defined(__AVXVNNI__)
#define AHEAD_LEVEL ahead::inline isa_sapphirerapids
#define AHEAD_BEYOND(Of) AHEAD_RARE(Of)
#else
#define AHEAD_LEVEL ahead::inline isa_icelake
#define AHEAD_BEYOND(Of) AHEAD_BEYOND_ICELAKE(Of)
#endif
#elif defined(__aarch64__)
#define AHEAD_LEVEL ahead
#define AHEAD_BEYOND(Of) \
    Of(__ARM_FEATURE_ATOMICS, isa_lse) Of(__ARM_FEATURE_FP16_VECTOR_ARITHMETIC, isa_fp16) \
    Of(__ARM_FEATURE_DOTPROD, isa_dotprod) Of(__ARM_FEATURE_BF16, isa_bf16) \
    Of(__ARM_FEATURE_MATMUL_INT8, isa_i8mm) Of(__ARM_FEATURE_SVE, isa_sve) \
    Of(__ARM_FEATURE_SVE2, isa_sve2)
#else
#define AHEAD_LEVEL ahead
#define AHEAD_BEYOND(Of)
#endif
// clang-format on

#if AHEAD_BEYOND(AHEAD_ONE) 0
#define AHEAD_NAMESPACE AHEAD_LEVEL AHEAD_BEYOND(AHEAD_IF)
#else
#define AHEAD_NAMESPACE AHEAD_LEVEL
#endif

// The root namespace of every name: lookups of `ahead::x` find the build's inline namespace in it. It has the names
// for programs, and a namespace for each room (ahead/README.md) with the names that the room defines for the others:
// `using namespace ahead` does not bring those. `rooms` lets the rooms find each other's names unqualified. A room with
// many names of one kind (operators, passes, device operators) is not in it: other rooms say pass::room_for_block.
// clang-format off
namespace AHEAD_NAMESPACE {
namespace core {}
namespace ir {}
namespace frontend {}
namespace printers {}
namespace plan {}
namespace differential {}
namespace interpreter {}
namespace io {}
namespace rooms {
using namespace core;
using namespace ir;
using namespace frontend;
using namespace printers;
using namespace plan;
using namespace differential;
using namespace interpreter;
using namespace io;
}
namespace core { using namespace rooms; }
namespace ir { using namespace rooms; }
namespace frontend { using namespace rooms; }
namespace printers { using namespace rooms; }
namespace plan { using namespace rooms; }
namespace differential { using namespace rooms; }
namespace interpreter { using namespace rooms; }
namespace io { using namespace rooms; }
namespace air { using namespace rooms; }
namespace aot { using namespace rooms; }
namespace because { using namespace rooms; }
namespace aten { using namespace rooms; }
namespace compile { using namespace rooms; }
namespace convert { using namespace rooms; }
namespace decomposition { using namespace rooms; }
namespace detail { using namespace rooms; }
namespace device { using namespace rooms; }
namespace dynamic { using namespace rooms; }
namespace generate { using namespace rooms; }
namespace kernels { using namespace rooms; }
namespace legalize { using namespace rooms; }
namespace machine { using namespace rooms; }
namespace math { using namespace rooms; }
namespace npu { using namespace rooms; }
namespace pass { using namespace rooms; }
namespace pbtxt_words { using namespace rooms; }
namespace runtime { using namespace rooms; }
namespace torch_npu { using namespace rooms; }
namespace torchvision { using namespace rooms; }
namespace transformers { using namespace rooms; }
namespace tune { using namespace rooms; }
}
// clang-format on
