import Foundation
import SynthEngineProcesses
import SynthEngineWire
import Testing
import TestNumbers
import TestSupport

@Suite("Damaged engines", .ownThreads)
struct MutationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = Int(environment["SYNTHHOST_MUTATIONS"] ?? "") ?? 100
    private static let seed = UInt64(environment["SYNTHHOST_MUTATION_SEED"] ?? "") ?? 1

    @Test("Damaged engines do not crash the host, and each gets a verdict")
    func mutations() throws {
        let fixture = try EngineFixture()
        let good = try Data(contentsOf: URL(filePath: try fixture.makeEngine([], in: fixture.folder)))
        var random = SeededRandom(Self.seed)
        for number in 0..<Self.count {
            try fixture.write(Self.damage(good, &random), as: "mutant\(number).so")
        }
        let scan = PluginScan(folders: [fixture.plugins], program: fixture.program, limits: .short(scan: .seconds(5)))
        let files = scan.run()
        #expect(files.count == Self.count)
        var tally: [String: Int] = [:]
        for file in files {
            switch file.verdict {
            case .usable, .shadowed: tally["loaded", default: 0] += 1
            case .unusable(let reason):
                tally[Self.name(reason), default: 0] += 1
            case .recognizer: tally["recognizer", default: 0] += 1
            }
            #expect(Processes.haveEnded(file.path))
        }
        print("\(Self.count) mutations with the seed \(Self.seed):", tally.sorted { $0.key < $1.key })
        // If every mutated file were rejected before loading, the test would prove nothing.
        #expect(tally["loaded", default: 0] > 0)
        #expect(tally["loaded", default: 0] < Self.count)
    }

    private static func name(_ reason: EngineFailure.Reason) -> String {
        switch reason {
        case .refused(let refusal): "refused (\(refusal.kind))"
        case .crashed(let signal, _): "crashed (\(signal))"
        case .exited(let code, _): "exited (\(code))"
        case .hung: "hung"
        case .violatedProtocol: "violated the protocol"
        case .notStarted: "not started"
        case .reported, .unspeakableText: "reported"
        }
    }

    private static func damage(_ good: Data, _ random: inout SeededRandom) -> Data {
        var bytes = good
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let length = min(Int.random(in: 1...512, using: &random), bytes.count - place)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            for _ in 0..<Int.random(in: 1...64, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
        case 1: bytes = bytes.prefix(place)
        case 2: bytes.resetBytes(in: place..<place + length)
        case 3:
            // These bytes include the headers of the file and its segments, and the start of the dynamic linker's data.
            for _ in 0..<4 { bytes[Int.random(in: 0..<1024, using: &random)] = .random(in: 0...255, using: &random) }
        case 4:
            let other = Int.random(in: 0...bytes.count - length, using: &random)
            let (one, two) = (bytes[place..<place + length], bytes[other..<other + length])
            bytes.replaceSubrange(place..<place + length, with: two)
            bytes.replaceSubrange(other..<other + length, with: one)
        default: bytes[place] ^= 1 << Int.random(in: 0..<8, using: &random)
        }
        return bytes
    }
}
