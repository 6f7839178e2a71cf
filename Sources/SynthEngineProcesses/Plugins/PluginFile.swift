package import SynthEngineWire
import SynthSystem

/// A file in a plugins folder, with the result of its scan.
package struct PluginFile: Equatable, Sendable {
    package var path: String
    package var verdict: Verdict

    package init(path: String, verdict: Verdict) {
        self.path = path
        self.verdict = verdict
    }

    /// The result of scanning a file.
    package enum Verdict: Equatable, Sendable {
        case usable(EngineDescription)
        /// An engine with the same ID in another file, `by`, takes precedence.
        case shadowed(EngineDescription, by: String)
        case unusable(EngineFailure.Reason)
        /// The file is a recognizer and not an engine.
        case recognizer
    }

    /// The engine's description, or nil if the engine is unusable.
    package var engine: EngineDescription? {
        if case .usable(let description) = verdict { description } else { nil }
    }

    /// Why the plugin is unusable, or nil if it is usable.
    package var failure: EngineFailure? {
        if case .unusable(let reason) = verdict { EngineFailure(engine: path, reason: reason) } else { nil }
    }

    /// Whether the file name matches an engine's ID: "libEspeakNG.so" matches "espeak-ng". This is needed if the engine
    /// could not be queried, because only its file name is then known.
    package func isNamed(after id: String) -> Bool {
        var name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if name.hasSuffix(".so") { name.removeLast(3) }
        let wanted = Self.letters(id)
        return [name, name.hasPrefix("lib") ? String(name.dropFirst(3)) : name].contains { Self.letters($0) == wanted }
    }

    private static func letters(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}

extension [PluginFile] {
    /// Why the engine with this ID is unusable, or nil if it is usable or does not exist.
    package func failure(of id: String) -> EngineFailure? {
        if contains(where: { $0.engine?.id == id }) { return nil }
        return lazy.filter { $0.isNamed(after: id) }.compactMap(\.failure).first
    }
}

/// A file in a plugins folder that is, or claims to be, a recognizer.
package struct RecognizerFile: Equatable, Sendable {
    package let path: String
    /// The result of scanning the file as a recognizer.
    package let verdict: Result<RecognizerDescription, EngineFailure>

    /// The description, or nil if the recognizer is unusable.
    package var description: RecognizerDescription? { try? verdict.get() }
}

/// A file that may be an engine or a recognizer.
package struct EngineFile: Equatable, Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// Queries the file's description, as an engine or a recognizer, in a separate worker. Blocks for up to the scan
    /// timeout.
    package func describe<Description: PluginDescription>(
        as _: Description.Type = EngineDescription.self, by program: WorkerProgram,
        limits: EngineLimits = EngineLimits()
    ) throws(EngineFailure) -> Description {
        let worker = try WorkerProcess(program: program, engineFile: path, as: Description.kind, onLog: { _, _ in })
        var bytes: [UInt8] = []
        var clock = RunningClock()
        var idle = IdleWatch(limits, now: clock.now())
        let isHung = { (limit: inout WaitLimit) in idle.isHung(worker, now: clock.now(), extending: &limit) }
        var limit = WaitLimit(limits.scan)
        var reply = try worker.ask(.describe, limit: limits.scan, .describing, unless: isHung)
        while true {
            switch reply {
            case .refused(let refusal): throw worker.failure(.refused(refusal))
            case .description(let part, let isLast):
                bytes += part
                guard bytes.count <= Self.longestDescription else {
                    throw worker.failure(.violatedProtocol(.describing))
                }
                if isLast {
                    do { return try Description(frameBytes: bytes[...]) } catch {
                        throw worker.failure(.violatedProtocol(.describing))
                    }
                }
            default: throw worker.failure(.violatedProtocol(.describing))
            }
            reply = try worker.answer(within: &limit, .describing, unless: isHung)
        }
    }

    private static let longestDescription = 32 << 20
}
