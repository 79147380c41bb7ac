// measure <command> <arguments>...: runs the command, prints "<user seconds> <peak resident MiB>" of it and its
// children on standard output, and exits as it did. The command's own output goes to standard error.
// SPDX-License-Identifier: MIT
#include <cstdio>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("usage: measure <command> <arguments>...\n", stderr);
        return 2;
    }
    const pid_t child = fork();
    if (child < 0) {
        std::perror("measure: fork");
        return 2;
    }
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execvp(argv[1], argv + 1);
        std::perror(argv[1]);
        _exit(127);
    }
    int status = 0;
    rusage usage{};
    if (wait4(child, &status, 0, &usage) != child) {
        std::perror("measure: wait4");
        return 2;
    }
    const double user_s =
        static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
    std::printf("%.3f %.0f\n", user_s, static_cast<double>(usage.ru_maxrss) / 1024.0); // ru_maxrss is in KiB on Linux
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
