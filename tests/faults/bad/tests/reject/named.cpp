// fault: named_by_reject
int main() {}
