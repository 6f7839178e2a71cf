/// Something to say, as the server sends it.
struct ModuleMessage: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// SSML.
        case text
        /// One character; "space" for a blank.
        case character
        /// The name of a key: "shift_a".
        case key
        /// The name of a sound.
        case icon
    }

    let kind: Kind
    let text: String
}
