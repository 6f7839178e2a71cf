import Glibc

/// What a program is started with. As bytes, it is a message to a process that starts it.
package struct ProgramStart: Equatable, Sendable {
    /// Absolute.
    package var program: String
    /// Without the program's own name.
    package var arguments: [[UInt8]]
    /// The names of the variables that it has, with the values that the process has which starts it.
    package var variables: [String]
    /// Its working directory; nil = that of the process which starts it.
    package var folder: String?
    package var ignoresBrokenPipes: Bool

    package init(
        program: String, arguments: [[UInt8]] = [], variables: [String] = [], folder: String? = nil,
        ignoresBrokenPipes: Bool = false
    ) {
        self.program = program
        self.arguments = arguments
        self.variables = variables
        self.folder = folder
        self.ignoresBrokenPipes = ignoresBrokenPipes
    }

    /// Each part with a 0 after it.
    package var bytes: [UInt8] {
        let texts =
            [program, folder ?? "", ignoresBrokenPipes ? "1" : "0", String(arguments.count)].map { Array($0.utf8) }
            + arguments + variables.map { Array($0.utf8) }
        return texts.flatMap { $0 + [0] }
    }

    /// nil if they are not those of a start.
    package init?(bytes: ArraySlice<UInt8>) {
        let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
        guard parts.count > 4, parts.last == [], let program = Self.text(parts[0]), program.hasPrefix("/"),
            let folder = Self.text(parts[1]), parts[2] == [0x30] || parts[2] == [0x31],
            let count = Self.text(parts[3]).flatMap({ Int($0) }), count >= 0, count <= parts.count - 5
        else { return nil }
        let names = parts[(4 + count)...].dropLast().map { Self.text($0) }
        guard !names.contains(nil) else { return nil }
        self.init(
            program: program, arguments: Array(parts[4..<4 + count]), variables: names.compactMap(\.self),
            folder: folder.isEmpty ? nil : folder, ignoresBrokenPipes: parts[2] == [0x31])
    }

    private static func text(_ bytes: [UInt8]) -> String? { String(validating: bytes, as: UTF8.self) }
}
