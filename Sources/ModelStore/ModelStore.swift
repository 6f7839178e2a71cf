// The room ModelStore.
