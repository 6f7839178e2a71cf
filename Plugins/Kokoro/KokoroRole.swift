/// The names of the files that a Kokoro voice needs, as the host knows them.
enum KokoroRole {
    static let model = "model"
    static let style = "style"
    static let lexicon = "lexicon"
    static let britishLexicon = "lexicon-gb"
}
