package import System

/// The command line of a worker program that hosts no engine and starts others instead: `start CONFINEMENT WORKER FETCHER`.
package struct WorkerStart: Equatable, Sendable {
    private static let word = "start"
    /// The program itself, absolute.
    private let worker: String
    private let fetcher: String
    private let confinement: EngineConfinement

    package init(worker: String, fetcher: String, confinement: EngineConfinement) {
        self.worker = absolutePath(worker)
        self.fetcher = absolutePath(fetcher)
        self.confinement = confinement
    }

    package var words: [String] { [Self.word, confinement.rawValue, worker, fetcher] }

    /// nil if they are not those of a starter.
    package init?(words: [String]) {
        guard words.count == 4, words[0] == Self.word, let confinement = EngineConfinement(rawValue: words[1]),
            words[2].hasPrefix("/"), words[3].hasPrefix("/")
        else { return nil }
        self.init(worker: words[2], fetcher: words[3], confinement: confinement)
    }

    /// What is asked for, as it may be done: one of the two programs, and no engine behind lower walls than this was started with.
    package func admitted(_ start: ProgramStart) -> ProgramStart? {
        // Strings that are written otherwise can be equal, but name other files.
        if start.program.utf8.elementsEqual(fetcher.utf8) { return start }
        let texts = start.arguments.compactMap { String(validating: $0, as: UTF8.self) }
        guard start.program.utf8.elementsEqual(worker.utf8), texts.count == start.arguments.count,
            var arguments = WorkerArguments(words: texts), arguments.file.hasPrefix("/")
        else { return nil }
        arguments.confinement = confinement
        arguments.landlock = nil
        var start = start
        start.arguments = arguments.words.map { Array($0.utf8) }
        return start
    }
}
