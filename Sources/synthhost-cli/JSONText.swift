import FoundationEssentials
import LocatedJSON

/// Results as JSON.
enum JSONText {
    /// One line, keys in a fixed order.
    static func line(of value: some Encodable) throws(CommandFailure) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return JSONString.escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
        } catch {
            throw CommandFailure(.failure, "The result cannot be written as JSON: \(error).")
        }
    }
}
