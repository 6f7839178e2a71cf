import SynthAudio
import SynthHost

extension LoudnessFailure {
    /// What became of the loudness of a voice, and why.
    ///
    /// - Parameter title: of the voice.
    func sentence(_ title: String) -> String {
        "How loud \(title) is could not be measured, so it may be louder or softer than other voices. \(reason)"
    }

    /// A sentence.
    private var reason: String {
        switch self {
        case .engine(let failure): failure.message
        case .meter(let error): error.message
        case .formatChanged: "The format of its sound changes."
        case .silent: "It gives no sound, or too little of it."
        case .store(let error): error.message
        }
    }
}

extension LoudnessError {
    /// One or two sentences.
    fileprivate var message: String {
        switch self {
        case .libraryNotLoaded(let library, let reason):
            "\(library) cannot be used: \(reason ?? "it lacks a function"). \(MissingLibrary(name: library).remedy)"
        case .formatUnusable(let format):
            "Its sound has \(format.sampleRate) Hz and \(format.channels) \(format.channels == 1 ? "channel" : "channels")."
        case .notFinite: "Its sound holds what is no number."
        case .noMemory: "There is not enough memory."
        }
    }
}
