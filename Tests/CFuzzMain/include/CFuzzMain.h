/* Nothing to import: this target holds the entries of the fuzzing programs. */
