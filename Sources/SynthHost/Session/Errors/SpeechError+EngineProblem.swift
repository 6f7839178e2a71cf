extension SpeechError {
    /// What an engine did instead of speaking.
    @nonexhaustive
    public enum EngineProblem: Hashable, Sendable {
        /// Its process ended by a signal. The next speech starts another.
        case crashed(signal: Int32)
        /// It ended its own process.
        case exited(code: Int32)
        /// It gave no answer in this time, and was ended.
        case hung(after: Duration)
        /// It says that it could not, in its own words; none if it gave no reason.
        case failed(String)
        /// A sentence is longer than any that is handed to an engine, or holds a NUL.
        case unspeakableText
        /// It broke the contract of its interface; how, in the words of the process that it runs in.
        case violatedContract(String)
        /// It damaged the connection between its process and this one, and was ended.
        case violatedProtocol
        /// Its file is not loaded.
        case notLoaded(LoadProblem)
        /// Its process could not be started; the reason is an errno, if the system gave one.
        case notStarted(code: Int32?)
    }

    /// Why a file is not loaded as an engine.
    @nonexhaustive
    public enum LoadProblem: Hashable, Sendable {
        /// It is no library of this machine, or is damaged.
        case notLoadable
        /// A library that it needs is not installed; its name.
        case lacksLibrary(String)
        /// Somebody else may have written it, or what it loads.
        case untrusted
        /// It is no engine, or one for another version of the interface.
        case incompatible
        /// What it says of itself breaks the contract of the interface.
        case violatesContract
    }
}
