import Glibc
import TestSupport

/// `sd_synthhost`, as used by speech-dispatcher.
final class ChaosModule: ChaosFrontEnd {
    private let module: ModuleProcess

    init(_ home: UserHome) throws {
        // Disable the separate voice for the first words.
        try home.write("FirstWords wait\n", to: "module.conf")
        module = try ModuleProcess(home, options: home.file("module.conf"))
        try module.start()
        _ = try module.ask("SET")
        guard try module.ask("synthesis_voice=Moody\n.") == "203 OK SETTINGS RECEIVED" else {
            throw ChaosProblem(description: "The module rejected a setting.")
        }
    }

    var process: Int32? { module.process.identifier }

    func speak(_ text: String, fails: Bool) throws -> LegibleSound {
        let events = try module.speak("<speak>\(text)</speak>")
        guard events.last?.code == "702" else {
            throw ChaosProblem(description: "The message ended with \(events.last?.last ?? "nothing").")
        }
        return LegibleSound(events.flatMap(\.sound).map { Float($0) / 32768 }, perLetter: 320)
    }

    func end() throws {
        try module.send("QUIT\n")
        let result = try module.process.finish(within: .seconds(300))
        guard result.code == 0 else {
            throw ChaosProblem(description: "The module exited with \(result): \(result.errors)")
        }
    }
}
