import Foundation
import SynthSystem
import TestSupport

/// The results of scanning a build's engines, created once so that new test users do not have to scan all engines.
enum EngineScanCache {
    private static let folder = "cache/synthhost/_host/scans"
    private static let builds = Monitor<[String: [String: [UInt8]]]>([:])

    /// Copies the results to the home folder of a user who has none.
    static func install(in home: UserHome) throws {
        guard !home.exists(folder) else { return }
        let entries = try builds.update { builds in
            if let entries = builds[home.programs] { return entries }
            let entries = try ask(home.programs)
            builds[home.programs] = entries
            return entries
        }
        for (name, entry) in entries { try home.write(entry, to: "\(folder)/\(name)") }
    }

    private static func ask(_ programs: String) throws -> [String: [UInt8]] {
        let home = try UserHome(programs: programs)
        // On a busy machine, an engine may time out. If so, the next run scans it again.
        for _ in 0..<5 { if try home.runProcess("engines", "list").code == 0 { break } }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: home.file(folder))) ?? []
        return try names.reduce(into: [:]) { $0[$1] = Array(try home.data("\(folder)/\($1)")) }
    }
}
