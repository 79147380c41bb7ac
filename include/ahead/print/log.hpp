// SPDX-License-Identifier: MIT
// Log lines in TorchAir's format, so that searches through its logs find the same shape:
//     [INFO] TORCHAIR(4711,digits):2026-03-01-09:15:00.123.456 [main.cpp:12]140213 device graph: 9 nodes
// Invariant: a message is one line, whatever its contents. Called by print/log_compilation.hpp and users, at run time.
#pragma once
#include <ahead/core/build.hpp>
#include <chrono>
#include <locale>
#include <ostream>
#include <source_location>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

namespace AHEAD_NAMESPACE::printers {

/// With the numbers by which TorchAir's logger orders them.
enum class log_level : int { debug = 10, info = 20, warning = 30, event = 35, error = 40 };

constexpr std::string_view name_of(log_level level) {
    switch (level) {
    case log_level::debug: return "DEBUG";
    case log_level::info: return "INFO";
    case log_level::warning: return "WARNING";
    case log_level::event: return "EVENT";
    default: return "ERROR";
    }
}

/// The process fields of a line. The standard library provides neither; a line shows the given values.
struct log_process {
    long id = 0;
    std::string name = "ahead";
};

/// One line, with its end. `time` is shown as UTC, to the microsecond; only the file name of the place's path is shown.
inline std::string log_line(log_level level, const log_process& process, std::chrono::system_clock::time_point time,
                            std::thread::id thread, std::string_view message, const std::source_location& where) {
    using namespace std::chrono;
    const auto day = floor<days>(time);
    const year_month_day date(day);
    const hh_mm_ss clock(floor<microseconds>(time - day));
    const auto micros = clock.subseconds().count();
    std::ostringstream out;
    out.imbue(std::locale::classic());
    const auto put = [&](auto number, int digits, std::string_view then) {
        out.width(digits);
        out.fill('0');
        out << static_cast<long long>(number) << then;
    };
    const std::string_view path = where.file_name();
    out << '[' << name_of(level) << "] TORCHAIR(" << process.id << ',' << process.name << "):";
    put(static_cast<int>(date.year()), 4, "-");
    put(static_cast<unsigned>(date.month()), 2, "-");
    put(static_cast<unsigned>(date.day()), 2, "-");
    put(clock.hours().count(), 2, ":");
    put(clock.minutes().count(), 2, ":");
    put(clock.seconds().count(), 2, ".");
    put(micros / 1000, 3, ".");
    put(micros % 1000, 3, " [");
    out << path.substr(path.find_last_of("/\\") + 1) << ':' << where.line() << ']' << thread << ' ';
    for (char c : message) out << (static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c);
    out << '\n';
    return out.str();
}

/// Writes lines of a level at or above the threshold to a stream, each with one write. The stream must outlive it.
class log_writer {
public:
    explicit log_writer(std::ostream& out, log_level threshold = log_level::info, log_process process = {})
        : out_(&out), threshold_(threshold), process_(std::move(process)) {}

    bool is_on(log_level level) const { return level >= threshold_; }
    void write(log_level level, std::string_view message,
               const std::source_location& where = std::source_location::current()) const {
        if (is_on(level))
            *out_ << log_line(level, process_, std::chrono::system_clock::now(), std::this_thread::get_id(), message,
                              where);
    }

private:
    std::ostream* out_;
    log_level threshold_;
    log_process process_;
};

} // namespace ahead::printers

namespace AHEAD_NAMESPACE {
using printers::log_level;
} // namespace ahead
