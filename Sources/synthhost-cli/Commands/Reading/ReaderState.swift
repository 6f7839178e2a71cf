import SynthDocuments
import SynthJSON
import SynthSystem
import SynthTerminal

/// The state of the reader as a value. Events change it and return effects, which the caller performs.
struct ReaderState {
    /// The current activity, as shown on the screen.
    enum Phase: Equatable, Sendable {
        case opening, loading, ready, speaking, paused, buffering, finished
        /// The requested voice is being downloaded.
        case downloading
        case failed(String)
        /// The requested voice is not installed.
        case voiceMissing

        var word: Phrase {
            switch self {
            case .opening: "Opening"
            case .loading: "Loading the voice"
            case .ready: "Ready"
            case .speaking: "Speaking"
            case .paused: "Paused"
            case .buffering: "Buffering"
            case .finished: "Finished"
            case .downloading: "Downloading the voice"
            case .failed: "Failed"
            case .voiceMissing: "Not downloaded"
            }
        }

        /// Whether audio is playing or will start soon.
        var isGoing: Bool { [.loading, .speaking, .buffering].contains(self) }
    }

    enum Event {
        case key(Key)
        case media(MediaCommand)
        /// The document has been read.
        case opened(ReadText, ReadingMemory)
        /// The entire text replaces its beginning. If the text does not extend the beginning, the event contains the
        /// new position and bookmarks.
        case completed(ReadText, ReadingMemory?)
        /// The title of the new voice.
        case voice(String)
        case status(place: ReadPosition, word: Range<Int>?, Phase, secondsPerByte: Double?)
        case failed(String)
        case voices([String], current: Int)
        /// A requested voice is not installed. The values are its title and its download size.
        case missing(String, size: String)
        /// The progress of the download, as a percentage, or nil if the download has ended.
        case downloading(Int?)
        /// How much of the remaining text has been saved, as a percentage, or nil if saving has ended.
        case saving(Int?)
        case note(String)
        /// Updates the clock.
        case tick
    }

    enum Effect: Equatable {
        case pause, resume, quit, interrupt, suspend, listVoices, download, remember, stopSaving
        case seek(ReadPosition)
        /// The seconds of playback at the current tempo.
        case skip(Double)
        case tempo(Double)
        /// The index in the list of voices.
        case chooseVoice(Int)
        /// Saves the text from a sentence to the end as an audio file.
        case save(String, from: ReadPosition)
    }

    /// A list, shown instead of the text, in which the user selects a row.
    struct List: Equatable {
        enum Kind: Equatable { case contents, bookmarks, voices, help }
        let kind: Kind
        let title: String
        let rows: [String]
        var selected: Int
    }

    /// A line of text input.
    struct Input: Equatable {
        enum Kind: Equatable { case search, save }
        let kind: Kind
        var text: String
        var prompt: Phrase { kind == .search ? "Search: " : "Save the remaining text as: " }
    }

    enum SleepTimer: Equatable {
        /// A time on the reader's clock, in seconds.
        case at(Double)
        /// The end of the chapter with this index.
        case chapter(Int)
    }

    /// The name to show if the text has no title.
    let name: String
    /// Translates the program's text into the user's language.
    let localized: PhraseBook
    var text: ReadText?
    var phase = Phase.opening
    var place = ReadPosition(block: 0)
    var word: Range<Int>?
    var tempo = 1.0
    var voice = ""
    var list: List?
    var input: Input?
    var bookmarks: [ReadPosition] = []
    var sleep: SleepTimer?
    var savedPercent: Int?
    var downloadedPercent: Int?
    /// The voice that `d` downloads, with its size.
    var offer: (voice: String, size: String)?
    var note = ""
    var now = 0.0
    var secondsPerByte: Double?
    /// The number of seeks so far.
    var jumps = 0
    var searched = ""
    /// The file name that the user last typed for saving the remaining text, or nil if it was accepted.
    var fileName: String?
    /// The name of the voice that the user chose for this text, or nil for the voice from the options or the
    /// configuration.
    var ownVoice: String?
    var wantsToQuit = false
    /// The last sentence that began to play.
    var spoken: ReadPosition?
    /// The last sentence in which playback ran out of buffered audio.
    var bufferedAt: ReadPosition?

