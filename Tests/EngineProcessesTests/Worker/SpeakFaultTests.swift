import Foundation
import SynthEngineProcesses
import SynthEngineWire
import Testing
import TestSupport

@Suite("Engines that fail while loading or speaking", .ownThreads)
struct SpeakFaultTests {
    static let loading: [Fault] = [
        Fault(testDescription: "crash", choices: ["IN_LOAD=crash"], isExpected: Fault.crash(SIGSEGV)),
        Fault(testDescription: "crash in open", choices: ["IN_OPEN=crash"], isExpected: Fault.crash(SIGSEGV)),
        Fault(testDescription: "abort", choices: ["IN_LOAD=breakdown"], isExpected: Fault.crash(SIGABRT)),
        Fault(testDescription: "exit", choices: ["IN_OPEN=leave"], isExpected: Fault.exit),
        Fault(testDescription: "recursion", choices: ["IN_LOAD=recurse"], isExpected: Fault.crash(SIGSEGV)),
        Fault(testDescription: "no model", choices: ["LOADED=NULL"], isExpected: Fault.violation("returned no model")),
        Fault(
            testDescription: "an error",
            choices: ["STATUS=SYNTH_BAD_FILE", #"COMPLAINT="The weights\nare \033[1m odd.""#],
            isExpected: {
                $0 == .reported(EngineError(.badFile, "The weights\nare \u{1B}[1m odd.", role: "weights"))
            }),
        Fault(
            testDescription: "an error about a role with an extremely long name",
            choices: ["STATUS=SYNTH_BAD_FILE", "ERROR_ROLE=accents()", #"COMPLAINT="Odd.""#],
            isExpected: {
                guard case .reported(let error) = $0 else { return false }
                return error.message == "Odd." && (7000...8192).contains(error.role?.utf8.count ?? 0)
            }),
        Fault(
            testDescription: "an unknown status", choices: ["STATUS=300", #"COMPLAINT="Odd.""#],
            isExpected: Fault.violation("300")),
        Fault(
            testDescription: "a crash with a child process", choices: ["IN_LOAD=leave_child_and_crash"],
            isExpected: Fault.crash(SIGSEGV)),
        Fault(
            testDescription: "hang", choices: ["IN_LOAD=hang"], limits: .short(load: .milliseconds(500)),
            isExpected: Fault.hang),
        Fault(
            testDescription: "hang without computing", choices: ["IN_LOAD=hang"],
            limits: .short(idle: .milliseconds(400)), isExpected: Fault.hang),
        Fault(
            testDescription: "hang in open", choices: ["IN_OPEN=hang_deaf"], limits: .short(load: .milliseconds(500)),
            isExpected: Fault.hang),
        Fault(
            testDescription: "closes the control socket", choices: ["IN_LOAD=close_control"], isExpected: Fault.garbage),
        Fault(
            testDescription: "garbage on the control socket", choices: ["IN_OPEN=write_garbage"],
            isExpected: Fault.garbage),
    ]

    @Test("A load failure is reported with the correct reason, and no process is left running", arguments: loading)
    func faultsInLoading(_ fault: Fault) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(fault.choices)
        do {
            let engine = fixture.engine(path, limits: fault.limits)
            // The second round verifies that a new worker is started.
            for _ in 1...2 {
                let failure = #expect(throws: EngineFailure.self) { try engine.openLane(on: EngineFixture.load) }
                if let failure {
                    #expect(fault.isExpected(failure.reason), "\(failure)")
                    #expect(failure.engine == "faulty")
                }
            }
        }
        #expect(Processes.haveEnded(path))
    }

    static let speaking: [Fault] = [
        Fault(testDescription: "crash", choices: ["IN_SYNTHESIZE=crash"], isExpected: Fault.crash(SIGSEGV)),
        Fault(testDescription: "crash midway", choices: ["SPEAK=crash_midway"], isExpected: Fault.crash(SIGSEGV)),
        Fault(testDescription: "abort", choices: ["IN_SYNTHESIZE=breakdown"], isExpected: Fault.crash(SIGABRT)),
        Fault(testDescription: "exit", choices: ["IN_SYNTHESIZE=leave"], isExpected: Fault.exit),
        Fault(testDescription: "recursion", choices: ["IN_SYNTHESIZE=recurse"], isExpected: Fault.crash(SIGSEGV)),
        Fault(
            testDescription: "a crash with a child process", choices: ["IN_SYNTHESIZE=leave_child_and_crash"],
            isExpected: Fault.crash(SIGSEGV)),
        Fault(
            testDescription: "a crash with a child that prints endlessly",
            choices: ["IN_SYNTHESIZE=leave_printing_child"], isExpected: Fault.crash(SIGSEGV)),
        Fault(
            testDescription: "hang, idle", choices: ["IN_SYNTHESIZE=hang"], limits: .short(idle: .milliseconds(600)),
            isExpected: Fault.hang),
        Fault(
            testDescription: "hang midway", choices: ["SPEAK=hang_midway"], limits: .short(idle: .milliseconds(600)),
            isExpected: Fault.hang),
        Fault(
            testDescription: "stopped", choices: ["IN_SYNTHESIZE=stop"], limits: .short(idle: .milliseconds(600)),
            isExpected: Fault.hang),
        Fault(
            testDescription: "an endless computation", choices: ["SPEAK=spin_midway"],
            limits: .short(audio: .seconds(2)), isExpected: Fault.hang),
        Fault(
            testDescription: "not a number", choices: ["SPEAK=not_a_number"],
            isExpected: Fault.violation("not a finite number")),
        Fault(
            testDescription: "infinity", choices: ["SPEAK=infinite"], isExpected: Fault.violation("not a finite number")
        ),
        Fault(
            testDescription: "NULL audio", choices: ["SPEAK=null_audio"], isExpected: Fault.violation("without samples")
        ),
        Fault(
            testDescription: "audio before begin", choices: ["SPEAK=audio_first"], isExpected: Fault.violation("before")
        ),
        Fault(
            testDescription: "event before begin", choices: ["SPEAK=event_first"], isExpected: Fault.violation("before")
        ),
        Fault(testDescription: "a second begin", choices: ["SPEAK=begin_twice"], isExpected: Fault.violation("twice")),
        Fault(
            testDescription: "impossible rate", choices: ["SPEAK=impossible_rate"],
            isExpected: Fault.violation("4000000000 Hz")),
        Fault(
            testDescription: "many channels", choices: ["SPEAK=many_channels"], isExpected: Fault.violation("channels")),
        Fault(
            testDescription: "event outside", choices: ["SPEAK=event_outside"], isExpected: Fault.violation("outside")),
        Fault(
            testDescription: "event inside a character", choices: ["SPEAK=event_inside"],
            isExpected: Fault.violation("inside a character")),
        Fault(
            testDescription: "late event", choices: ["SPEAK=event_back"], isExpected: Fault.violation("event's audio")
        ),
        Fault(testDescription: "NULL event", choices: ["SPEAK=event_null"], isExpected: Fault.violation("NULL")),
        Fault(
            testDescription: "stops without being asked", choices: ["SPEAK=unasked"],
            isExpected: Fault.violation("without a request to stop")),
        Fault(testDescription: "unknown status", choices: ["STATUS=77"], isExpected: Fault.violation("77")),
        Fault(
            testDescription: "a host-only status", choices: ["STATUS=100"], isExpected: Fault.violation("100")
        ),
        Fault(
            testDescription: "no reason", choices: ["STATUS=SYNTH_FAILED"],
            isExpected: {
                if case .reported(let error) = $0 { error.kind == .failed && error.message.isEmpty } else { false }
            }),
        Fault(testDescription: "garbage on the lane", choices: ["SPEAK=garbage_on_lane"], isExpected: Fault.garbage),
        Fault(testDescription: "an oversized frame", choices: ["SPEAK=too_long_on_lane"], isExpected: Fault.garbage),
        Fault(testDescription: "an empty frame", choices: ["SPEAK=nothing_on_lane"], isExpected: Fault.garbage),
        Fault(testDescription: "a forged event", choices: ["SPEAK=forged_event"], isExpected: Fault.garbage),
        Fault(
            testDescription: "endless audio for an earlier request", choices: ["SPEAK=flood_of_the_past"],
            limits: .short(audio: .seconds(1)), isExpected: Fault.hang),
        Fault(testDescription: "closes its lanes", choices: ["SPEAK=close_lanes"], isExpected: Fault.garbage),
        Fault(
            testDescription: "closes all descriptors", choices: ["IN_SYNTHESIZE=close_all"],
            isExpected: Fault.garbage),
    ]

    @Test("A failed request is reported with the correct reason, and no process is left running", arguments: speaking)
    func speak(_ fault: Fault) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(fault.choices)
        do {
            let engine = fixture.engine(path, limits: fault.limits)
            // The second round verifies that the worker continues or that a new one is started.
            for _ in 1...2 {
                var opened: EngineLane?
                let failure = #expect(throws: EngineFailure.self) {
                    let lane = try engine.openLane(on: EngineFixture.load)
                    opened = lane
                    _ = try lane.speak("ä b c")
                }
                if let failure {
                    #expect(fault.isExpected(failure.reason), "\(failure)")
                    #expect(failure.engine == "faulty")
                    guard let lane = opened else {
                        // The short limit also applies to the start of the worker.
                        #expect(Fault.hang(failure.reason), "\(failure)")
                        continue
                    }
                    let isOver = if case .reported = failure.reason { false } else { true }
                    #expect(lane.isAlive != isOver)
                }
            }
        }
        #expect(Processes.haveEnded(path))
    }

