package import SynthSystem

/// Why sound could not be processed, played or stored.
package enum AudioError: Error, Sendable, Equatable {
    /// The file could not be opened for writing; an existing file is unchanged. `code` is an errno.
    case outputNotCreated(path: String, code: Int32)
    /// The file, or its folder, is a symbolic link; the folder that it leads to does not exist.
    case outputLinkLeadsNowhere(link: String, target: String, folder: String)
    /// The file is not empty, and its folder does not allow a new file that could replace it.
    case outputNotReplaced(path: String)
    /// The file is one that this program reads. `kept` is the path of a file that holds what was written before that was
    /// known; nil = nothing was written.
    case outputInUse(path: String, FileUse, kept: String?)
    /// Writing to the file or stream failed. `code` is an errno other than EPIPE.
    case outputNotWritten(name: OutputName, code: Int32)
    /// The ending of the file's name means no format that can be written, and no format was asked for.
    case endingUnknown(path: String)
    /// The ending of the file's name means another format than the one that was asked for.
    case endingContradicts(path: String, ending: SoundFileFormat, asked: SoundFileFormat)
    /// The library of this machine does not write the format; it writes `known`.
    case formatMissing(SoundFileFormat, known: [SoundFileFormat])
    /// The library that encodes does not load; `reason` is the loader's, nil = it lacks a function.
    case encoderNotLoaded(library: String, reason: String?)
    /// The encoder refuses or fails; `reason` is its own, if it says one.
    case encodingFailed(SoundFileFormat, reason: String?)
    /// In bytes of UTF-8.
    case tagTooLong(SoundFileTags.Name, bytes: Int, limit: Int)
    /// The reader of the stream has closed it. The program should end without a message.
    case brokenPipe
    case deviceMissing(device: String, known: [String])
    /// The device exists but does not open. `code` is a positive errno or ALSA code.
    case deviceNotOpened(device: String, code: Int32)
    case deviceRefusesFormat(device: String, format: AudioFormat, code: Int32)
    case deviceFailed(device: String, code: Int32)
    /// The device was open and ready but took no frame for ten seconds.
    case deviceStalled(device: String)
    case formatUnusable(AudioFormat)
    case tempoUnusable(tempo: Double, pitch: Double)
    case conversionFailed(ConversionFault)
    /// How loud it is could not be measured.
    case notMeasured(LoudnessFault)
    /// The system gave no descriptor. `code` is an errno.
    case noDescriptor(code: Int32)
    /// A recorded sound cannot be read.
    case clipUnusable(ClipFlaw)
}

extension AudioError {
    package static func clip(_ path: String, _ reason: ClipFlaw.Reason) -> AudioError {
        .clipUnusable(ClipFlaw(path, reason))
    }

    /// What is wrong with a recorded sound; nil = the error is another one.
    package var clip: ClipFlaw? { if case .clipUnusable(let flaw) = self { flaw } else { nil } }

    /// The same of a recording that is transcribed.
    package var ofRecording: AudioError {
        guard var flaw = clip else { return self }
        flaw.use = .recording
        return .clipUnusable(flaw)
    }

    /// For `rethrowing(…, as: AudioError.recordingError)`.
    package static func recordingError(_ error: AudioError) -> SpeechError { SpeechError(error.ofRecording) }
}

/// Why sound could not be converted.
package enum ConversionFault: Equatable, Sendable {
    /// The ratio is too large for the converter; in hertz.
    case rates(from: Int, to: Int)
    case noMemory(library: String)
    /// The conversion library failed; its message.
    case library(String)
}

/// Why loudness could not be measured.
package enum LoudnessFault: Sendable, Equatable {
    /// The library that measures does not load; `reason` is the loader's, nil = it lacks a function.
    case libraryNotLoaded(library: String, reason: String?)
    /// `LoudnessMeter.supports` is false for it.
    case formatUnusable(AudioFormat)
    /// A sample is infinite or not a number.
    case notFinite
    /// The library has no memory.
    case noMemory
    /// The format changed between two sounds that are measured as one.
    case formatChanged
    /// There is no sound, too little of it, or silence.
    case silent
}

/// The file or stream that sound is written to.
package enum OutputName: Equatable, Sendable {
    /// The path, as it was given.
    case file(String)
    /// One of this process, such as 1 for standard output.
    case descriptor(Int32)
}
