import Foundation
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Pace records")
struct PaceRecordTests {
    private static let x86 = """
        processor\t: 0
        vendor_id\t: AuthenticAMD
        cpu family\t: 25
        model\t\t: 17
        model name\t: AMD EPYC 9554  64-Core Processor
        cpu MHz\t\t: 3100.000

        processor\t: 1
        vendor_id\t: AuthenticAMD
        cpu family\t: 25
        model\t\t: 17
        model name\t: AMD EPYC 9554  64-Core Processor
        cpu MHz\t\t: 1500.000

        """
    private static let arm = """
        processor\t: 0
        BogoMIPS\t: 108.00
        CPU implementer\t: 0x41
        CPU part\t: 0xd08

        Hardware\t: BCM2835
        Serial\t\t: 10000000abcdef01
        Model\t\t: Raspberry Pi 4 Model B Rev 1.4
        """

    @Test(
        "The record identifies the processor but contains no values that change or differ between identical machines")
    func identity() {
        #expect(
            ProcessorIdentity.text(of: Self.x86, threads: 2)
                == "vendor_id AuthenticAMD; cpu family 25; model 17; "
                + "model name AMD EPYC 9554 64-Core Processor; threads 2")
        #expect(
            ProcessorIdentity.text(of: Self.arm, threads: 4)
                == "CPU implementer 0x41; CPU part 0xd08; Hardware BCM2835; Model Raspberry Pi 4 Model B Rev 1.4; "
                + "threads 4")
        #expect(ProcessorIdentity.text(of: "", threads: 1) == "threads 1")
    }

    @Test("A record is valid only for the subject that it names, and a damaged record is ignored")
    func record() throws {
        let folder = NSTemporaryDirectory() + "synthhost-pace-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let record = PaceRecord(path: "\(folder)/cache/pace", subject: "this")
        #expect(record.read() == nil)
        let pace = try #require(MachinePace(rate: 47.3))
        record.write(pace)
        #expect(record.read() == pace)
        #expect(PaceRecord(path: record.path, subject: "that").read() == nil)
        for damage in ["", "47.3", "47.3\n", "x\nthis\n", "-1\nthis\n", "47.3\nthis\nmore\n"] {
            try Data(damage.utf8).write(to: URL(filePath: record.path))
            #expect(record.read() == nil, "\(damage)")
        }
    }
}
