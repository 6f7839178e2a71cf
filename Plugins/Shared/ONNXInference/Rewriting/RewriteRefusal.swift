/// Why a rewrite leaves a model as it is. Half a sentence, for the log.
struct RewriteRefusal: Error, Equatable, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