    init(name: String, _ localized: PhraseBook = .english) { (self.name, self.localized) = (name, localized) }

    var isPaused: Bool { phase == .paused || phase == .ready }

    /// The values to restore in the next session.
    var memory: ReadingMemory {
        // If the text was read to the end, the next session starts at the beginning.
        let next = phase == .finished ? text?.firstSentence(from: 0) : nil
        return ReadingMemory(place: next ?? place, bookmarks: bookmarks, tempo: tempo, voice: ownVoice)
    }

    /// The position in the text, from 0 to 1.
    var progress: Double {
        guard let text, text.count > 0 else { return 0 }
        return phase == .finished ? 1 : Double(text.offset(of: place)) / Double(text.count)
    }

    /// The remaining playback time, or nil if it is unknown.
    var timeLeft: Duration? {
        guard let text, text.isWhole, phase != .finished else { return nil }
        let bytes = Double(text.count - text.offset(of: place))
        return .seconds(bytes * (secondsPerByte ?? ReadingPlayer.usualSecondsPerByte) / tempo)
    }

    /// - Parameter now: the seconds since the reader was started.
    mutating func take(_ event: Event, at now: Double) -> [Effect] {
        self.now = now
        switch event {
        case .key(let key): return press(key)
        case .media(let command): return take(command)
        case .opened(let text, let memory):
            self.text = text
            (place, bookmarks, tempo) = (text.sentence(memory.place), memory.bookmarks, memory.tempo)
            ownVoice = memory.voice
            phase = .loading
            if place > text.sentence(ReadPosition(block: 0)) {
                note = localized("Resumed where you left off. Press Home to go to the start of the chapter.")
            }
        case .completed(let whole, let moved):
            text = whole
            if let moved { (place, word, bookmarks, sleep) = (whole.sentence(moved.place), nil, moved.bookmarks, nil) }
            bookmarks = memory.within(whole).bookmarks
            if let list, list.kind == .contents {
                self.list = contents(whole, selected: moved == nil ? list.selected : whole.chapter(of: place.block))
            } else if list?.kind == .bookmarks {
                list = nil
                listBookmarks()
            }
        case .voice(let title):
            (voice, offer) = (title, nil)
            if [.opening, .voiceMissing, .downloading].contains(phase) { phase = .loading }
        case .status(let place, let word, let phase, let rate):
            return played(place, word, phase, rate)
        case .failed(let why): phase = .failed(why)
        case .voices(let rows, let current):
            list = List(kind: .voices, title: localized("Voices"), rows: rows, selected: current)
        case .missing(let title, let size):
            offer = (title, size)
            note = localized(
                "\(title) is not downloaded (\(size)). Press d to download it or v to choose a different voice.")
            if voice.isEmpty { phase = .voiceMissing }
        case .downloading(let percent):
            downloadedPercent = percent
            if voice.isEmpty { phase = percent == nil ? .voiceMissing : .downloading }
        case .saving(let percent):
            // The name was accepted, so the next file needs a new one.
            if percent != nil { fileName = nil }
            savedPercent = percent
        case .note(let text): note = text
        case .tick: break
        }
        return checkSleepTimer()
    }

    private mutating func played(
        _ place: ReadPosition, _ word: Range<Int>?, _ phase: Phase, _ rate: Double?
    ) -> [Effect] {
        (self.place, self.word, secondsPerByte) = (place, word, rate ?? secondsPerByte)
        // Without a voice, keep the current phase, which shows why the voice is missing.
        if voice.isEmpty { return [] }
        if phase == .speaking { spoken = place }
        if phase == .buffering { bufferedAt = place }
        self.phase = phase == .paused && spoken == nil ? .ready : phase
        return checkSleepTimer()
    }

