import Engines
import EngineWire
import ModelStore
import SynthHost

/// Has the engine speak with voices that are being added, before anybody counts on them.
struct VoiceTryOut {
    private let stock: VoiceStock
    private let cancellation: Cancellation
    /// What to type to try again.
    private let command: String

    init(_ stock: VoiceStock, _ cancellation: Cancellation, command: String) {
        self.stock = stock
        self.cancellation = cancellation
        self.command = command
    }

    /// Blocks until each has spoken. Throws why one cannot; then none of them should be kept.
    func run(_ voices: [InstalledVoice]) throws(CommandFailure) {
        guard let id = voices.first?.voice.engine,
            let engine = stock.plugins.lazy.compactMap({ stock.host.engine($0) })
                .first(where: { $0.description.id == id })
        else { throw CommandFailure(VoiceError.noEngine) }
        try cancellation.during({ engine.abandon() }) { () throws(CommandFailure) in
            for voice in voices { try speak(voice, engine, among: voices) }
        }
    }

    private func speak(
        _ added: InstalledVoice, _ engine: Engine, among voices: [InstalledVoice]
    ) throws(CommandFailure) {
        let voice: PreparedVoice
        do throws(VoiceError) {
            voice = try stock.host.prepare(VoiceChoice(voice: added.voice), of: engine.description, uncommitted: voices)
        } catch {
            throw CommandFailure(error)
        }
        do throws(EngineFailure) {
            let lane = try engine.openLane(on: voice.load)
            // Every language can say it.
            _ = try lane.speak(EngineRequest(.text("1"), language: voice.language, voices: voice.uses)) { _ in true }
        } catch {
            if cancellation.isRequested {
                throw CommandFailure(
                    .interrupted, "\(added.voice.title) was not added.", "To add it, run the same command again.")
            }
            throw failure(error, added.voice, voice, engine.description)
        }
    }

    private func failure(
        _ error: EngineFailure, _ voice: Voice, _ prepared: PreparedVoice, _ engine: EngineDescription
    ) -> CommandFailure {
        if let damage = DamagedVoice(error, prepared) {
            return damage.refusal(
                by: command, namesVoice: engine.roles.contains { $0.isOfVoice && damage.role == $0.name })
        }
        if case .complained(let complaint) = error.reason, complaint.kind == .failed {
            return CommandFailure(.unavailable, complaint.message)
        }
        var code = CommandFailure(error).code
        // What cannot be said in this voice cannot be said at all.
        if case .complained(let complaint) = error.reason, complaint.kind == .badRequest { code = .unavailable }
        return CommandFailure(
            code, "\(voice.title) was not added, because its engine cannot speak it. \(error.message)",
            error.log.map { "Get other files of it, or tell the engine's author. Its log: \($0)" }
                ?? "Get other files of it, or tell the engine's author.")
    }
}
