import Glibc
import SynthSystem

/// Asks the user questions at a terminal.
///
/// The terminal stays in line mode, so that it works normally after Ctrl-C or if the process is killed. Calls block
/// until the user answers. Only Enter selects the default. Each method throws `.cancelled` if the input ends (Ctrl-D),
/// even in the middle of a line, or after several invalid answers.
package struct Prompt: Sendable {
    private static let longestAnswer = 1024
    private static let maximumTries = 5

    private let input: Int32
    private let output: TextOutput
    private let interruption: Int32?
    /// The text that follows a question. In plain mode, this is a newline, because some screen readers read only
    /// complete lines.
    private let end: String
    private let localized: PhraseBook

    /// - Parameters:
    ///   - input: the descriptor from which to read answers. It is not closed.
    ///   - interruption: a descriptor that ends the wait with `.interrupted` when it becomes readable. Required if
    ///     handling SIGINT does not end the process.
    package init(
        input: Int32, output: TextOutput, interruption: Int32? = nil, _ localized: PhraseBook = .english
    ) {
        self.localized = localized
        self.input = input
        self.output = output
        self.interruption = interruption
        end = output.style.allowsAnimation ? " " : "\n"
    }

    /// Asks a yes-or-no question. An empty answer selects the default.
    package func confirm(_ question: String, default preset: Bool) throws -> Bool {
        for _ in 0..<Self.maximumTries {
            try show("\(CleanText.line(question)) \(localized(preset ? "[Y/n]" : "[y/N]"))\(end)")
            let answer = try readLine().lowercased()
            if answer.isEmpty { return preset }
            for (words, value) in [("yes", true), ("no", false)] as [(Phrase, Bool)] {
                let known = [words.key, localized(words)]
                if known.contains(where: { answer == $0 || answer == $0.prefix(1) }) { return value }
            }
            try show(localized("Please answer y or n.") + "\n")
        }
        throw TerminalError.cancelled
    }

    /// Asks the user to choose by number or by name, and returns the index of the choice.
    ///
    /// - Returns: for an empty answer, the default, or nil if no default is given.
    package func choose(
        _ question: String, from choices: [String], default preset: Int? = nil
    ) throws -> Int? {
        guard !choices.isEmpty else { return nil }
        let names = choices.map { CleanText.line($0) }
        let digits = String(choices.count).count
        var list = CleanText.line(question) + "\n"
        for (index, name) in names.enumerated() {
            let number = DisplayWidth.pad(String(index + 1), to: digits, trailing: false)
            list += DisplayWidth.truncate("  \(number)  \(name)", to: max(20, output.width - 1)) + "\n"
        }
        try show(list)
        let hint =
            preset.map { localized("1-\(choices.count), Enter for \($0 + 1)") }
            ?? localized("1-\(choices.count), Enter for none")
        for _ in 0..<Self.maximumTries {
            try show("\(hint):\(end)")
            let answer = try readLine()
            if answer.isEmpty { return preset }
            if let number = Int(answer), (1...choices.count).contains(number) { return number - 1 }
            let matches = names.indices.filter { names[$0].lowercased() == answer.lowercased() }
            if let match = matches.first, matches.count == 1 { return match }
            try show(localized("Please enter a number from 1 to \(choices.count).") + "\n")
        }
        throw TerminalError.cancelled
    }

    /// Asks for a line of text, which may be empty.
    ///
    /// - Parameter lines: the lines to show before the question.
    package func line(_ question: String, after lines: [String] = []) throws -> String {
        let width = max(20, output.width - 1)
        let list = lines.map { DisplayWidth.truncate(CleanText.line($0), to: width) + "\n" }.joined()
        try show("\(list)\(CleanText.line(question))\(end)")
        return try readLine()
    }

    private func show(_ text: String) throws {
        do {
            try output.write(text)
        } catch {
            if case .failed(let code) = error { throw TerminalError.noAnswer(code: code) }
            throw TerminalError.noAnswer(code: EPIPE)
        }
    }

    /// Reads a line without its newline and surrounding spaces. Reads one byte at a time, so that later input remains
    /// available to the next reader. Bytes beyond `longestAnswer` are dropped.
    ///
    /// - Throws: `cancelled` if the input ends before the line does.
    private func readLine() throws -> String {
        var bytes: [UInt8] = []
        while true {
            try waitForInput()
            var byte: UInt8 = 0
            let count = read(input, &byte, 1)
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                throw TerminalError.noAnswer(code: errno)
            }
            if count == 0 {
                try show("\n")
                throw TerminalError.cancelled
            }
            if byte == UInt8(ascii: "\n") { return trim(bytes) }
            if bytes.count < Self.longestAnswer { bytes.append(byte) }
        }
    }

    private func waitForInput() throws {
        var requests = [pollfd(fd: input, events: Int16(POLLIN), revents: 0)]
        if let interruption { requests.append(pollfd(fd: interruption, events: Int16(POLLIN), revents: 0)) }
        while true {
            if poll(&requests, nfds_t(requests.count), -1) < 0 {
                if errno == EINTR { continue }
                throw TerminalError.noAnswer(code: errno)
            }
            if requests.count > 1, requests[1].revents != 0 {
                try show("\n")
                throw TerminalError.interrupted
            }
            if requests[0].revents != 0 { return }
        }
    }

    private func trim(_ bytes: [UInt8]) -> String {
        var text = String(decoding: bytes, as: UTF8.self)[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
