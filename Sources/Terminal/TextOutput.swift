import Glibc

/// A stream of text for the user or for the next program: standard output, standard error, or a closure in a test.
package struct TextOutput: Sendable {
    package let style: TerminalStyle
    private let currentColumns: @Sendable () -> Int
    private let send: @Sendable (String) throws(OutputError) -> Void

    package init(
        style: TerminalStyle, columns: @escaping @Sendable () -> Int = { 80 },
        send: @escaping @Sendable (String) throws(OutputError) -> Void
    ) {
        self.style = style
        self.currentColumns = columns
        self.send = send
    }

    /// Writes to a descriptor that stays open for as long as the value is used.
    package init(
        descriptor: Int32, environment: @escaping @Sendable (String) -> String? = TerminalStyle.processEnvironment
    ) {
        let writer = DescriptorWriter(descriptor: descriptor)
        self.init(
            style: TerminalStyle(descriptor: descriptor, environment: environment),
            columns: { TerminalStyle.columns(of: descriptor, environment: environment) },
            send: { text throws(OutputError) in try writer.write(text) })
    }

    package static var standardOutput: TextOutput { TextOutput(descriptor: STDOUT_FILENO) }
    package static var standardError: TextOutput { TextOutput(descriptor: STDERR_FILENO) }

    /// The same stream with lines that are written once.
    package var plain: TextOutput { TextOutput(style: style.withoutDrawing, columns: currentColumns, send: send) }

    /// Columns at this moment: a terminal may be resized while a program runs.
    package var width: Int { currentColumns() }

    /// Writes lines of our own making: their line feeds are kept, whatever else steers a terminal is not. Can block as
    /// long as the reader does, as all that write here.
    package func write(_ text: String) throws(OutputError) {
        try send(CleanText.lines(text))
    }

    /// Writes one line, whatever breaks stand in the text.
    package func writeLine(_ text: String) throws(OutputError) {
        try send(CleanText.line(text) + "\n")
    }

    /// Writes one line for another program, to the letter where no person sees it: a path is what it is.
    package func writeData(_ text: String) throws(OutputError) {
        if style.isTerminal { try writeLine(text) } else { try send(text + "\n") }
    }

    /// Writes the text as it stands, with its escape sequences. Every part that comes from outside was made harmless.
    package func draw(_ text: String) throws(OutputError) {
        try send(text)
    }
}
