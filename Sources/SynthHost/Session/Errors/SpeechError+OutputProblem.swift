extension SpeechError {
    /// Why sound was not played or stored. Each `code` is an errno.
    @nonexhaustive
    public enum OutputProblem: Hashable, Sendable {
        /// The file cannot be opened for writing; nothing was destroyed.
        case fileNotCreated(path: String, code: Int32)
        /// The file takes no more. A file of that name that was there stays; without one, the new one holds what was written
        /// before.
        case fileNotWritten(path: String, code: Int32)
        /// The file is one that this program reads: a lexicon, a clip, a file of a voice.
        case fileInUse(path: String)
        /// The file is not empty, and its folder takes no new file to put in its place.
        case fileNotReplaced(path: String)
        /// The sound and its times cannot be one file.
        case oneFile(path: String)
        /// The ending of the file's name means no format that can be written, and the options name none.
        case endingUnknown(path: String)
        /// The ending of the file's name means another format than the one that the options name.
        case endingContradicts(path: String, ending: SpeechFileOptions.Format, asked: SpeechFileOptions.Format)
        /// The ending of the name of a file of times is none of `.srt`, `.vtt` and `.json`.
        case timingsEndingUnknown(path: String)
        /// libsndfile of this machine does not write the format; it writes `known`.
        case formatMissing(SpeechFileOptions.Format, known: [SpeechFileOptions.Format])
        /// The library that encodes, by its file's name, is not installed or does not load.
        case encoderNotLoaded(library: String)
        /// The encoder failed. The file is as with `fileNotWritten`.
        case encodingFailed(SpeechFileOptions.Format)
        /// A tag has more bytes of UTF-8 than the limit.
        case tagTooLong(bytes: Int, limit: Int)
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
