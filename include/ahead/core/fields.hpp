// SPDX-License-Identifier: MIT
// The members of a struct by name, for printing, comparing and writing it as a literal: after
//     AHEAD_FIELDS(my_key, rows, count)
// in the struct's namespace, fields(k, usual, f) calls f("rows", k.rows, usual.rows), then f("count", ...). A struct
// with more members than fit, and a template, define the function fields themselves.
#pragma once
#include <ahead/core/build.hpp>

#define AHEAD_FIELD(member) f(#member, k.member, usual.member);
#define AHEAD_FIELDS_1(member) AHEAD_FIELD(member)
#define AHEAD_FIELDS_2(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_1(__VA_ARGS__)
#define AHEAD_FIELDS_3(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_2(__VA_ARGS__)
#define AHEAD_FIELDS_4(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_3(__VA_ARGS__)
#define AHEAD_FIELDS_5(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_4(__VA_ARGS__)
#define AHEAD_FIELDS_6(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_5(__VA_ARGS__)
#define AHEAD_FIELDS_7(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_6(__VA_ARGS__)
#define AHEAD_FIELDS_8(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_7(__VA_ARGS__)
#define AHEAD_FIELDS_9(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_8(__VA_ARGS__)
#define AHEAD_FIELDS_10(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_9(__VA_ARGS__)
#define AHEAD_FIELDS_11(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_10(__VA_ARGS__)
#define AHEAD_FIELDS_12(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_11(__VA_ARGS__)
#define AHEAD_FIELDS_13(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_12(__VA_ARGS__)
#define AHEAD_FIELDS_14(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_13(__VA_ARGS__)
#define AHEAD_FIELDS_15(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_14(__VA_ARGS__)
#define AHEAD_FIELDS_16(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_15(__VA_ARGS__)
#define AHEAD_FIELDS_17(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_16(__VA_ARGS__)
#define AHEAD_FIELDS_18(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_17(__VA_ARGS__)
#define AHEAD_FIELDS_19(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_18(__VA_ARGS__)
#define AHEAD_FIELDS_20(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_19(__VA_ARGS__)
#define AHEAD_FIELDS_21(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_20(__VA_ARGS__)
#define AHEAD_FIELDS_22(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_21(__VA_ARGS__)
#define AHEAD_FIELDS_23(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_22(__VA_ARGS__)
#define AHEAD_FIELDS_24(member, ...) AHEAD_FIELD(member) AHEAD_FIELDS_23(__VA_ARGS__)
#define AHEAD_PICK_FIELDS(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, \
    m19, m20, m21, m22, m23, m24, chosen, ...) chosen
/// Defines fields(k, usual, f) for a struct of up to 24 members, all of which are listed in their order.
#define AHEAD_FIELDS(type, ...)                                                                                \
    constexpr void fields([[maybe_unused]] const type& k, [[maybe_unused]] const type& usual, auto f) {        \
        AHEAD_PICK_FIELDS(__VA_ARGS__, AHEAD_FIELDS_24, AHEAD_FIELDS_23, AHEAD_FIELDS_22, AHEAD_FIELDS_21,     \
                          AHEAD_FIELDS_20, AHEAD_FIELDS_19, AHEAD_FIELDS_18, AHEAD_FIELDS_17, AHEAD_FIELDS_16, \
                          AHEAD_FIELDS_15, AHEAD_FIELDS_14, AHEAD_FIELDS_13, AHEAD_FIELDS_12, AHEAD_FIELDS_11, \
                          AHEAD_FIELDS_10, AHEAD_FIELDS_9, AHEAD_FIELDS_8, AHEAD_FIELDS_7, AHEAD_FIELDS_6,     \
                          AHEAD_FIELDS_5, AHEAD_FIELDS_4, AHEAD_FIELDS_3, AHEAD_FIELDS_2, AHEAD_FIELDS_1, 0)   \
        (__VA_ARGS__)                                                                                          \
    }
