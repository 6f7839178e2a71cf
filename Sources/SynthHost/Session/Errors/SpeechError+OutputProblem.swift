extension SpeechError {
    /// Why sound was not played or stored. Each `code` is an errno.
    @nonexhaustive
    public enum OutputProblem: Hashable, Sendable {
        /// The file cannot be opened for writing; nothing was destroyed.
        case fileNotCreated(path: String, code: Int32)
        /// The file takes no more; what was written before is valid.
        case fileNotWritten(path: String, code: Int32)
        /// A WAV file holds 4 GiB at most; what was written before is valid.
        case fileTooLong(path: String)
        /// Who read the sound has gone.
        case readerGone
        /// There is no such device; the names of those that there are.
        case deviceMissing(String, known: [String])
        /// The device exists and does not open.
        case deviceNotOpened(String, code: Int32)
        /// The device does not play sound of this format.
        case deviceRefusesFormat(String, SpeechFormat, code: Int32)
        /// The device failed while it played.
        case deviceFailed(String, code: Int32)
        /// The device takes no sound any more.
        case deviceStalled(String)
        /// Sound of this format cannot be handled.
        case formatUnusable(SpeechFormat)
        /// The rate or the pitch is out of range.
        case speedUnusable(rate: Double, pitch: Double)
        /// The sound cannot be converted to what the output takes.
        case notConverted
    }
}
