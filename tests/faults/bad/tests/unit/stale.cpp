// fault: forgotten_long_ago
