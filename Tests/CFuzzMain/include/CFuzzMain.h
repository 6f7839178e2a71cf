/* There is nothing to import: this target contains the entry points of the fuzzing programs. */
