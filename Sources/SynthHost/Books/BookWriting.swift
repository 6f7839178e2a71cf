import Glibc
import SynthAudio
package import SynthBooks
package import SynthCatalogue
package import SynthDocuments
package import SynthSpeech
public import SynthSystem
import SynthUserVoices

/// An audiobook that is being created: `for try await event in writing`.
///
/// Leaving the loop, cancelling its task or calling `cancel()` stops the work. Finished parts are kept for the next
/// call. The sequence can be read only once. If the loop ends without an error, the book is complete.
public struct BookWriting: AsyncSequence, Sendable {
    /// An event that occurs while an audiobook is being created.
    @nonexhaustive
    public enum Event: Sendable {
        /// The fraction of the words spoken so far, from 0 to 1. Parts that were finished earlier are not counted.
        case progress(Double)
        /// A finished file.
        case file(File)
    }

    /// A file of the audiobook.
    public struct File: Hashable, Sendable {
        /// The file's path.
        public let path: String
        /// The chapter's number, or nil if the file contains the entire book.
        public let chapter: Int?
        /// The duration of the audio.
        public let duration: Duration
        /// Whether the file was complete before this call.
        public let wasKept: Bool
    }

    public typealias Element = Event
    public typealias Failure = SpeechError

    private let run: EventRun<Event>

    init(_ book: SpeechBook, to path: String, by session: SpeechSession, _ options: BookOptions) {
        run = EventRun("book") { run throws(SpeechError) in
            do {
                try Self.write(book, to: path, by: session, options, run)
            } catch let error as any ErrorCause {
                throw SpeechError(error)
            } catch {
                throw SpeechError(BookFailure.file(path: path, error as? Errno ?? .invalid))
            }
        }
    }

    /// Stops creating the audiobook. No more events arrive. Can be called from any thread; does not block.
    public func cancel() { run.cancel() }

    /// Waits until the book is complete.
    ///
    /// - Returns: the files, in order.
    /// - Throws: the same errors as the loop.
    @discardableResult
    public func finish() async throws(SpeechError) -> [File] {
        var files: [File] = []
        for try await case .file(let file) in self { files.append(file) }
        return files
    }

    public func makeAsyncIterator() -> Iterator { Iterator(lease: EventLease(run)) }

    /// Iterates over the events.
    public struct Iterator: AsyncIteratorProtocol {
        let lease: EventLease<Event>

        /// Returns the next event, or nil after the last event.
        ///
        /// - Throws: `cancelled` as soon as the creation is cancelled; `alreadyRead` if another iterator has read events; an error such as
        ///   `voiceUnknown` for the voice of a character; or an error if an engine or a file fails.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SpeechError) -> Event? {
            try await lease.next(isolation: actor)
        }
    }

    /// Creates the audiobook. Called on a separate thread.
    private static func write(
        _ book: SpeechBook, to path: String, by session: SpeechSession, _ options: BookOptions, _ run: EventRun<Event>
    ) throws {
        let target = try BookTarget(at: path, options)
        let settings = { @Sendable (speaker: SpeechSession) -> SpeechSettings in
            session.settings(options.speech, of: speaker)
        }
        var cast: BookCast?
        if !options.voices.isEmpty {
            var found = BookCast(of: [])
            for (character, name) in options.voices { found.speakers[character] = BookCast.Role(voice: name) }
            for name in found.voices {
                let voice = try book.backend.session(try book.backend.voice(VoiceQuery(name: name)))
                found.describe(name, voice.voice.choice, versions: [voice.engine.version], settings(voice))
            }
            cast = found
        }
        let chosen = book.document.chosen(skipsFrontMatter: options.skipsFrontMatter) {
            options.chapters?.contains($0) ?? true
        }
        var plan = BookPlan(
            book.document, path: book.path, modified: book.modified, chosen: chosen,
            languages: DocumentLanguages(book.language, isFixed: true), cast: cast,
            by: session, settings(session), target)
        if let title = options.title { plan.title = title.isEmpty ? nil : title }
        plan.authors = options.authors ?? plan.authors
        let maker = try BookMaker(plan, sparing: book.backend.inUse) { run.isCancelled }
        let shared = session.cast()
        let outcome = try waitingForEarlierCall(run) {
            try maker.make(
                { part, sink, timings, progress throws(SpeechError) in
                    let timings = try timings.map { path throws(SpeechError) in try TimingsFile(path: path) }
                    let source = try ScriptSource(try part.spoken())
                    let speech = session.speak(source, cast: shared, settings)
                    run.stopping { speech.cancel() }
                    return try speech.deliver(to: sink, timings: timings, progress)
                },
                { progress in
                    switch progress {
                    case .spoken(let share):
                        run.tell(
                            .progress(share.total == 0 ? 1 : share.words / Double(share.total)), ifMany: .isLeftOut)
                    case .file(let file):
                        run.tell(
                            .file(
                                File(
                                    path: file.path, chapter: file.chapter, duration: .seconds(file.seconds),
                                    wasKept: file.isKept)))
                    case .restarted, .joining: break
                    }
                })
        }
        if outcome.wasCancelled { throw SpeechError.cancelled }
    }

    /// Retries for a few seconds while the book is busy, because a cancelled call takes a moment to end.
    private static func waitingForEarlierCall<Value>(_ run: EventRun<Event>, _ body: () throws -> Value) throws -> Value
    {
        let deadline = ContinuousClock.now + .seconds(5)
        while true {
            do { return try body() } catch BookFailure.busy(let folder) {
                guard ContinuousClock.now < deadline, !run.isCancelled else { throw BookFailure.busy(folder: folder) }
                _ = Monitor(()).wait(timeout: .milliseconds(50)) { _ -> Bool? in nil }
            }
        }
    }
}

