import Glibc
package import SynthAudio
import SynthJSON
package import SynthSpeech
package import SynthSystem

/// Makes an audio file for each item in a list. A later run resumes the work: files are kept if they are complete and
/// their inputs are unchanged, regardless of how the earlier run ended. Not thread-safe.
package final class BatchMaker {
    /// The output folder and the file format.
    package struct Target: Equatable, Sendable {
        package let folder: String
        package let format: SoundFileFormat
        /// The encoder quality, from 0 to 10.
        package let quality: Int
        /// The shard of the list that this process handles, or nil for the entire list.
        package let shard: BookShard?

        package init(folder: String, format: SoundFileFormat, quality: Int, shard: BookShard?) {
            self.folder = folder
            self.format = format
            self.quality = quality
            self.shard = shard
        }
    }

    /// A finished item.
    package struct FinishedItem: Equatable, Sendable {
        package let item: BatchItem
        /// The file's path, or nil if the text contained no speech.
        package let file: String?
        package let seconds: Double
        /// Whether the file was already complete before this run.
        package let isKept: Bool
    }

    /// Synthesizes an item's text and passes the audio to a sink on the calling thread. Blocks until the item is
    /// finished or cancelled.
    package typealias Speak = (BatchItem, any AudioSink) throws(SpeechError) -> SpeechSummary

    private let target: Target
    private let items: [BatchItem]
    private let inUse: FilesInUse
    private let isCancelled: @Sendable () -> Bool
    private let journal: BatchJournal
    /// Locks that allow other processes to work concurrently on other shards, but not on this one.
    private let locks: [HeldLock]
    private var made: [Int: FinishedItem] = [:]
    /// The items whose files are missing even though other processes should have made them.
    private var missing: [BatchItem] = []

    private static let manifest = "manifest.jsonl"

    /// - Parameters:
    ///   - items: the complete list.
    ///   - name: the name that identifies the list in the folder's records.
    ///   - inUse: files that must not be overwritten.
    ///   - isCancelled: checked between items.
    /// - Throws: `file`, `busy`, `otherBook` or `foreignFile`, before synthesis starts.
    package init(
        _ items: [BatchItem], named name: String, _ target: Target, sparing inUse: FilesInUse,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws {
        self.target = target
        self.items = items
        self.inUse = inUse
        self.isCancelled = isCancelled
        let work = try BookWorkFolder(path: target.folder.child(".synthhost-batch"))
        let share = target.shard.map { "\($0.number)-of-\($0.count)" } ?? "all"
        locks = [try work.lock("batch", isShared: target.shard != nil), try work.lock(share)]
        try work.claim(list: name)
        journal = try BatchJournal(folder: work.path, name: share)
        for name in own.map(fileName) + (target.shard == nil ? [Self.manifest] : [])
        where journal[name] == nil && FinishedFile.isThere(target.folder.child(name)) {
            throw BookFailure.foreignFile(path: target.folder.child(name))
        }
    }

    /// The items in this process's shard.
    package var own: [BatchItem] {
        guard let shard = target.shard else { return items }
        return items.enumerated().filter { $0.offset % shard.count == shard.number - 1 }.map(\.element)
    }

    /// Synthesizes the items that do not have a finished file yet. Reports progress for every item.
    ///
    /// - Parameters:
    ///   - speak: the function that synthesizes an item, or nil if every file must already exist.
    ///   - voice: returns the voice and settings for an item.
    /// - Throws: `text` if synthesis of an item fails; `file` or `audio` if a file cannot be read or written.
    package func make(
        _ items: [BatchItem], voice: (BatchItem) -> BookVoice, _ speak: Speak?, _ progress: (FinishedItem) -> Void
    ) throws {
        for item in items {
            if isCancelled() { return }
            let hash = hash(of: item, voice(item))
            let result: FinishedItem
            if let kept = try kept(item, hash) {
                result = kept
            } else if let speak {
                guard let spoken = try self.speak(item, hash, speak) else { return }
                result = spoken
            } else {
                missing.append(item)
                continue
            }
            made[item.line] = result
            progress(result)
        }
    }

    /// Writes a manifest to the output folder. It lists the ID, file, duration and text of each item, in list order.
    ///
    /// - Returns: the manifest's path, or nil if other processes handle other shards of the list.
    /// - Throws: `missingItems` or `file`.
    package func writeManifest() throws -> String? {
        struct Line: Encodable {
            let id: String
            let file: String?
            let seconds: Double
            let text: String
        }
        if let first = missing.map(\.line).min() {
            throw BookFailure.missingItems(count: missing.count, firstLine: first)
        }
        guard target.shard == nil else { return nil }
        let path = target.folder.child(Self.manifest)
        try inUse.check(path)
        var bytes: [UInt8] = []
        for made in items.compactMap({ made[$0.line] }) {
            let line = Line(
                id: made.item.id, file: made.file.map { _ in fileName(of: made.item) },
                seconds: (made.seconds * 1000).rounded() / 1000, text: made.item.text)
            guard let node = try? JSONNode(encoding: line) else { continue }
            bytes += Array("\(JSONWriter.line(of: node))\n".utf8)
        }
        try journal.add(BatchJournal.Entry(file: Self.manifest, hash: ContentHash(bytes).hexadecimal))
        try FinishedFile.write(bytes, to: path)
        return path
    }

    private func fileName(of item: BatchItem) -> String { "\(item.id).\(target.format.rawValue)" }

    private func path(of item: BatchItem) -> String { target.folder.child(fileName(of: item)) }

    private func hash(of item: BatchItem, _ voice: BookVoice) -> String {
        var hash = ContentHash(item.text.utf8)
        let settings = voice.settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        for word in [voice.engine, voice.engineVersion, voice.voice, target.format.rawValue, "\(target.quality)"]
            + settings
        {
            hash.add([0])
            hash.add(word.utf8)
        }
        return hash.hexadecimal
    }

    /// - Throws: `foreignFile` if the file was changed after it was completed.
    private func kept(_ item: BatchItem, _ hash: String) throws -> FinishedItem? {
        guard let entry = journal[fileName(of: item)], let seconds = entry.seconds else { return nil }
        if let size = FinishedFile.size(path(of: item)), size > 0, size != entry.size {
            throw BookFailure.foreignFile(path: path(of: item))
        }
        guard entry.hash == hash else { return nil }
        // After a power failure, the file may exist but be empty.
        guard entry.size == FinishedFile.size(path(of: item)) ?? 0 else { return nil }
        return FinishedItem(item: item, file: entry.size == 0 ? nil : path(of: item), seconds: seconds, isKept: true)
    }

    /// - Returns: nil if the work was cancelled, in which case no file is written.
    private func speak(_ item: BatchItem, _ hash: String, _ speak: Speak) throws -> FinishedItem? {
        let path = path(of: item)
        var entry = BatchJournal.Entry(file: fileName(of: item), hash: hash)
        // Write the entry first, so that a later run recognizes an incomplete file as part of this batch.
        try journal.add(entry)
        let made: SpeechSummary? = try EngineAttempts.run(unless: isCancelled) { () throws(SpeechError) in
            let options = SoundFileOptions(target.format, quality: target.quality)
            let sink = try rethrowing(options.sink(path: path, sparing: inUse), as: AudioError.asSpeechError)
            return try speak(item, DeferredFileSink(sink))
        } failing: {
            .text(line: item.line, $0)
        }
        guard let summary = made, !summary.wasCancelled else { return nil }
        // Delete any file from an earlier run, because it contains the speech for a different text.
        if summary.frames == 0 { unlink(path) }
        entry.size = try summary.frames == 0 ? 0 : Self.size(ofWritten: path)
        entry.seconds = summary.duration / .seconds(1)
        try journal.add(entry)
        return FinishedItem(
            item: item, file: summary.frames == 0 ? nil : path, seconds: summary.duration / .seconds(1), isKept: false)
    }

    /// Returns the size of a file for its journal entry. Without the size, the next run would assume that another
    /// program wrote the file.
    private static func size(ofWritten path: String) throws -> Int {
        var status = stat()
        _ = try rethrowing(Errno.check { stat(path, &status) }, as: BookFailure.ofFile(path))
        return Int(status.st_size)
    }
}

/// A sink that creates its file only once it has received all of the audio.
private final class DeferredFileSink: AudioSink {
    private let sink: any AudioSink
    private let isStopped = Monitor(false)

    init(_ sink: any AudioSink) { self.sink = sink }

    func begin(_ format: AudioFormat) throws(AudioError) { try sink.begin(format) }
    func write(_ samples: ArraySlice<Float>) throws(AudioError) {
        do {
            try sink.write(samples)
        } catch {
            // Delete the incomplete file, because the next run will write it again.
            sink.deleteIncompleteFile()
            throw error
        }
    }
    /// If the sink is released without a call to `finish`, an existing file is left unchanged.
    func finish() throws(AudioError) { if !isStopped.read({ $0 }) { try sink.finishOrDelete() } }
    func finishEarly() {}
    func stop() {
        isStopped.update { $0 = true }
        sink.stop()
    }
}
