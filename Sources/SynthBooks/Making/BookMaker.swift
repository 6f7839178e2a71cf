import Glibc
package import SynthAudio
package import SynthSpeech
package import SynthSystem

/// Makes a book. A later run resumes the work: files are kept if they are complete and their inputs are unchanged,
/// regardless of how the earlier run ended.
package struct BookMaker {
    /// Synthesizes a part, passes the audio to a sink on the calling thread and, if a path is given, writes its timings to a file. Blocks
    /// until the part is finished or cancelled.
    package typealias Speak = (
        _ part: BookPart, _ sink: any AudioSink, _ timings: String?, _ progress: (SpeechProgress) -> Void
    ) throws(SpeechError) -> SpeechSummary

    private let plan: BookPlan
    private let folder: BookWorkFolder
    private let isCancelled: @Sendable () -> Bool
    private let files: BookFiles

    /// - Parameters:
    ///   - inUse: files that must not be overwritten.
    ///   - isCancelled: checked between parts and while files are written.
    /// - Throws: `empty`, `file`, `otherBook` or `foreignFile`, before synthesis starts.
    package init(
        _ plan: BookPlan, sparing inUse: FilesInUse = FilesInUse(), isCancelled: @escaping @Sendable () -> Bool
    ) throws {
        guard !plan.chapters.isEmpty else { throw BookFailure.empty }
        self.plan = plan
        self.isCancelled = isCancelled
        folder = try BookWorkFolder(path: plan.target.workFolder)
        files = BookFiles(plan: plan, work: folder, inUse: inUse, isCancelled: isCancelled)
        try files.check()
    }

    /// Synthesizes the missing parts and writes the files. Blocks.
    ///
    /// - Parameters:
    ///   - speak: the function that synthesizes a part, or nil if every part must already exist.
    ///   - progress: called on the calling thread.
    package func make(
        _ speak: Speak?, _ progress: @escaping (BookProgress) -> Void
    ) throws -> BookOutcome {
        let lock = try folder.lock("book")
        defer { withExtendedLifetime(lock) {} }
        var outcome = BookOutcome()
        func add(_ file: BookFile) {
            progress(.file(file))
            outcome.files.append(file)
        }
        if plan.target.form == .file, let kept = files.keptBook() {
            add(kept)
            folder.removeParts(of: plan.chapters)
            return outcome
        }
        let missing = pending().flatMap(\.parts).filter { folder.wholePart($0, plan) == nil }
        if speak == nil, let first = missing.first {
            throw BookFailure.missing(count: missing.count, firstChapter: first.chapter)
        }
        if !missing.isEmpty, folder.isOfEarlierForm { progress(.restarted) }
        var words = SpokenWords(missing)
        let writer = BookWriter(files)
        defer { writer.end() }
        for chapter in plan.chapters {
            if plan.target.form == .folder, let kept = files.kept(chapter) {
                add(kept)
                continue
            }
            if let speak { outcome.seconds += try self.speak(chapter.parts, speak, &words, progress) }
            if isCancelled() { break }
            guard plan.target.form == .folder else { continue }
            // The next chapters are synthesized while this chapter is written.
            if let file = try writer.write(chapter) { add(file) }
        }
        if !isCancelled(), plan.target.form == .file {
            progress(.joining)
            if let file = try files.writeBook() { add(file) }
        }
        for file in try writer.rest() { add(file) }
        outcome.wasCancelled = isCancelled()
        if outcome.wasCancelled { return outcome }
        try files.finish()
        // An earlier run may have been unable to remove the parts of a finished file.
        let finished = Set(outcome.files.compactMap(\.chapter))
        folder.removeParts(of: plan.chapters.filter { plan.target.form == .file || finished.contains($0.number) })
        return outcome
    }

    /// Synthesizes the missing parts of a shard, but does not write the book's files. Blocks.
    package func make(
        _ shard: BookShard, _ speak: Speak, _ progress: @escaping (BookProgress) -> Void
    ) throws -> BookOutcome {
        // Other processes may synthesize their shards at the same time, but none may assemble the book.
        let lock = (try folder.lock("book", isShared: true), try folder.lock("shard-\(shard.number)-of-\(shard.count)"))
        defer { withExtendedLifetime(lock) {} }
        let pending = Set(pending().map(\.number))
        let missing = shard.own(of: plan.chapters.flatMap(\.parts)).filter { part in
            pending.contains(part.chapter) && folder.wholePart(part, plan) == nil
        }
        var words = SpokenWords(missing)
        var outcome = BookOutcome()
        outcome.seconds = try self.speak(missing, speak, &words, progress)
        outcome.wasCancelled = isCancelled()
        return outcome
    }

    private func pending() -> [BookChapter] {
        switch plan.target.form {
        case .folder: plan.chapters.filter { files.kept($0) == nil }
        case .file: files.keptBook() == nil ? plan.chapters : []
        }
    }

    /// - Returns: the new audio's duration in seconds.
    private func speak(
        _ parts: [BookPart], _ speak: Speak, _ words: inout SpokenWords, _ progress: @escaping (BookProgress) -> Void
    ) throws -> Double {
        var seconds = 0.0
        for part in parts where folder.wholePart(part, plan) == nil {
            if isCancelled() { break }
            let bytes = Double(max(1, part.text.utf8.count))
            let timings = plan.target.timings.map { folder.timingsPath(part, $0) }
            let summary = try EngineAttempts.run(unless: isCancelled) { () throws(SpeechError) in
                folder.remove(part)
                return try speak(part, SoundFileSink.raw(path: folder.soundPath(part)), timings) { event in
                    guard case .reached(let done, _) = event else { return }
                    words.reached(Double(part.words) * min(1, Double(done) / bytes), of: part)
                    progress(.spoken(words.share))
                }
            } failing: {
                .speech($0)
            }
            if summary.wasCancelled { return seconds }
            let format = summary.format ?? AudioFormat(sampleRate: 0, channels: 0)
            try folder.write(
                BookWorkFolder.PartRecord(
                    text: part.content, voice: plan.voice, frames: summary.frames, sampleRate: format.sampleRate,
                    channels: format.channels), of: part)
            seconds += summary.duration / .seconds(1)
            words.end(part, seconds: summary.duration / .seconds(1))
            progress(.spoken(words.share))
        }
        return seconds
    }
}