extension BookTarget {
    /// Extensions of audio formats that synthhost cannot write. A path with such an extension is not meant to be a
    /// folder.
    private static let unsupported: Set = ["aac", "aiff", "m4a", "mka", "mp4", "webm", "wma"]

    /// Chooses the form of the audiobook from the path's extension: a single file for the extension of a supported
    /// format, and otherwise a folder. Throws for the extension of an unsupported audio format.
    fileprivate init(at path: String, _ options: BookOptions) throws {
        let ending = isFolder(path) ? nil : SoundFileFormat.ending(of: path)?.lowercased()
        if let ending, Self.unsupported.contains(ending) { throw AudioError.endingUnknown(path: path) }
        let asked = options.format.flatMap { SoundFileFormat(rawValue: $0.rawValue) }
        let named = ending.flatMap(SoundFileFormat.init(ending:))
        if let asked, let named, asked != named {
            throw AudioError.endingContradicts(path: path, ending: named, asked: asked)
        }
        var container = Container.sound
        if ending == "epub" { container = .epub }
        if ending == "m4b" {
            guard let found = ProcessEnvironment.program("ffmpeg") else {
                throw BookFailure.converter(reason: "it is not installed.")
            }
            container = .audiobook(ffmpeg: found)
        }
        let format =
            switch container {
            case .sound: named ?? asked ?? .opus
            case .epub: SoundFileFormat.mp3
            case .audiobook: SoundFileFormat.flac
            }
        self.init(
            path: path, form: named == nil && container == .sound ? .folder : .file, format: try format.orMissing(),
            quality: min(max(options.quality, 0), 10), loudness: .usual, container: container)
    }
}

extension BookCast {
    /// Stores a description of a voice and of everything else that affects its audio, for the records of finished
    /// parts.
    ///
    /// - Parameter versions: the versions of the voice's engines.
    package mutating func describe(
        _ name: String, _ choice: VoiceChoice, versions: [String], _ settings: SpeechSettings
    ) {
        let shares = choice.shares.map { "\($0.voice.engine)/\($0.voice.id)/\($0.speaker ?? "")*\($0.weight)" }
        let tuning =
            "\(settings.rate) \(settings.pitch) \(settings.volume.factor) \(settings.pauses)"
            + (settings.isWhispered ? " whispered" : "")
        described[name] = (shares + versions + [tuning]).joined(separator: " ")
    }
}

extension BookPlan {
    /// Creates the plan for a document, with the document's title, authors and cover.
    ///
    /// - Parameters:
    ///   - modified: the document's modification time, in seconds since 1970.
    ///   - session: the narrator.
    package init(
        _ document: Document, path: String, modified: Int, chosen: [(number: Int, chapter: Document.Chapter)],
        languages: DocumentLanguages, cast: BookCast?, by session: SpeechSession, _ settings: SpeechSettings,
        _ target: BookTarget
    ) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        self.init(
            identity: BookIdentity(
                title: document.title ?? name, authors: document.authors, identifiers: document.identifiers ?? [],
                file: name),
            title: document.title.flatMap { $0.isEmpty ? nil : $0 }, authors: document.authors,
            cover: document.cover.map { SoundFileTags.Picture(type: $0.type, bytes: $0.bytes) },
            chapterCount: document.chapters.count,
            chapters: chosen.map { BookChapter($0.chapter, number: $0.number, languages: languages, cast: cast) },
            voice: BookVoice(
                session, settings, lexicon: BookVoice.sum(of: settings.lexicon), timings: target.timings),
            pauses: settings.pauses.atRate(settings.rate),
            target: target)
        language = document.language.flatMap { $0.isEmpty ? nil : $0 } ?? session.voice.language
        narrator = session.voice.choice.title
        self.modified = modified
    }
}

extension BookVoice {
    /// Collects all settings that affect the audio of a text.
    ///
    /// - Parameters:
    ///   - lexicon: the result of `sum` for the settings' lexicon.
    ///   - timings: the source of the timings.
    package init(
        _ session: SpeechSession, _ settings: SpeechSettings, lexicon: String, timings: String? = nil
    ) {
        let shares = session.voice.choice.shares.map { "\($0.voice.id)/\($0.speaker ?? "")*\($0.weight)" }
        var words = [
            "rate": "\(settings.rate)", "pitch": "\(settings.pitch)", "volume": "\(settings.volume.factor)",
            "variation": "\(settings.variation)", "language": settings.language ?? "",
            "verbatim": "\(settings.isVerbatim)", "keepsVoice": "\(settings.keepsVoice)",
        ]
        if settings.isWhispered { words["whispered"] = "true" }
        if settings.intonation != 1 { words["intonation"] = "\(settings.intonation)" }
        words["pauses"] = "\(settings.pauses.sentence) \(settings.pauses.paragraph) \(settings.pauses.heading)"
        // Included only for speech with timings.
        words["timings"] = timings
        words["lexicon"] = lexicon
        self.init(
            engine: session.engine.id, engineVersion: session.engine.version, voice: shares.joined(separator: "+"),
            settings: words)
    }

    /// Returns the checksums of the lexicon's files.
    package static func sum(of lexicon: SpeechLexicon?) -> String {
        (lexicon?.paths ?? []).map { path in
            // The lexicon has just been read, so reading it again is unlikely to fail.
            let bytes = (try? readWholeFile(path, limit: 64 << 20)) ?? []
            return "\(bytes.count) \(ContentHash(bytes).hexadecimal)"
        }.joined(separator: " ")
    }
}
