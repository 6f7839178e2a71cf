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
