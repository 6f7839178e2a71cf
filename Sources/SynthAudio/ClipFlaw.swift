package import SynthSystem

/// Describes why a recording cannot be read.
package struct ClipFlaw: Equatable, Sendable {
    /// Why a recording cannot be read.
    package enum Reason: Sendable, Equatable {
        /// The file does not exist, cannot be read, or is not a regular file (for example, a folder, pipe or device).
        case notOpened(Errno)
        /// The decoding library cannot be loaded. `reason` is the loader's message, or nil if the library lacks a function.
        case decoderNotLoaded(library: String, reason: String?)
        /// The file does not contain audio, or the installed library does not support its format. The value is the library's
        /// message.
        case notDecodable(String)
        case empty
        /// libsndfile does not support the format, and ffmpeg, which supports most other formats, is not installed.
        case converterMissing
        /// Neither libsndfile nor ffmpeg supports the format.
        case unknownFormat
        /// The file is an image, or a video without audio.
        case withoutSound
        /// Decoding would take more time or memory than it does for any real recording.
        case undecodable
        /// The file is damaged after `frame` frames. The first value is the library's message.
        case damaged(String, frame: Int)
        /// The file is truncated after `frame` frames.
        case cutShort(frame: Int)
        case notFinite(frame: Int)
        case tooLong(limit: Duration)
        case formatUnusable(AudioFormat)
        case conversionFailed(ConversionFault)
    }

    /// How the file is used.
    package enum Use: String, Sendable {
        case clip, recording
    }

    package let path: String
    package let reason: Reason
    package var use = Use.clip

    package init(_ path: String, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }
}

extension ClipFlaw {
    /// Whether the file might be readable later, because the error came from the system rather than the decoder.
    package var isTemporary: Bool { if case .notOpened = reason { true } else { false } }

    package var code: SpeechError.Code {
        switch (reason, use) {
        case (.decoderNotLoaded, .clip): .decoderMissing
        case (_, .clip): .clipInvalid
        case (.notOpened, .recording), (.decoderNotLoaded, .recording), (.conversionFailed, .recording):
            .recordingNotReadable
        case (.tooLong, .recording): .recordingTooLong
        case (_, .recording): .recordingInvalid
        }
    }

    package var facts: SpeechError.Facts {
        switch reason {
        case .notOpened(let error): .init(path: path, reason: "\(error)", errno: error.code)
        case .decoderNotLoaded(let library, let reason): .init(path: path, library: library, reason: reason)
        case .notDecodable(let reason): .init(path: path, reason: reason)
        case .damaged(let reason, let frame): .init(path: path, frame: frame, reason: reason)
        case .cutShort(let frame), .notFinite(let frame): .init(path: path, frame: frame)
        case .tooLong(let limit): .init(path: path, duration: limit)
        case .converterMissing: .init(path: path, library: "ffmpeg")
        case .formatUnusable, .conversionFailed, .empty, .unknownFormat, .withoutSound, .undecodable: .init(path: path)
        }
    }

    package var message: String { message(of: "the \(use.rawValue) \(path)") }

    package var remedy: SpeechError.Remedy? {
        switch reason {
        case .notOpened: .checkFile
        case .decoderNotLoaded(let library, _): .installLibrary(library)
        case .converterMissing: .prepareDocument("sudo apt install \(ConfinedProgram.mediaFacts.package)")
        case .empty, .unknownFormat, .withoutSound: .chooseRecording
        case .notDecodable, .formatUnusable, .conversionFailed, .undecodable: .convertSound(path)
        case .damaged, .cutShort, .notFinite: .replaceSound
        case .tooLong: .cutSound
        }
    }

    /// Returns the error message as one sentence.
    ///
    /// - Parameter subject: a noun phrase for the recording, such as "the recording talk.m4a".
    package func message(of subject: String) -> String {
        switch reason {
        case .notOpened(.isFolder): "Cannot read \(subject): it is a folder."
        case .notOpened(.invalid): "Cannot read \(subject): it is a pipe or a device, not a file."
        case .notOpened(let code): "Cannot read \(subject): \(code)."
        case .decoderNotLoaded(let library, let reason):
            "Cannot read \(subject): \(library), which decodes audio files, cannot be used: "
                + "\(reason ?? "it lacks a required function")."
        case .notDecodable(let reason):
            "Cannot read \(subject): it is not an audio file in a supported format (\(Wording.clause(reason)))."
        case .empty: "Cannot read \(subject): it is empty."
        case .converterMissing:
            "Cannot read \(subject): it is not WAV, FLAC, MP3, Ogg Vorbis or Opus, and ffmpeg, which reads most other formats, "
                + "is not installed."
        case .unknownFormat: "Cannot read \(subject): it is not an audio or video file in a supported format."
        case .withoutSound: "Cannot read \(subject): it has no audio."
        case .undecodable: "Cannot read \(subject): decoding it requires too much time or memory."
        case .damaged(let reason, let frame):
            "Cannot read \(subject): it is damaged at frame \(frame) (\(Wording.clause(reason)))."
        case .cutShort(0):
            "Cannot read \(subject): it is truncated, and its format cannot be decoded without the missing part."
        case .cutShort(let frame): "Cannot read \(subject) completely: it is truncated after frame \(frame)."
        case .notFinite(let frame):
            "Cannot read \(subject): it is damaged: the sample at frame \(frame) is not a finite number."
        case .tooLong(let limit):
            "Cannot read \(subject): it is longer than the limit of \(Int(limit.seconds / 60)) minutes."
        case .formatUnusable(let format):
            "Cannot read \(subject): \(format.sampleRate) Hz with \(format.channels) channels is not supported."
        case .conversionFailed: "Cannot read \(subject): its sample rate cannot be converted."
        }
    }
}