    @Test(
        "Engines that behave in unusual but harmless ways can speak",
        arguments: [
            ["IN_SYNTHESIZE=print"], ["IN_SYNTHESIZE=leave_child"], ["IN_SYNTHESIZE=leave_runaway"],
            ["IN_SYNTHESIZE=leave_thread"], ["IN_SYNTHESIZE=pass_descriptors"], ["IN_UNLOAD=crash"],
            ["IN_CANCEL=crash"], ["SIZE=sizeof(LONG)"],
        ])
    func oddity(_ choices: [String]) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(choices)
        do {
            let lane = try fixture.engine(path).openLane(on: EngineFixture.load)
            let speech = try lane.speak("ä b c")
            #expect(speech.wasSpoken && speech.samples.count == 24000)
            #expect(try lane.speak("ä b c") == speech)
        }
        #expect(Processes.haveEnded(path))
    }

    @Test("An engine's output cannot fill the disk")
    func output() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["IN_SYNTHESIZE=print_for_long"])
        let lane = try fixture.engine(path).openLane(on: EngineFixture.load)
        #expect(try lane.speak("a").wasSpoken && lane.speak("b").wasSpoken)
        let log = "\(fixture.program.logFolder)/faulty.so.log"
        // The log is written as the output arrives.
        let end = ContinuousClock.now + .seconds(60)
        var status = stat()
        while stat(log, &status) != 0 || status.st_size < 1 << 20, ContinuousClock.now < end { usleep(1000) }
        #expect(status.st_size == 1 << 20)
    }

    @Test("Audio may arrive in 200,000 chunks")
    func pieces() throws {
        let fixture = try EngineFixture()
        let lane = try fixture.engine(fixture.makeEngine(["SPEAK=pieces"])).openLane(on: EngineFixture.load)
        var frames = 0
        let request = LaneRequest(.text("a"), voices: [VoiceUse(id: "one")])
        let wasSpoken = try lane.speak(request) { part in
            if case .audio(let samples) = part { frames += samples.count }
            return true
        }
        #expect(wasSpoken && frames == 200_000)
    }

    @Test("An engine that is computing is not treated as idle")
    func thinks() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["SPEAK=think"])
        let engine = fixture.engine(path, limits: .short(idle: .milliseconds(1000)))
        var lane: EngineLane?
        while lane == nil {
            do throws(EngineFailure) {
                lane = try engine.openLane(on: EngineFixture.load)
            } catch {
                // The limit also applies to the start of the worker.
                guard Fault.hang(error.reason) else { throw error }
            }
        }
        #expect(try lane?.speak("a").wasSpoken == true)
    }

    @Test("If another engine can take over, an idle engine is abandoned sooner, but an engine that is computing is not")
    func replaceable() throws {
        let fixture = try EngineFixture()
        func engine(_ choice: String) throws -> Engine {
            fixture.engine(
                try fixture.makeEngine([choice], named: choice.filter(\.isLetter)),
                limits: .short(awaited: .milliseconds(500)))
        }
        let failure = try #require(
            #expect(throws: EngineFailure.self) {
                try engine("IN_LOAD=hang").openLane(on: EngineFixture.load, whileReplaceable: { true })
            })
        #expect(Fault.hang(failure.reason), "\(failure)")
        let request = LaneRequest(.text("a"), voices: [VoiceUse(id: "one")])
        let speaking = try engine("SPEAK=hang_midway").openLane(on: EngineFixture.load)
        let other = try #require(
            #expect(throws: EngineFailure.self) {
                try speaking.speak(request, unless: { false }, whileReplaceable: { true }) { _ in true }
            })
        #expect(Fault.hang(other.reason), "\(other)")
        let thinking = try engine("SPEAK=think").openLane(on: EngineFixture.load)
        #expect(try thinking.speak(request, unless: { false }, whileReplaceable: { true }) { _ in true })
    }

    @Test("After a crash, a new worker speaks")
    func restart() throws {
        let fixture = try EngineFixture()
        let engine = fixture.engine(try fixture.makeEngine(["SPEAK=crash_once"]))
        let lane = try engine.openLane(on: EngineFixture.load)
        #expect(throws: EngineFailure.self) { try lane.speak("seven") }
        #expect(!lane.isAlive)
        #expect(try engine.openLane(on: EngineFixture.load).speak("a").wasSpoken)
    }

    @Test("After a crash between requests, a new worker speaks", arguments: [["IN_CLOSE=crash"], []])
    func crashUnseen(_ choices: [String]) throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(choices)
        let engine = fixture.engine(path)
        for _ in 1...3 {
            var lane: EngineLane? = try engine.openLane(on: EngineFixture.load)
            let worker = try #require(Processes.hosting(path).first)
            #expect(try lane?.speak("a").wasSpoken == true)
            if choices.isEmpty { kill(worker, SIGSEGV) }
            lane = nil
            #expect(lane == nil && waitForEnd(of: worker))
        }
    }

    private func waitForEnd(of process: pid_t) -> Bool {
        let end = ContinuousClock.now + .seconds(300)
        while kill(process, 0) == 0 {
            if ContinuousClock.now > end { return false }
            usleep(1000)
        }
        return true
    }

    @Test(
        "An engine cannot use more memory than its limit",
        .disabled(if: Sanitizer.isActive, "A sanitizer's shadow memory exceeds any limit."))
    func memory() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine(["IN_SYNTHESIZE=allocate"])
        // The worker never raises the limit, so a lower one stays in effect, and the engine crashes when it reaches it.
        let small = "\(fixture.folder)/synthhost-worker"
        try GeneratedProgram.write(
            "#!/bin/sh\nulimit -d 400000\nexec \(fixture.program.path) \"$@\"\n", to: small)
        let engine = Engine(
            file: path, description: fixture.engine(path).description,
            program: WorkerProgram(path: small, logFolder: fixture.folder), limits: .short())
        let lane = try engine.openLane(on: EngineFixture.load)
        let failure = #expect(throws: EngineFailure.self) { try lane.speak("a") }
        #expect(failure?.reason == .crashed(signal: SIGSEGV, .speaking))
    }

    @Test("A worker has a memory limit, is the OOM killer's first choice, and cannot leave its process group")
    func confinement() throws {
        let fixture = try EngineFixture()
        let path = try fixture.makeEngine([])
        let lane = try fixture.engine(path).openLane(on: EngineFixture.load)
        let worker = try #require(Processes.hosting(path).first)
        func read(_ name: String) throws -> String {
            try String(contentsOfFile: "/proc/\(worker)/\(name)", encoding: .utf8)
        }
        #expect(try read("oom_score_adj") == "1000\n")
        #expect(try read("status").contains("\nNoNewPrivs:\t1\n"))
        #expect(try read("status").contains("\nSeccomp:\t2\n"))
        #expect(try read("limits").contains(#/Max core file size +0 /#))
        #expect(getpgid(worker) == worker)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(worker)/fd").filter {
            // These descriptors only keep the rules for /proc in effect, and refer to no open files.
            try !FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(worker)/fd/\($0)").hasPrefix("/proc/")
        }
        // Descriptors 0 to 3, the lane's socket and its eventfd. This process's own descriptors are not inherited.
        #expect(open.count <= 6, "\(open)")
        withExtendedLifetime(lane) {}
    }

    @Test("Each log message from an engine reaches the host as a single line")
    func logLines() throws {
        let fixture = try EngineFixture()
        let lines = LogLines()
        let path = try fixture.makeEngine(["IN_SYNTHESIZE=log_lines"])
        let lane = try fixture.engine(path, onLog: { lines.add($0, $1) }).openLane(on: EngineFixture.load)
        #expect(try lane.speak("a").wasSpoken)
        let line = try #require(lines.waitForOne())
        #expect(line == "info the same [31m again and again")
    }

    @Test("A text that is too long for a request is rejected")
    func texts() throws {
        let fixture = try EngineFixture()
        let lane = try fixture.engine(try fixture.makeEngine([])).openLane(on: EngineFixture.load)
        for text in [String(repeating: "a", count: 65_537), "a\0b"] {
            let failure = #expect(throws: EngineFailure.self) { try lane.speak(text) }
            #expect(failure?.reason == .unspeakableText)
        }
        #expect(try lane.speak(String(repeating: "a", count: 65_536)).wasSpoken)
    }
}
