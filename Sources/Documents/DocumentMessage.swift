/// What the program that reads documents says, a line of JSON each. The last is `done` or `failed`.
package enum DocumentMessage: Codable, Equatable, Sendable {
    case head(Head)
    case chapter(Document.Chapter)
    case done
    case failed(DocumentFailure)

    /// What is known of a document besides its chapters.
    package struct Head: Codable, Equatable, Sendable {
        package var title: String?
        package var authors: [String]
        package var language: String?
        /// A picture of the cover.
        package var cover: Document.Picture?

        package init(title: String? = nil, authors: [String] = [], language: String? = nil) {
            self.title = title
            self.authors = authors
            self.language = language
        }
    }
}

/// What of a document is read only if it is wanted. The raw value is the word for the program that reads documents.
package enum DocumentExtra: String, CaseIterable, Sendable {
    /// The picture of its cover.
    case cover
    /// Its notes, each where the text refers to it first.
    case notes
}
