/* This header is empty: the target contains only the entry points of the fuzzer. */
