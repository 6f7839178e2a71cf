import Glibc
import SynthEngineProcesses
import SynthEngineWire
import Testing
import TestSupport

@Suite("Engines that cannot describe themselves", .ownThreads)
struct DescribeFaultTests {
    static let faults: [Fault] = [
        Fault(
            testDescription: "no entry function", choices: ["WITHOUT_ENTRY"],
            isExpected: Fault.refusal(.noEntry)),
        Fault(
            testDescription: "entry returns NULL", choices: ["TABLE=NULL"],
            isExpected: Fault.refusal(.noTable(version: 1))),
        Fault(
            testDescription: "another version", choices: ["ABI=7"],
            isExpected: Fault.refusal(.otherVersion(7, host: 1))),
        Fault(testDescription: "size 0", choices: ["SIZE=0"], isExpected: Fault.refusal(.otherVersion(0, host: 1))),
        Fault(testDescription: "size 8", choices: ["SIZE=8"], isExpected: Fault.refusal(.missingFunction)),
        Fault(
            testDescription: "size 100", choices: ["SIZE=100"], isExpected: Fault.refusal(.missingFunction)),
        Fault(
            testDescription: "no load", choices: ["WITHOUT_LOAD"],
            isExpected: Fault.refusal(.missingFunction)),
        Fault(
            testDescription: "no synthesize", choices: ["WITHOUT_SYNTHESIZE"],
            isExpected: Fault.refusal(.missingFunction)),
        Fault(testDescription: "ID is NULL", choices: ["ID=NULL"], isExpected: Fault.unusable(.id)),
        Fault(testDescription: "ID is empty", choices: [#"ID="""#], isExpected: Fault.unusable(.id)),
        Fault(
            testDescription: "ID is a path", choices: [#"ID="../x""#],
            isExpected: Fault.refusal(.description(.forbiddenCharacters("../x", in: DescriptionField(.id))))),
        Fault(
            testDescription: "ID looks like an option", choices: [#"ID="-rf""#],
            isExpected: Fault.refusal(.description(.forbiddenCharacters("-rf", in: DescriptionField(.id))))),
        Fault(
            testDescription: "ID is a Windows device name", choices: [#"ID="com1""#],
            isExpected: Fault.refusal(.description(.forbiddenCharacters("com1", in: DescriptionField(.id))))),
        Fault(
            testDescription: "voice ID is a Windows device name", choices: [#"VOICE_ID="NUL.onnx""#],
            isExpected: Fault.refusal(.description(.forbiddenCharacters("NUL.onnx", in: DescriptionField(.voiceID))))),
        Fault(
            testDescription: "voice ID consists of dots", choices: [#"VOICE_ID="..""#],
            isExpected: Fault.refusal(.description(.forbiddenCharacters("..", in: DescriptionField(.voiceID))))),
        Fault(testDescription: "name is NULL", choices: ["NAME=NULL"], isExpected: Fault.unusable(.name)),
        Fault(
            testDescription: "name is not UTF-8", choices: [#"NAME="\377\376""#],
            isExpected: Fault.unusable(.name)),
        Fault(
            testDescription: "name contains an escape sequence", choices: [#"NAME="\033[2J""#],
            isExpected: Fault.unusable(.name)),
        Fault(
            testDescription: "license is NULL", choices: ["LICENSE=NULL"],
            isExpected: Fault.unusable(.license)),
        Fault(
            testDescription: "rate range starts at 0", choices: ["RATE_MIN=0"],
            isExpected: Fault.refusal { refusal in
                guard case .description(.unusableRange(let low, _, let field)) = refusal.flaw else { return false }
                return low == 0 && field == DescriptionField(.rate)
            }),
        Fault(
            testDescription: "rate range starts at NaN", choices: ["RATE_MIN=NAN"],
            isExpected: Fault.refusal { refusal in
                guard case .description(.unusableRange(let low, _, let field)) = refusal.flaw else { return false }
                return low.isNaN && field == DescriptionField(.rate)
            }),
        Fault(
            testDescription: "voice ID is NULL", choices: ["VOICE_ID=NULL"], isExpected: Fault.unusable(.voiceID)),
        Fault(
            testDescription: "voice ID contains a space", choices: [#"VOICE_ID="a b""#],
            isExpected: Fault.refusal(.description(.forbiddenCharacters("a b", in: DescriptionField(.voiceID))))),
        Fault(
            testDescription: "voice name is NULL", choices: ["VOICE_NAME=NULL"],
            isExpected: Fault.unusable(.voiceName, ofVoice: "one")),
        Fault(
            testDescription: "two voices with the same ID", choices: ["VOICES=2"],
            isExpected: Fault.refusal(.description(.sameID("one")))),
        Fault(
            testDescription: "two voices whose IDs differ only by case",
            choices: ["VOICES=2", #"SECOND_VOICE_ID="ONE""#],
            isExpected: Fault.refusal(.description(.differsByCase("ONE", from: "one")))),
        Fault(
            testDescription: "too many voices", choices: ["VOICES=0xFFFFFFFF"],
            isExpected: Fault.refusal(.description(.tooMany(DescriptionField(.voices), most: 20_000)))),
        Fault(
            testDescription: "too many roles", choices: ["ROLES=0xFFFFFFFF"],
            isExpected: Fault.refusal(.description(.tooMany(DescriptionField(.roles), most: 256)))),
        Fault(
            testDescription: "role is NULL", choices: ["ROLES=1", "ROLE=NULL"],
            isExpected: Fault.unusable(.roleName)),
        Fault(
            testDescription: "too many speakers", choices: ["SPEAKERS=SIZE_MAX/2"],
            isExpected: Fault.refusal(.description(.unusableList(DescriptionField(.speakers, ofVoice: "one"))))),
        Fault(
            testDescription: "crash in a constructor", choices: ["IN_CONSTRUCTOR=crash"],
            isExpected: Fault.crash(SIGSEGV)),
        Fault(testDescription: "crash in entry", choices: ["IN_ENTRY=crash"], isExpected: Fault.crash(SIGSEGV)),
        Fault(testDescription: "crash in role", choices: ["IN_ROLE=crash"], isExpected: Fault.crash(SIGSEGV)),
        Fault(testDescription: "crash in voice", choices: ["IN_VOICE=crash"], isExpected: Fault.crash(SIGSEGV)),
        Fault(testDescription: "abort in entry", choices: ["IN_ENTRY=breakdown"], isExpected: Fault.crash(SIGABRT)),
        Fault(testDescription: "endless recursion", choices: ["IN_VOICE=recurse"], isExpected: Fault.crash(SIGSEGV)),
        Fault(
            testDescription: "no more threads", choices: ["IN_ENTRY=leave_threadless"],
            isExpected: { $0 == .notStarted(.noThread) }),
        Fault(testDescription: "exit in entry", choices: ["IN_ENTRY=leave"], isExpected: Fault.exit),
        Fault(
            testDescription: "hang in a constructor", choices: ["IN_CONSTRUCTOR=hang"],
            limits: .short(scan: .milliseconds(400)), isExpected: Fault.hang),
        Fault(
            testDescription: "hang in entry", choices: ["IN_ENTRY=hang_deaf"], limits: .short(scan: .milliseconds(400)),
            isExpected: Fault.hang),
        Fault(
            testDescription: "hang in role", choices: ["IN_ROLE=hang"], limits: .short(scan: .milliseconds(400)),
            isExpected: Fault.hang),
        Fault(
            testDescription: "endless loop in voice", choices: ["IN_VOICE=spin"],
            limits: .short(scan: .milliseconds(400)), isExpected: Fault.hang),
        Fault(
            testDescription: "stopped in entry", choices: ["IN_ENTRY=stop"], limits: .short(scan: .milliseconds(400)),
            isExpected: Fault.hang),
        Fault(
            testDescription: "a description that never ends", choices: ["IN_ENTRY=trickle"],
            limits: .short(scan: .milliseconds(600)), isExpected: Fault.hang),
        Fault(testDescription: "endless replies", choices: ["IN_ENTRY=flood_answers"], isExpected: Fault.garbage),
        Fault(
            testDescription: "closes the control socket", choices: ["IN_VOICE=close_control"], isExpected: Fault.garbage
        ),
        Fault(testDescription: "closes all descriptors", choices: ["IN_VOICE=close_all"], isExpected: Fault.garbage),
        Fault(
            testDescription: "garbage on the control socket", choices: ["IN_VOICE=write_garbage"],
            isExpected: Fault.garbage),
        Fault(
            testDescription: "a crash with a child process", choices: ["IN_VOICE=leave_child_and_crash"],
            isExpected: Fault.crash(SIGSEGV)),
        Fault(
            testDescription: "a crash with a child that prints endlessly", choices: ["IN_VOICE=leave_printing_child"],
            isExpected: Fault.crash(SIGSEGV)),
    ]

    @Test("The failure is reported with the correct reason, and no process is left running", arguments: faults)
    func fault(_ fault: Fault) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(fault.choices)
        let failure = #expect(throws: EngineFailure.self) {
            try EngineFile(path: path).describe(by: fixture.program, limits: fault.limits)
        }
        if let failure {
            #expect(fault.isExpected(failure.reason), "\(failure)")
            #expect(failure.engine == path)
        }
        #expect(Processes.haveEnded(path))
    }

    @Test(
        "Engines that behave in unusual but harmless ways can be described",
        arguments: [
            ["SIZE=sizeof(LONG)"], ["IN_VOICE=print"], ["IN_ENTRY=leave_child"], ["IN_VOICE=leave_runaway"],
            ["IN_ENTRY=leave_thread"], ["IN_VOICE=pass_descriptors"], ["IN_VOICE=log_lines"], ["VOICES=0"],
            ["IN_VOICE=log_accents"], ["IN_VOICE=leave_by_back_door"],
        ])
    func oddity(_ choices: [String]) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(choices)
        let engine = try EngineFile(path: path).describe(by: fixture.program, limits: .short())
        #expect(engine.id == "faulty")
        #expect(Processes.haveEnded(path))
    }

    @Test("At most one megabyte of an engine's output is kept, and the error refers to the log")
    func log() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["IN_VOICE=print", "IN_ROLE=crash", "ROLES=1"])
        let other = try fixture.makeEngine(["IN_ROLE=print", "IN_VOICE=crash"], named: "other")
        for path in [path, other] {
            let failure = #expect(throws: EngineFailure.self) {
                try EngineFile(path: path).describe(by: fixture.program, limits: .short())
            }
            if path == other {
                let log = try #require(failure?.log)
                var status = stat()
                #expect(stat(log, &status) == 0)
                #expect(status.st_size > 100_000 && status.st_size <= 1 << 20)
            } else {
                #expect(failure?.log == nil)
            }
        }
    }
}
