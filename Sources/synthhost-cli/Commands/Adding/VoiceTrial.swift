import ModelStore
import SynthAudio
import SynthHost
import Terminal
import VoiceCatalogue

/// Makes the engine speak with voices that are being added, before they are installed.
struct VoiceTrial {
    private let library: VoiceLibrary
    private let cancellation: Cancellation
    /// What to type to try again.
    private let command: String
    private let wait: ShownWait

    init(_ library: VoiceLibrary, _ cancellation: Cancellation, command: String, _ wait: ShownWait) {
        self.wait = wait
        self.library = library
        self.cancellation = cancellation
        self.command = command
    }

    /// Blocks until each has spoken. If one cannot, it throws the reason, and none of them should be kept.
    func run(_ voices: [InstalledVoice]) throws(CommandFailure) {
        let host = library.host
        try cancellation.during({ host.abandonEngines() }) { () throws(CommandFailure) in
            // A session keeps its engine: the next voice finds it, and the model that they share.
            var session: SpeechSession?
            for (place, voice) in voices.enumerated() {
                if voices.count == 1 {
                    wait.show("Trying \(voice.voice.title)")
                } else {
                    wait.show("Trying \(voices.count) voices", .fraction(Double(place) / Double(voices.count)))
                }
                try speak(voice, among: voices, &session)
            }
            withExtendedLifetime(session) {}
        }
    }

    private func speak(
        _ added: InstalledVoice, among voices: [InstalledVoice], _ kept: inout SpeechSession?
    ) throws(CommandFailure) {
        do throws(SpeechFailure) {
            let session = try library.inventory.session(VoiceChoice(voice: added.voice), uncommitted: voices)
            kept = session
            if cancellation.isRequested { throw .closed }
            // Every language has digits.
            _ = try session.speak(try GivenText("1"), SpeechSettings()).deliver(to: DiscardingSink())
        } catch {
            if cancellation.isRequested {
                throw CommandFailure(
                    .interrupted, "\(added.voice.title) was not added.", "To add it, run the same command again.")
            }
            throw failure(error, added.voice)
        }
    }

    private func failure(_ error: SpeechFailure, _ voice: Voice) -> CommandFailure {
        switch error {
        case .voiceFile(let flaw): return refusal(flaw)
        case .engine(let failure): return CommandFailure(failure, refusing: voice.title)
        default: return CommandFailure(error)
        }
    }

    /// A file may hold several voices; the id says which one is meant.
    private func refusal(_ flaw: VoiceFileFlaw) -> CommandFailure {
        let name = flaw.path.split(separator: "/").last.map(String.init) ?? flaw.path
        return CommandFailure(
            .unavailable, "\(name): \(flaw.error.words)",
            flaw.isOfVoice
                ? "If it holds several voices, say which one is meant: \(command) --id NAME; else put a whole one in its place."
                : "Put a whole one of the right kind in its place, then type: \(command)")
    }
}
