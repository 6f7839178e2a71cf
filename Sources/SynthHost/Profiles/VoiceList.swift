import LocatedJSON
import VoiceCatalogue

/// A list of voices in the configuration.
package enum VoiceList: String, CaseIterable, Sendable {
    case favourites, hidden

    /// A voice that is put on one of them is taken off the other.
    var other: VoiceList { self == .favourites ? .hidden : .favourites }

    /// The names of a list on the command line, "Heart, Amy", or of a list in JSON; nil if the text is neither.
    package static func names(in text: String) -> [String]? {
        if let node = try? JSONReader.read(Array(text.utf8)), case .array(let elements) = node.value {
            let names = elements.compactMap { if case .string(let name) = $0.value { name } else { nil } }
            return names.count == elements.count && names.allSatisfy(isName) ? names : nil
        }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.split(separator: " ").joined(separator: " ")
        }
        return names.allSatisfy(isName) ? names : nil
    }

    /// The same; also "none", for a list without any.
    package static func namesOrNone(in text: String) -> [String]? {
        text.lowercased() == "none" ? [] : names(in: text)
    }

    /// A list as `names(in:)` reads it, whatever characters the names have.
    package static func text(of names: [String]) -> String {
        JSONWriter.text(of: JSONNode(.array(names.map { JSONNode(.string($0)) })))
    }

    private static func isName(_ name: String) -> Bool { !name.isEmpty && GivenName.isOneLine(name) }
}
