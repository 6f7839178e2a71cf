// The room Terminal.
