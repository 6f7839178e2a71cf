package import SynthSystem

/// Why a recorded sound cannot be had.
package struct ClipFlaw: Equatable, Sendable {
    package enum Reason: Sendable, Equatable {
        /// There is no such file, it may not be read, or it is none that holds bytes: a folder, a pipe, a device.
        case notOpened(Errno)
        /// The library that decodes does not load; `reason` is the loader's, nil = it lacks a function.
        case decoderNotLoaded(library: String, reason: String?)
        /// It is no sound file, or one of a kind that the library of this machine does not read; its own words.
        case notDecodable(String)
        /// It has no bytes.
        case empty
        /// It is of a kind that the library does not read, and ffmpeg, which reads most others, is not installed.
        case converterMissing
        /// Neither the library nor ffmpeg reads its format.
        case unknownFormat
        /// It is a video or a picture without sound.
        case withoutSound
        /// Decoding it takes more time or memory than any recording does.
        case undecodable
        /// It is damaged after this many frames; the library's own words.
        case damaged(String, frame: Int)
        /// It ends before its own end, after this many frames.
        case cutShort(frame: Int)
        /// A sample is no number, or infinite.
        case notFinite(frame: Int)
        case tooLong(limit: Duration)
        case formatUnusable(AudioFormat)
        case conversionFailed(ConversionFault)
    }

    /// What the file is to the user.
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

/// What is said of a flaw.
extension ClipFlaw {
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

    /// What happened, in one sentence.
    ///
    /// - Parameter subject: What the sound is to the reader, in the middle of a sentence: "the recording talk.m4a".
    package func message(of subject: String) -> String {
        switch reason {
        case .notOpened(.isFolder): "Cannot read \(subject): it is a folder."
        case .notOpened(.invalid): "Cannot read \(subject): it is a pipe or a device, not a file."
        case .notOpened(let code): "Cannot read \(subject): \(code)."
        case .decoderNotLoaded(let library, let reason):
            "Cannot read \(subject): \(library), which decodes audio files, cannot be used: "
                + "\(reason ?? "it lacks a function")."
        case .notDecodable(let reason):
            "Cannot read \(subject): it is not an audio file in a supported format (\(Wording.clause(reason)))."
        case .empty: "Cannot read \(subject): it is empty."
        case .converterMissing:
            "Cannot read \(subject): it is not WAV, FLAC, MP3, Ogg Vorbis or Opus, and ffmpeg, which reads most other formats, "
                + "is not installed."
        case .unknownFormat: "Cannot read \(subject): it is not an audio or video file in a supported format."
        case .withoutSound: "Cannot read \(subject): it has no audio."
        case .undecodable: "Cannot read \(subject): decoding it takes too much time or memory."
        case .damaged(let reason, let frame):
            "Cannot read \(subject): it is damaged at frame \(frame) (\(Wording.clause(reason)))."
        case .cutShort(let frame): "Cannot read \(subject) to its end: it is cut off after frame \(frame)."
        case .notFinite(let frame):
            "Cannot read \(subject): it is damaged: the sample at frame \(frame) is not a number."
        case .tooLong(let limit):
            "Cannot read \(subject): it is longer than \(Int(limit.seconds / 60)) minutes, which is the limit."
        case .formatUnusable(let format):
            "Cannot read \(subject): \(format.sampleRate) Hz with \(format.channels) channels is not supported."
        case .conversionFailed: "Cannot read \(subject): its sample rate cannot be converted."
        }
    }
}
