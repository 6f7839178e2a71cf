import Foundation
import System
import TestSupport

/// What the engines of a build say of themselves, asked once: each fresh user would ask every one of them again.
enum KnownEngines {
    private static let folder = "cache/synthhost/engines"
    private static let answers = Monitor<[String: [String: [UInt8]]]>([:])

    /// Lets a user know them who has not looked at any engine yet.
    static func introduce(to home: UserHome) throws {
        guard !home.exists(folder) else { return }
        let known = try answers.update { answers in
            if let known = answers[home.programs] { return known }
            let known = try ask(home.programs)
            answers[home.programs] = known
            return known
        }
        for (name, answer) in known { try home.write(answer, to: "\(folder)/\(name)") }
    }

    private static func ask(_ programs: String) throws -> [String: [UInt8]] {
        let home = try UserHome(programs: programs)
        _ = try home.runProcess("engines", "list")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: home.file(folder))) ?? []
        return try names.reduce(into: [:]) { $0[$1] = Array(try home.data("\(folder)/\($1)")) }
    }
}
