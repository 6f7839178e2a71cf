/// Chapters by their numbers, as in "3", "3-7", "1,4-".
package struct ChapterChoice: Equatable, Sendable {
    private let parts: [ClosedRange<Int>]

    /// nil = it is not of this form, or a number is 0.
    package init?(_ text: String) {
        var parts: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingPrefix { $0 == " " } }
            guard let first = ends.first, let from = Self.number(first) else { return nil }
            guard ends.count == 2 else {
                parts.append(from...from)
                continue
            }
            guard let to = ends[1].isEmpty ? Int.max : Self.number(ends[1]), from <= to else { return nil }
            parts.append(from...to)
        }
        self.parts = parts
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), number > 0
        else {
            return nil
        }
        return number
    }

    /// Whether it means the chapter of a number, which counts from 1.
    package func contains(_ number: Int) -> Bool { parts.contains { $0.contains(number) } }
}
