/// Identifies a book, so that a folder with one book's chapters is not reused for a different book.
///
/// Different books can have the same title, and a different edition of a book can have a different title. An identifier
/// may be missing, be shared by many books ("1", the ISBN of a set, the default of a template), or change with each
/// conversion (calibre's UUID).
package struct BookIdentity: Codable, Equatable, Sendable {
    package let title: String
    package var authors: [String]
    /// The identifiers in the document, such as ISBN, DOI, UUID or URL.
    package var identifiers: [String]
    /// The document's file name, or nil if it is unknown. Used only for books that have no authors.
    package var file: String?

    package init(title: String, authors: [String] = [], identifiers: [String] = [], file: String? = nil) {
        self.title = title
        self.authors = authors
        self.identifiers = identifiers
        self.file = file
    }

    /// Whether this is the book for which a folder was created.
    ///
    /// * If both books have permanent identifiers and share none of them, they are different.
    /// * If the books share an identifier, they must also share an author or, if a book has no authors, have the same title.
    ///   Volumes with different numbers are different books.
    /// * Otherwise, both the title and the authors must match. For books without authors, both the title and the file
    ///   name must match.
    func isSame(as other: BookIdentity) -> Bool {
        let (own, others) = (Self.distinctive(identifiers), Self.distinctive(other.identifiers))
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

    /// The new record for a folder that was created for a different edition or conversion of this book. It contains all
    /// the information that distinguishes the book from other books.
    func continuing(_ earlier: BookIdentity) -> BookIdentity {
        let known = Self.distinctive(earlier.identifiers)
        let newIdentifiers = identifiers.filter { !Self.distinctive([$0]).isSubset(of: known) }
        return BookIdentity(
            title: Self.words(title).isEmpty ? earlier.title : title,
            authors: names.isEmpty ? earlier.authors : authors,
            identifiers: Array((earlier.identifiers + newIdentifiers).prefix(Self.maximumIdentifiers)),
            file: file ?? earlier.file)
    }

    /// The title, followed by the file name if the book has no authors.
    var shownTitle: String { authors.isEmpty ? file.map { "\(title) (\($0))" } ?? title : title }

    /// The authors as sets of words. The order of words is ignored: "Ann Lee" equals "Lee, Ann".
    private var names: Set<Set<String>> { Set(authors.map { Set(Self.words($0)) }.filter { !$0.isEmpty }) }

    /// Whether the books share an author. The author's given names may be abbreviated or missing in one of the books.
    private func sharesAuthor(with other: BookIdentity) -> Bool {
        names.contains { name in other.names.contains { Self.isSameAuthor(name, $0) } }
    }

    private static func isSameAuthor(_ one: Set<String>, _ other: Set<String>) -> Bool {
        // A name may consist of initials, such as "H. D.".
        if one == other { return true }
        let (fewer, more) = one.count < other.count ? (one, other) : (other, one)
        return !fewer.allSatisfy { $0.count == 1 } && !fewer.isDisjoint(with: more)
            && fewer.allSatisfy { word in
                more.contains { $0 == word || min($0.count, word.count) == 1 && $0.first == word.first }
            }
    }

    private static func isNumber(_ word: String) -> Bool { word.allSatisfy(\.isNumber) }

    /// The lowercase words, without punctuation.
    static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// The maximum number of identifiers, which is limited because each conversion of a book may add one.
    private static let maximumIdentifiers = 1000

    /// The minimum identifier length in bytes. Identifiers shorter than this may belong to several books.
    private static let shortest = 8

    /// The normalized identifiers that are long enough to be unique.
    private static func distinctive(_ identifiers: [String]) -> Set<String> {
        Set(
            identifiers.compactMap { text in
                var text = text.lowercased().filter { !$0.isWhitespace }
                for prefix in ["urn:", "isbn:", "isbn", "uuid:", "doi:", "https://doi.org/", "http://dx.doi.org/"]
                where text.hasPrefix(prefix) { text.removeFirst(prefix.count) }
                let digits = text.filter { $0 != "-" }
                // An ISBN may be written with or without hyphens.
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
