import SynthHost
import System

/// A file of a voice that is in the store.
extension VoiceFileFlaw {
    /// What happened, in one sentence.
    var message: String { "\(path): \(error.words)" }

    /// What to type next, in one sentence.
    var remedy: String {
        let word = ShellWord.quoted(voice)
        return isUsersOwn
            ? "Get a whole one of the right kind, and add it again with: synthhost models add PATH --id \(word)"
            : "To check it and fetch it again, type: synthhost models verify \(word) --repair"
    }
}
