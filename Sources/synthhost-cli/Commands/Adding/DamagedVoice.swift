import Engines
import EngineWire
import SynthHost
import System

/// What an engine says of a voice's file, in words for who has that file.
struct DamagedVoice {
    /// The engine's sentence.
    private let flaw: String
    let path: String
    let role: String

    /// nil where the failure is about something else.
    init?(_ error: EngineFailure, _ voice: PreparedVoice) {
        guard case .complained(let complaint) = error.reason, [.badFile, .missingFile].contains(complaint.kind),
            let file = (voice.load.files + voice.uses.flatMap(\.files)).first(where: { $0.role == complaint.role })
        else { return nil }
        flaw = complaint.message
        path = file.path
        role = file.role
    }

    /// For a voice that is in the store.
    ///
    /// - Parameter word: What the voice is called in a command, quoted.
    func failure(word: String, isUsersOwn: Bool) -> CommandFailure {
        CommandFailure(
            .unavailable, "\(path): \(flaw)",
            isUsersOwn
                ? "Get a whole one of the right kind, and add it again with: synthhost models add PATH --id \(word)"
                : "To check it and fetch it again, type: synthhost models verify \(word) --repair")
    }

    /// For files that are not in the store yet.
    ///
    /// - Parameters:
    ///   - command: what to type to add the voice again.
    ///   - namesVoice: the file may hold several voices, of which the id says which is meant.
    func refusal(by command: String, namesVoice: Bool) -> CommandFailure {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return CommandFailure(
            .unavailable, "\(name): \(flaw)",
            namesVoice
                ? "If it holds several voices, say which one is meant: \(command) --id NAME; else put a whole one in its place."
                : "Put a whole one of the right kind in its place, then type: \(command)")
    }
}
