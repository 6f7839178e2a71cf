import LocatedJSON

/// A list of voices as JSON, written in pieces: a client that takes them slowly does not keep the whole text in memory.
struct VoiceListText {
    let voices: [LibraryEntry]
    let chosen: String?
    let words: ServiceWords

    /// In bytes, about.
    private static let piece = 16 << 10

    /// Writes one line, without its end.
    func write(_ write: ([UInt8]) throws(WebFailure) -> Void) throws(WebFailure) {
        var text = Array("{\"voices\":[".utf8)
        for (place, voice) in voices.enumerated() {
            if place > 0 { text.append(UInt8(ascii: ",")) }
            text += JSONWriter.line(of: voice.json(words)).utf8
            if text.count < Self.piece { continue }
            try write(text)
            text = []
        }
        text += Array("],\"chosen\":\(chosen.map(JSONString.quoted) ?? "null")}".utf8)
        try write(text)
    }
}
