import SynthCommandSyntax
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import SynthTerminal

/// `engines validate --fuzz`: sends random requests in chunks. Each chunk runs in a separate process and is identified
/// by its seed.
struct EnginesFuzz: CommandPart {
    let context: CommandContext
    private let validation: Validation
    private let file: String
    private let kinds: [PluginKind]

    init(_ context: CommandContext, _ validation: Validation, file: String) {
        self.context = context
        self.validation = validation
        self.file = file
        kinds = validation.kinds()
    }

    func run() throws {
        let first = arguments[ValidateOptions.seed] ?? UInt64.random(in: 0...UInt64(UInt32.max))
        let duration = arguments[ValidateOptions.duration] ?? .seconds(10)
        let reporter = context.reporter()
        reporter.begin("Sending random requests")
        defer { reporter.end() }
        let start = ContinuousClock.now
        var chunks = 0
        var requests = 0
        while true {
            let seed = first &+ UInt64(chunks)
            let (outcome, done) = try chunk(seed)
            chunks += 1
            requests = Int(clamping: Double(requests) + done)
            let elapsed = ContinuousClock.now - start
            guard outcome.verdict == .passed, elapsed < duration else {
                reporter.end()
                return try conclude(outcome, seed: seed, chunks: chunks, requests: requests)
            }
            reporter.report(.fraction(elapsed / duration))
        }
    }

    func reproduce(_ seed: UInt64) throws {
        let (outcome, done) = try chunk(seed)
        try conclude(outcome, seed: seed, chunks: 1, requests: Int(clamping: done))
    }

    /// Sends a chunk of requests to the engine or recognizer. If the file contains both, sends a chunk to each, and
    /// one of these chunks may be skipped, for example if model files are missing.
    ///
    /// - Returns: the first outcome that did not pass or, if all passed, the last outcome, with the number of requests.
    private func chunk(_ seed: UInt64) throws -> (CheckOutcome, requests: Double) {
        var requests = 0.0
        var last: CheckOutcome?
        var skipped: CheckOutcome?
        for kind in kinds {
            guard let outcome = validation.fuzz(seed: seed, as: kind) else {
                throw CommandFailure(.interrupted, "Stopped.")
            }
            if outcome.verdict == .skipped {
                skipped = skipped ?? outcome
                continue
            }
            requests += Self.requests(outcome)
            last = outcome
            if outcome.verdict != .passed { break }
        }
        if let last { return (last, requests) }
        guard let skipped else { throw CommandFailure(.interrupted, "Stopped.") }
        throw CommandFailure(
            .unavailable, skipped.words, "`synthhost engines validate \(ShellWord.quoted(file))` shows what is missing."
        )
    }

    private static func requests(_ outcome: CheckOutcome) -> Double {
        outcome.measurements.first { $0.name == "requests" }?.value ?? 0
    }

    private func conclude(_ outcome: CheckOutcome, seed: UInt64, chunks: Int, requests: Int) throws {
        let isGood = outcome.verdict == .passed
        let command = isGood ? nil : self.command(seed)
        if arguments[Options.json] {
            let result: JSONMembers = [
                "file": file, "chunks": chunks, "requests": requests, "verdict": outcome.verdict.word,
                "detail": outcome.words, "seed": seed, "command": command,
            ]
            try context.print(json: result)
        } else if let command {
            try context.print("\(outcome.verdict.word): \(outcome.words)")
            try context.print("Seed \(seed). To reproduce this chunk, type: \(command)")
        } else {
            try context.print("passed: random requests: \(requests), chunks: \(chunks), last seed: \(seed)")
        }
        switch outcome.verdict {
        case .passed, .warning, .skipped: return
        case .failed: throw CommandFailure(.failure, nil)
        case .crashed: throw CommandFailure(.engineCrashed, nil)
        }
    }

    /// The shell command that repeats a chunk.
    private func command(_ seed: UInt64) -> String {
        var words = ["synthhost", "engines", "validate", file]
        if let voice = arguments[ValidateOptions.voice] { words += ["--voice", voice] }
        for file in arguments[all: ValidateOptions.file] { words += ["--file", "\(file.role)=\(file.path)"] }
        words += ["--reproduce", String(seed)]
        return words.map(ShellWord.quoted).joined(separator: " ")
    }
}
