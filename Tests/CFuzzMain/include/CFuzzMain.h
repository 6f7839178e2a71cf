/* Nothing to import: this target holds the entry of ScriptFuzz. */
