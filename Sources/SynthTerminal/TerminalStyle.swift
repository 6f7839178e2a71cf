import Glibc

/// The capabilities of an output stream.
package struct TerminalStyle: Equatable, Sendable {
    package var isTerminal: Bool
    package var allowsColor: Bool
    /// Whether lines may be redrawn in place.
    package var allowsAnimation: Bool

    package init(isTerminal: Bool, allowsColor: Bool, allowsAnimation: Bool) {
        self.isTerminal = isTerminal
        self.allowsColor = allowsColor
        self.allowsAnimation = allowsAnimation
    }

    /// The style for a file or pipe, without color or animation.
    package static let plain = TerminalStyle(isTerminal: false, allowsColor: false, allowsAnimation: false)

    package static let plainVariable = "SYNTHHOST_PLAIN"

    /// Whether the user wants lines that are never redrawn: true if `SYNTHHOST_PLAIN` is set and is neither empty nor
    /// "0".
    package static func wantsPlainLines(_ environment: (String) -> String?) -> Bool {
        let value = environment(plainVariable) ?? ""
        return !value.isEmpty && value != "0"
    }

    /// The style without color and animation, for screen readers.
    package var withoutDrawing: TerminalStyle {
        TerminalStyle(isTerminal: isTerminal, allowsColor: false, allowsAnimation: false)
    }

    /// Takes into account the environment variables `NO_COLOR` (if not empty), `TERM=dumb` and `SYNTHHOST_PLAIN`.
    package init(isTerminal: Bool, environment: (String) -> String?) {
        let isDumb = environment("TERM") == "dumb" || Self.wantsPlainLines(environment)
        let refusesColor = environment("NO_COLOR").map { !$0.isEmpty } ?? false
        self.init(
            isTerminal: isTerminal,
            allowsColor: isTerminal && !isDumb && !refusesColor,
            allowsAnimation: isTerminal && !isDumb)
    }

    package init(descriptor: Int32, environment: (String) -> String? = TerminalStyle.processEnvironment) {
        self.init(isTerminal: isatty(descriptor) == 1, environment: environment)
    }

    /// Returns the width of a descriptor's terminal or, failing that, the value of `COLUMNS` or 80.
    package static func columns(
        of descriptor: Int32, environment: (String) -> String? = TerminalStyle.processEnvironment
    ) -> Int {
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        if let text = environment("COLUMNS"), let columns = Int(text), (1...10_000).contains(columns) { return columns }
        return 80
    }

    @Sendable package static func processEnvironment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Wraps the text in the escape sequences for the emphasis, or returns it unchanged if color is not allowed.
    package func emphasize(_ text: String, as emphasis: Emphasis) -> String {
        allowsColor ? "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// An emphasis for text on a terminal. The raw value is the SGR parameter (ECMA-48).
package enum Emphasis: String, Sendable {
    case strong = "1"
    case faint = "2"
    case failure = "31"
    case success = "32"
    case warning = "33"
}
