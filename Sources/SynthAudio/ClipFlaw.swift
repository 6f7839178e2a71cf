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
