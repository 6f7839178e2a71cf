/// What tells a book from others, so that a folder with the chapters of one is not taken for that of another.
///
/// Two books of one title are common, and an edition may have another title. An identifier may be missing, be the same in many books
/// ("1", the ISBN of a set, what a template came with), or change with each conversion (calibre's UUID).
package struct BookIdentity: Codable, Equatable, Sendable {
    package let title: String
    package var authors: [String]
    /// As the document gives them: ISBN, DOI, UUID, addresses.
    package var identifiers: [String]
    /// The name of the document's file, which counts only if there are no authors. nil = not known.
    package var file: String?

    package init(title: String, authors: [String] = [], identifiers: [String] = [], file: String? = nil) {
        self.title = title
        self.authors = authors
        self.identifiers = identifiers
        self.file = file
    }

    /// Whether this is the same book as the one that a folder was begun for.
    ///
    /// * If both have lasting identifiers and none in common, they are two books.
    /// * With an identifier in common, the title may have changed if the books share an author, and the authors may be missing if the
    ///   title is the same. Volumes with different numbers are different books.
    /// * Otherwise title and authors must be the same, or title and file name if there are no authors.
    func isSame(as other: BookIdentity) -> Bool {
        let (own, others) = (Self.telling(identifiers), Self.telling(other.identifiers))
        let (lasting, othersLasting) = (own.filter { !Self.isUUID($0) }, others.filter { !Self.isUUID($0) })
        if !lasting.isEmpty, !othersLasting.isEmpty, lasting.isDisjoint(with: othersLasting) { return false }
        let (words, othersWords) = (Self.words(title), Self.words(other.title))
        if !own.isDisjoint(with: others) {
            let (numbers, othersNumbers) = (words.filter(Self.isNumber), othersWords.filter(Self.isNumber))
            if !numbers.isEmpty, !othersNumbers.isEmpty, numbers != othersNumbers { return false }
            return names.isEmpty || other.names.isEmpty ? words == othersWords : sharesAuthor(with: other)
        }
        guard words == othersWords, names == other.names else { return false }
        guard names.isEmpty, let file, let otherFile = other.file else { return true }
        return file == otherFile
    }

    /// The record of a folder from now on, if this book continues in one that was begun for another edition or conversion. It loses
    /// nothing that tells the book from others.
    func continuing(_ earlier: BookIdentity) -> BookIdentity {
        let known = Self.telling(earlier.identifiers)
        let news = identifiers.filter { !Self.telling([$0]).isSubset(of: known) }
        return BookIdentity(
            title: Self.words(title).isEmpty ? earlier.title : title,
            authors: names.isEmpty ? earlier.authors : authors,
            identifiers: Array((earlier.identifiers + news).prefix(Self.mostIdentifiers)), file: file ?? earlier.file)
    }

    /// With the file's name if there are no authors that tell it from others.
    var shownTitle: String { authors.isEmpty ? file.map { "\(title) (\($0))" } ?? title : title }

    /// An author may be written "Ann Lee" or "Lee, Ann".
    private var names: Set<Set<String>> { Set(authors.map { Set(Self.words($0)) }.filter { !$0.isEmpty }) }

    /// Whether one author is in both, perhaps with initials for the given names or without them.
    private func sharesAuthor(with other: BookIdentity) -> Bool {
        names.contains { name in other.names.contains { Self.isSameAuthor(name, $0) } }
    }

    private static func isSameAuthor(_ one: Set<String>, _ other: Set<String>) -> Bool {
        let (fewer, more) = one.count < other.count ? (one, other) : (other, one)
        return !fewer.allSatisfy { $0.count == 1 } && !fewer.isDisjoint(with: more)
            && fewer.allSatisfy { word in
                more.contains { $0 == word || min($0.count, word.count) == 1 && $0.first == word.first }
            }
    }

    private static func isNumber(_ word: String) -> Bool { word.allSatisfy(\.isNumber) }

    /// In small letters, without punctuation.
    static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Each conversion of a book may bring another one.
    private static let mostIdentifiers = 1000

    /// In bytes, with a digit: a shorter one is a number that others use, too.
    private static let shortest = 8

    /// Those that are long enough to be of one book, without the spelling that differs from one file to the next.
    private static func telling(_ identifiers: [String]) -> Set<String> {
        Set(
            identifiers.compactMap { text in
                var text = text.lowercased().filter { !$0.isWhitespace }
                for prefix in ["urn:", "isbn:", "isbn", "uuid:", "doi:", "https://doi.org/", "http://dx.doi.org/"]
                where text.hasPrefix(prefix) { text.removeFirst(prefix.count) }
                let digits = text.filter { $0 != "-" }
                // An ISBN is written with dashes or without.
                if [10, 13].contains(digits.count), digits.dropLast().allSatisfy(\.isNumber) { text = digits }
                let isZero = text.allSatisfy { "0-".contains($0) }
                return text.utf8.count >= shortest && text.contains(where: \.isNumber) && !isZero ? text : nil
            })
    }

    private static func isUUID(_ text: String) -> Bool {
        text.split(separator: "-", omittingEmptySubsequences: false).map(\.count) == [8, 4, 4, 4, 12]
            && text.allSatisfy { $0 == "-" || $0.isHexDigit }
    }
}
