import SynthEngineWire
import SynthSystem

/// The rules for every program that a starter agrees to start, regardless of the request.
enum Admission {
    // The letter has two encodings: the strings are equal, but they name two different folders.
    private static let worker = "/lib/synthhost-\u{E9}/worker"
    private static let fetcher = "/lib/synthhost-\u{E9}/fetch"
    private static let reader = "/lib/synthhost-\u{E9}/read"

    static func violations(of start: ProgramStart) -> [String] {
        [start.program, worker, fetcher, reader].flatMap { program in
            var start = start
            start.program = program
            return EngineConfinement.allCases.flatMap { violations(of: start, $0) }
        }
    }

    static func violations(ofArguments arguments: [[UInt8]]) -> [String] {
        violations(of: ProgramStart(program: worker, arguments: arguments))
    }

    private static func violations(of start: ProgramStart, _ confinement: EngineConfinement) -> [String] {
        let starter = WorkerStart(worker: worker, fetcher: fetcher, reader: reader, confinement: confinement)
        guard let admitted = starter.admitted(start) else { return [] }
        var found: [String] = []
        if starter.admitted(admitted) != admitted { found.append("\(admitted) is changed when it is admitted") }
        if ProgramStart(bytes: admitted.bytes[...]) != admitted {
            found.append("\(admitted) is changed when it is sent")
        }
        var same = admitted
        same.arguments = start.arguments
        if same != start { found.append("\(start) became \(admitted)") }
        switch Array(admitted.program.utf8) {
        case Array(fetcher.utf8), Array(reader.utf8):
            if admitted != start { found.append("a fetch or read that differs from the request: \(admitted)") }
        case Array(worker.utf8): found += violations(ofWorker: admitted.arguments, confinement, asked: start.arguments)
        default: found.append("an unknown program: \(admitted.program.debugDescription)")
        }
        return found
    }

    private static func violations(
        ofWorker arguments: [[UInt8]], _ confinement: EngineConfinement, asked: [[UInt8]]
    ) -> [String] {
        let texts = arguments.compactMap { String(validating: $0, as: UTF8.self) }
        guard texts.count == arguments.count, let admitted = WorkerArguments(words: texts) else {
            return ["invalid worker arguments: \(texts)"]
        }
        var wanted = WorkerArguments(words: asked.map { String(decoding: $0, as: UTF8.self) })
        wanted?.confinement = confinement
        wanted?.landlock = nil
        var found = admitted == wanted ? [] : ["\(texts) differs from the request"]
        if admitted.confinement != confinement || admitted.landlock != nil {
            found.append("weaker confinement: \(texts)")
        }
        if admitted.file.utf8.first != UInt8(ascii: "/") { found.append("a relative path: \(admitted.file)") }
        return found + admitted.allowed.flatMap(violations(of:))
    }

    /// The kernel compares bytes, not characters, so a combining accent after a slash does not hide the slash.
    static func violations(of need: EngineNeed.Kind) -> [String] {
        guard let path = need.path.map({ Array($0.utf8) }) else { return [] }
        let parts = path.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
        let isPlain =
            path.first == UInt8(ascii: "/") && !parts.contains(".") && !parts.contains("..") && !path.contains(0)
        let isHeld =
            if case .device = need {
                parts.count > 1 && parts[0] == "dev" && !["shm", "mqueue"].contains(parts[1])
            } else { true }
        return isPlain && isHeld ? [] : ["a need with an invalid path: \(need.word.debugDescription)"]
    }
}
