import Foundation
import TestSupport

/// A program that has ended.
struct Command {
    let status: Int32
    let output: String
    let errors: String

    static func run(_ program: String, _ arguments: [String]) throws -> Command {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Errors are short, so reading one after the other does not block.
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Command(
            status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }

    static let program = "\(BuildFolder.withoutNeuralEngines)/synthhost"

    static func validate(_ arguments: String...) throws -> Command {
        try run(program, ["engines", "validate"] + arguments)
    }

    /// The engine file exists until the command has ended.
    static func validate(_ engine: FixtureEngine, _ arguments: String...) throws -> Command {
        try withExtendedLifetime(engine) { try run(program, ["engines", "validate", engine.path] + arguments) }
    }
}
