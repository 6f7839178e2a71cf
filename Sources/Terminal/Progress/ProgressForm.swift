/// How progress is shown.
package enum ProgressForm: Sendable {
    /// One line of a terminal, redrawn in place.
    case live
    /// A line from time to time.
    case plain
    /// One JSON object on each line.
    case json
    case quiet

    /// The form for an output: `--quiet` has precedence over `--json`, and both over the style.
    package init(for style: TerminalStyle, json: Bool = false, quiet: Bool = false) {
        if quiet {
            self = .quiet
        } else if json {
            self = .json
        } else {
            self = style.allowsAnimation ? .live : .plain
        }
    }
}
