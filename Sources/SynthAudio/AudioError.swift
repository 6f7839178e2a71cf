package import SynthSystem

/// An error in processing, playing or saving audio.
package enum AudioError: Error, Sendable, Equatable {
    /// The file could not be opened for writing. `code` is an errno.
    case outputNotCreated(path: String, code: Int32)
    /// The file or its folder is a symbolic link into a folder that does not exist.
    case outputLinkLeadsNowhere(link: String, target: String, folder: String)
    /// The file cannot be replaced because it is not empty and its folder is not writable.
    case outputNotReplaced(path: String)
    /// The file cannot be replaced because this program is reading it. `kept` is the path at which the new data was
    /// saved instead, or nil if none was saved.
    case outputInUse(path: String, FileUse, kept: String?)
    /// Writing to the file or stream failed. `code` is an errno other than EPIPE.
    case outputNotWritten(name: OutputName, code: Int32)
    /// No format was requested, and the file extension does not match a supported format.
    case endingUnknown(path: String)
    /// The file extension belongs to a format other than the requested one.
    case endingContradicts(path: String, ending: SoundFileFormat, asked: SoundFileFormat)
    /// The installed library does not support the format. `known` lists the supported formats.
    case formatMissing(SoundFileFormat, known: [SoundFileFormat])
    /// The encoding library cannot be loaded. `reason` is the loader's message, or nil if the library lacks a function.
    case encoderNotLoaded(library: String, reason: String?)
    /// The encoder rejected the parameters or failed. `reason` is its message, if any.
    case encodingFailed(SoundFileFormat, reason: String?)
    /// A tag is too long. `bytes` and `limit` are numbers of UTF-8 bytes.
    case tagTooLong(SoundFileTags.Name, bytes: Int, limit: Int)
    /// The reader has closed the stream. The program should exit without a message.
    case brokenPipe
    case deviceMissing(device: String, known: [String])
    /// The device exists but cannot be opened. `code` is a positive errno or ALSA code.
    case deviceNotOpened(device: String, code: Int32)
    case deviceRefusesFormat(device: String, format: AudioFormat, code: Int32)
    case deviceFailed(device: String, code: Int32)
    /// The device was ready but accepted no frames for ten seconds.
    case deviceStalled(device: String)
    case formatUnusable(AudioFormat)
    case tempoUnusable(tempo: Double, pitch: Double)
    case conversionFailed(ConversionFault)
    case notMeasured(LoudnessFault)
    /// The process or the system has run out of file descriptors. `code` is an errno.
    case noDescriptor(code: Int32)
    case clipUnusable(ClipFlaw)
}

extension AudioError {
    package static func clip(_ path: String, _ reason: ClipFlaw.Reason) -> AudioError {
        .clipUnusable(ClipFlaw(path, reason))
    }

    /// The flaw in the recording, or nil for other errors.
    package var clip: ClipFlaw? { if case .clipUnusable(let flaw) = self { flaw } else { nil } }

    /// The same error, with a message that calls the file a recording rather than a clip.
    package var ofRecording: AudioError {
        guard var flaw = clip else { return self }
        flaw.use = .recording
        return .clipUnusable(flaw)
    }

    /// Converts errors, for `rethrowing(…, as: AudioError.recordingError)`.
    package static func recordingError(_ error: AudioError) -> SpeechError { SpeechError(error.ofRecording) }
}

/// An error in audio conversion.
package enum ConversionFault: Equatable, Sendable {
    /// The ratio between these sample rates (given in hertz) is too large for the converter.
    case rates(from: Int, to: Int)
    case noMemory(library: String)
    /// The conversion library failed, with this message.
    case library(String)
}

/// An error in loudness measurement.
package enum LoudnessFault: Sendable, Equatable {
    /// The loudness library cannot be loaded. `reason` is the loader's message, or nil if the library lacks a function.
    case libraryNotLoaded(library: String, reason: String?)
    /// `LoudnessMeter.supports` is false for the format.
    case formatUnusable(AudioFormat)
    case notFinite
    case noMemory
    /// The format changed within a stream that must be measured as a whole.
    case formatChanged
    /// The audio is empty, too short, or silent.
    case silent
}

/// The output file or stream, for error messages.
package enum OutputName: Equatable, Sendable {
    /// The path as passed by the caller.
    case file(String)
    /// A file descriptor of this process, such as 1 for standard output.
    case descriptor(Int32)
}