    /// Pauses if the sleep timer has expired.
    private mutating func checkSleepTimer() -> [Effect] {
        guard let sleep, let text, phase.isGoing else { return [] }
        switch sleep {
        case .at(let time) where now >= time: break
        case .chapter(let number) where text.chapter(of: place.block) > number: break
        default: return []
        }
        self.sleep = nil
        note = localized("Paused by the sleep timer. Press Space to resume.")
        phase = .paused
        guard case .chapter = sleep, let start = text.firstSentence(from: place.block) else {
            return [.pause, .remember]
        }
        place = start
        return [.pause, .seek(start), .remember]
    }
}

/// The saved position, bookmarks, tempo and voice of a text. They are stored in the user's state folder, in a file named after the text's
/// digest.
struct ReadingMemory: Codable, Equatable, Sendable {
    var place = ReadPosition(block: 0)
    var bookmarks: [ReadPosition] = []
    var tempo = 1.0
    /// A voice name, as passed to `-v`, or nil if the user has not chosen a voice for this text.
    var voice: String?

    private static let largest = 1 << 20
    private static let maximumBookmarks = 10_000

    private static func path(_ digest: String, in state: String) -> String { "\(state)/reading/\(digest).json" }
}

extension ReadingMemory {
    /// Reads the file for the digest of a text, without checking that the positions are in the text. If the file does
    /// not exist or is damaged, the position is the start of the text.
    ///
    /// - Parameter state: the user's state folder.
    init(digest: String, in state: String) {
        self.init()
        guard let bytes = try? readWholeFile(Self.path(digest, in: state), limit: Self.largest),
            let known = try? JSONReader.read(bytes).decode(ReadingMemory.self)
        else { return }
        (place, bookmarks) = (known.place, Array(known.bookmarks.prefix(Self.maximumBookmarks)))
        voice = known.voice
        if ReadingPlayer.tempos.contains(known.tempo) { tempo = known.tempo }
    }

    /// Returns a copy without the positions that are not in the text.
    func within(_ text: ReadText) -> ReadingMemory {
        func isInText(_ place: ReadPosition) -> Bool {
            text.blocks.indices.contains(place.block)
                && (0...text.blocks[place.block].text.utf8.count).contains(place.byte)
        }
        return ReadingMemory(
            place: isInText(place) ? place : ReadPosition(block: 0),
            bookmarks: Array(Set(bookmarks.filter(isInText))).sorted(), tempo: tempo, voice: voice)
    }

    /// Replaces the file atomically.
    func save(of text: ReadText, in state: String) throws(Errno) {
        guard let node = try? JSONNode(encoding: self) else { return }
        let path = Self.path(text.digest, in: state)
        makeFolder(of: path)
        try replaceFile(path, with: Array((JSONWriter.line(of: node, sortsKeys: true) + "\n").utf8))
    }
}

/// Computes a file name from a text: the 64-bit FNV-1a hash and the size in bytes. The name is not a cryptographic digest, but
/// is sufficient to tell the texts of one user apart.
struct TextDigest {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    private var count = 0

    mutating func add(_ text: some Collection<UInt8>) {
        for byte in text { add(UInt64(byte)) }
        // Include the boundaries between blocks in the hash.
        add(UInt64(0xFF))
        count += text.count
    }

    /// Adds the contents of a file, eight bytes at a time, because the file may be long.
    mutating func add(file bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            let end = bytes.count & ~7
            for offset in stride(from: 0, to: end, by: 8) {
                add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            for byte in bytes[end...] { add(UInt64(byte)) }
        }
        count += bytes.count
    }

    private mutating func add(_ value: UInt64) { hash = (hash ^ value) &* 0x100_0000_01b3 }

    var words: String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + "-\(count)"
    }
}
