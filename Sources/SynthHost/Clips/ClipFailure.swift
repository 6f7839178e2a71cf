package import SynthAudio

/// Why a clip cannot be heard: its name means none, or its file cannot be used.
package enum ClipFailure: Error, Hashable, Sendable {
    case name(ClipNameError)
    case file(ClipError)
}
