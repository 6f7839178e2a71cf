import SynthSystem
import Testing

@testable import SynthEngineWire

@Suite("A worker's command line")
struct WorkerArgumentsTests {
    @Test(
        "Arguments survive encoding and decoding",
        arguments: [
            WorkerArguments(file: "/e.so"),
            WorkerArguments(
                file: "/a=b/e.so", files: FileRules(readable: ["/a b", "/c=d"], writable: ["/cache"]),
                confinement: .required, landlock: 3),
            WorkerArguments(file: "e.so", confinement: .off, landlock: 0),
            WorkerArguments(file: "/e.so", as: .recognizer, files: FileRules(readable: ["/a"])),
        ])
    func roundTrip(arguments: WorkerArguments) { #expect(WorkerArguments(words: arguments.words) == arguments) }

    @Test(
        "Invalid arguments are rejected",
        arguments: [
            [], ["read", "e.so"], ["walls=off", "e.so"], ["confinement=maybe", "e.so"], ["landlock=-1", "e.so"],
            ["landlock=new", "e.so"], ["kind=singer", "e.so"],
        ])
    func strange(words: [String]) { #expect(WorkerArguments(words: words) == nil) }

    @Test("A model's files are accepted only if the worker was given access to them or to a folder above them")
    func includes() {
        let rules = FileRules(readable: ["/models", "/home/a.bin"], writable: ["/cache/e"])
        #expect(rules.includes(FileRules(readable: ["/models/a/b.onnx", "/home/a.bin"], writable: ["/cache/e"])))
        #expect(rules.includes(FileRules(readable: ["/cache/e"])))
        #expect(!rules.includes(FileRules(readable: ["/models2/a"])))
        #expect(!rules.includes(FileRules(readable: ["/home/a.bin.json"])))
        #expect(!rules.includes(FileRules(writable: ["/models"])))
    }
}
