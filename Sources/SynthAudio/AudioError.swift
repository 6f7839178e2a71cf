package import SynthSystem

/// Why audio could not be processed, played or saved.
package enum AudioError: Error, Sendable, Equatable {
    /// The file could not be opened for writing. `code` is an errno.
    case outputNotCreated(path: String, code: Int32)
    /// The file, or its folder, is a symbolic link that points into a folder that does not exist.
    case outputLinkLeadsNowhere(link: String, target: String, folder: String)
    /// The file cannot be replaced: it is not empty, and its folder is not writable.
    case outputNotReplaced(path: String)
    /// This program is reading the file. `kept` is the path of a file with the data written before that was detected; nil if
    /// nothing was written.
    case outputInUse(path: String, FileUse, kept: String?)
    /// Writing to the file or stream failed. `code` is an errno other than EPIPE.
    case outputNotWritten(name: OutputName, code: Int32)
    /// No format was requested, and the extension does not belong to a supported one.
    case endingUnknown(path: String)
    /// The extension belongs to another format than the requested one.
    case endingContradicts(path: String, ending: SoundFileFormat, asked: SoundFileFormat)
    /// The installed library cannot write the format; it can write `known`.
    case formatMissing(SoundFileFormat, known: [SoundFileFormat])
    /// The encoding library cannot be loaded; `reason` is the loader's message, or nil if the library lacks a function.
    case encoderNotLoaded(library: String, reason: String?)
    /// The encoder rejected the parameters or failed; `reason` is its message, if there is one.
    case encodingFailed(SoundFileFormat, reason: String?)
    /// A tag is too long; `bytes` and `limit` count UTF-8 bytes.
    case tagTooLong(SoundFileTags.Name, bytes: Int, limit: Int)
    /// The reader of the stream has closed it. The program should exit without printing a message.
    case brokenPipe
    case deviceMissing(device: String, known: [String])
    /// The device exists but cannot be opened. `code` is a positive errno or ALSA code.
    case deviceNotOpened(device: String, code: Int32)
    case deviceRefusesFormat(device: String, format: AudioFormat, code: Int32)
    case deviceFailed(device: String, code: Int32)
    /// The device was open and ready, but accepted no frames for ten seconds.
    case deviceStalled(device: String)
    case formatUnusable(AudioFormat)
    case tempoUnusable(tempo: Double, pitch: Double)
    case conversionFailed(ConversionFault)
    /// The loudness could not be measured.
    case notMeasured(LoudnessFault)
    /// The process or the system has no descriptors left. `code` is an errno.
    case noDescriptor(code: Int32)
    /// A recording cannot be read.
    case clipUnusable(ClipFlaw)
}

extension AudioError {
    package static func clip(_ path: String, _ reason: ClipFlaw.Reason) -> AudioError {
        .clipUnusable(ClipFlaw(path, reason))
    }

    /// What is wrong with the recording; nil for other errors.
    package var clip: ClipFlaw? { if case .clipUnusable(let flaw) = self { flaw } else { nil } }

    /// The same error, worded for a recording to transcribe.
    package var ofRecording: AudioError {
        guard var flaw = clip else { return self }
        flaw.use = .recording
        return .clipUnusable(flaw)
    }

    /// The conversion function for `rethrowing(…, as: AudioError.recordingError)`.
    package static func recordingError(_ error: AudioError) -> SpeechError { SpeechError(error.ofRecording) }
}

/// Why audio could not be converted.
package enum ConversionFault: Equatable, Sendable {
    /// The ratio of these rates, in hertz, is too large for the converter.
    case rates(from: Int, to: Int)
    case noMemory(library: String)
    /// The conversion library failed, with this message.
    case library(String)
}

/// Why loudness could not be measured.
package enum LoudnessFault: Sendable, Equatable {
    /// The loudness library cannot be loaded; `reason` is the loader's message, or nil if the library lacks a function.
    case libraryNotLoaded(library: String, reason: String?)
    /// `LoudnessMeter.supports` is false for the format.
    case formatUnusable(AudioFormat)
    /// A sample is infinite or not a number.
    case notFinite
    /// The library could not allocate memory.
    case noMemory
    /// The format changed within audio that must be measured as a whole.
    case formatChanged
    /// The audio is empty, too short, or silent.
    case silent
}

/// The file or stream to which audio is written.
package enum OutputName: Equatable, Sendable {
    /// The path, as given.
    case file(String)
    /// A descriptor of this process, such as 1 for standard output.
    case descriptor(Int32)
}