/// Writes chapter files, each on its own thread. The writer itself is not thread-safe.
private final class BookWriter {
    private typealias Outcome = Result<BookFile?, any Error>

    private let files: BookFiles
    /// The files being written, in order. Each monitor receives the outcome of one file.
    private var running: [Monitor<Outcome?>] = []

    /// The maximum number of files to write in parallel. Encoding takes many times longer than rule-based synthesis, so
    /// a single thread would be the bottleneck.
    private static let most = max(1, min(4, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))

    init(_ files: BookFiles) { self.files = files }

    /// Starts writing a chapter. If the maximum number of files is being written, waits for the oldest file first.
    ///
    /// - Returns: the file that the call waited for, or nil if it did not wait or if that chapter has no file.
    func write(_ chapter: BookChapter) throws -> BookFile? {
        let first = running.count < Self.most ? nil : try next()
        let outcome = Monitor<Outcome?>(nil)
        let work: @Sendable () -> Void = { [files] in
            let result: Outcome
            do { result = .success(try files.write(chapter)) } catch { result = .failure(error) }
            outcome.update { $0 = result }
        }
        running.append(outcome)
        if !startThread("book", work) { work() }
        return first
    }

    /// Waits for the files being written and returns them.
    func rest() throws -> [BookFile] {
        var files: [BookFile] = []
        while !running.isEmpty { if let file = try next() { files.append(file) } }
        return files
    }

    private func next() throws -> BookFile? { try running.removeFirst().wait { $0 }?.get() ?? nil }

    /// Waits for all writers so that no thread outlives the call.
    func end() { while !running.isEmpty { _ = try? next() } }
}

/// Retries synthesis if an engine fails, up to a limited number of attempts.
enum EngineAttempts {
    private static let most = 3

    /// - Parameter failure: wraps the error of the last attempt.
    static func run<Value>(
        unless isCancelled: () -> Bool, _ body: () throws(SpeechError) -> Value,
        failing failure: (SpeechError) -> BookFailure
    ) throws -> Value {
        var attempt = 1
        while true {
            do { return try body() } catch {
                guard error.isOfEngine, attempt < most, !isCancelled() else { throw failure(error) }
                attempt += 1
            }
        }
    }
}
