/// What the times of a speech belong to.
package enum TimingsKind: String, Hashable, Sendable {
    case words, sentences
}
