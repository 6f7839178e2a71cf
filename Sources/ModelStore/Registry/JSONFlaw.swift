import FoundationEssentials

/// Where text stops being JSON.
enum JSONFlaw {
    /// The line, counted from 1, of the first flaw; found by the decoder's own word, which is the same on every run.
    static func line(in text: [UInt8]) -> Int? {
        struct Anything: Decodable {
            init(from decoder: any Decoder) {}
        }
        do {
            _ = try JSONDecoder().decode(Anything.self, from: Data(text))
            return nil
        } catch {
            guard case DecodingError.dataCorrupted(let context) = error else { return nil }
            let words = "\(context.underlyingError.map { "\($0)" } ?? "")"
            guard let start = words.firstRange(of: "around line ")?.upperBound else { return nil }
            return Int(words[start...].prefix { $0.isNumber })
        }
    }
}
