// write_weights <out.safetensors> <value>: fc.weight f32[4, 8], every element that value, and fc.bias f32[4], zeros.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

int main(int, char** arguments) {
    std::string header = R"({"fc.weight":{"dtype":"F32","shape":[4,8],"data_offsets":[0,128]},"fc.bias":{"dtype":"F32","shape":[4],"data_offsets":[128,144]}})";
    while (header.size() % 8 != 0) header += ' ';
    const auto size = static_cast<std::uint64_t>(header.size());
    std::ofstream out(arguments[1], std::ios::binary);
    out.write(reinterpret_cast<const char*>(&size), sizeof size);
    out << header;
    const float value = std::strtof(arguments[2], nullptr), zero = 0;
    for (int i = 0; i < 36; ++i) out.write(reinterpret_cast<const char*>(i < 32 ? &value : &zero), sizeof(float));
}
