import SynthJSON
package import SynthSystem

/// What is remembered of a text that was read: a file for each text, named after its content, in the user's state folder.
package struct ReadingMemory: Codable, Equatable, Sendable {
    package var place = ReadPlace(block: 0)
    package var bookmarks: [ReadPlace] = []
    package var tempo = 1.0

    package init(place: ReadPlace = ReadPlace(block: 0), bookmarks: [ReadPlace] = [], tempo: Double = 1) {
        (self.place, self.bookmarks, self.tempo) = (place, bookmarks, tempo)
    }

    private static let largest = 1 << 20
    private static let mostBookmarks = 10_000

    private static func path(of text: ReadText, in state: String) -> String { "\(state)/reading/\(text.digest).json" }

    /// Of a text that was never read, or whose file is damaged: its beginning.
    ///
    /// - Parameter state: the user's state folder.
    package init(of text: ReadText, in state: String) {
        self.init()
        guard let bytes = try? readWholeFile(Self.path(of: text, in: state), limit: Self.largest),
            let known = try? JSONReader.read(bytes).decode(ReadingMemory.self)
        else { return }
        func isInText(_ place: ReadPlace) -> Bool { text.blocks.indices.contains(place.block) && place.byte >= 0 }
        if isInText(known.place) { place = known.place }
        bookmarks = Array(Set(known.bookmarks.filter(isInText).prefix(Self.mostBookmarks))).sorted()
        if ReadingPlayer.tempos.contains(known.tempo) { tempo = known.tempo }
    }

    /// The file is whole at any time, and readable for the user alone.
    package func save(of text: ReadText, in state: String) throws(Errno) {
        guard let node = try? JSONNode(encoding: self) else { return }
        let path = Self.path(of: text, in: state)
        makeFolder(of: path)
        try replaceFile(path, with: Array((JSONWriter.line(of: node, sortsKeys: true) + "\n").utf8))
    }
}
