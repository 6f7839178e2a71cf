import Foundation
import SynthHost
import SynthHostTesting
import SynthSystem
import TestSupport
import Testing

/// An app's tests can define the recognized speech and check how the app reacts.
@Suite("Listening with a test host", .timeLimit(.minutes(60)))
struct ListeningTests {
    private func host(_ recognizer: ScriptedRecognizer?) -> SpeechHost {
        SpeechHost(testing: TestEngine(), hearing: recognizer)
    }

    private func mode(of path: String) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int).map { $0 & 0o777 }
    }

    /// The events as an app would show them, without levels.
    private func shown(_ listening: SpeechListening) async throws -> [String] {
        var shown: [String] = []
        for try await event in listening {
            switch event {
            case .loading: shown.append("loading")
            case .listening: shown.append("listening")
            case .level: break
            case .speechStarted: shown.append("speech")
            case .partial(let text): shown.append(text)
            case .understanding: shown.append("understanding")
            case .final(let heard): shown.append("= \(heard.text)")
            case .recording: shown.append("recording")
            @unknown default: break
            }
        }
        return shown
    }

    @Test("Each state, all partial results and the final result are reported, and all runs are identical")
    func events() async throws {
        for _ in 0..<5 {
            let recognizer = ScriptedRecognizer([
                .silence(.seconds(1)), .speech("turn the light on", .seconds(2)), .silence(.seconds(1)),
                .speech("please", .milliseconds(500)),
            ])
            #expect(
                try await shown(host(recognizer).listen()) == [
                    "loading", "listening", "speech", "turn", "turn the", "turn the light", "turn the light on",
                    "speech", "turn the light on please", "understanding", "= turn the light on please",
                ])
            #expect(recognizer.openings == 1 && !recognizer.isMicrophoneOpen)
        }
    }

    @Test("Listening ends within ten milliseconds after the requested silence")
    func inactivity() async throws {
        let recognizer = ScriptedRecognizer([
            .silence(.seconds(1)), .speech("yes", .seconds(1)), .silence(.seconds(1)), .speech("no", .seconds(1)),
        ])
        let heard = try await host(recognizer).listen(.init(inactivity: .milliseconds(500))).heard()
        #expect(heard.text == "yes" && heard.ending == .silence)
        #expect(recognizer.heard >= .milliseconds(2400) && recognizer.heard <= .milliseconds(2600))
        let all = ScriptedRecognizer([.speech("on and on", .seconds(60))])
        let cut = try await host(all).listen(.init(timeout: .seconds(8))).heard()
        #expect(cut.ending == .timeout && all.heard == .seconds(8) && cut.text == "")
        let none = ScriptedRecognizer()
        let nothing = try await host(none).listen(.init(timeout: .seconds(3))).heard()
        #expect(nothing.ending == .nothingSaid && none.heard == .seconds(3) && nothing.text == "")
    }

    @Test("Listening reports the level of the audio")
    func levels() async throws {
        let recognizer = ScriptedRecognizer([
            .noise(.seconds(1), level: -60), .speech("hello", .seconds(1), level: -12), .noise(.seconds(1), level: -55),
        ])
        var levels: [Double] = []
        for try await event in host(recognizer).listen(.init(timeout: .seconds(3))) {
            if case .level(let decibels) = event { levels.append(decibels) }
        }
        let truth = [-60.0, -12, -55].flatMap { [Double](repeating: $0, count: 10) }
        #expect(levels.count == 30)
        #expect(zip(levels, truth).allSatisfy { abs($0 - $1) < 0.2 }, "\(levels)")
    }

    @Test("Each word has a start and end time and a confidence")
    func words() async throws {
        let recognizer = ScriptedRecognizer([
            .silence(.seconds(1)), .speech("Hello world", .seconds(2), confidence: 0.5),
        ])
        let heard = try await host(recognizer).listen().heard()
        #expect(heard.words.map(\.text) == ["Hello", "world"] && heard.confidence == 0.5)
        #expect(heard.words.map(\.start) == [.seconds(1), .seconds(2)] && heard.words.last?.end == .seconds(3))
        #expect(heard.words.allSatisfy { $0.confidence == 0.5 })
    }

    @Test("Expectations convert the transcript to a number or the intended name")
    func expectations() async throws {
        let recognizer = ScriptedRecognizer(takes: [
            [.speech("forty-two point five", .seconds(2))], [.speech("none of your business", .seconds(2))],
            [.speech("jean luke", .seconds(1))], [.speech("somebody else", .seconds(1))],
        ])
        let host = host(recognizer)
        #expect(try await host.listen(.init(expecting: .number)).heard().number == 42.5)
        #expect(try await host.listen(.init(expecting: .number)).heard().number == nil)
        let heard = try await host.listen(.init(expecting: .names(["Ann", "Jean-Luc"]))).heard()
        #expect(heard.name == "Jean-Luc" && (heard.distance ?? 0) > 0 && (heard.distance ?? 1) <= 0.4)
        #expect(try await host.listen(.init(expecting: .names(["Ann", "Jean-Luc"]))).heard().name == nil)
    }

    @Test("A recording excludes silence around the speech, is readable only by its owner, and is made only on request")
    func recording() async throws {
        let take: ScriptedRecognizer.Take = [.silence(.seconds(2)), .speech("hello", .seconds(1))]
        let recognizer = ScriptedRecognizer(takes: [take, take, [], take, take, take])
        let host = host(recognizer)
        #expect(try await !shown(host.listen()).contains("recording"))
        var path: String?
        for try await event in host.listen(.init(record: true)) { if case .recording(let file) = event { path = file } }
        let file = try #require(path)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(try mode(of: file) == 0o600)
        // The 16-bit frames follow a 44-byte header.
        let seconds = Double((attributes[.size] as? Int ?? 0) - 44) / 32_000
        #expect(abs(seconds - 1.6) < 0.15, "\(seconds)")
        let none = "\(file).none.wav"
        #expect(try await !shown(host.listen(.init(timeout: .seconds(2), record: .file(none)))).contains("recording"))
        #expect(!FileManager.default.fileExists(atPath: none))
        // The recording is private even if it replaces a world-readable file.
        let open = "\(file).open.wav"
        defer { try? FileManager.default.removeItem(atPath: open) }
        try Data([1]).write(to: URL(filePath: open))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: open)
        #expect(try await host.listen(.init(record: .file(open))).heard().recordingPath == open)
        #expect(try mode(of: open) == 0o600)
        // Clients that wait only for the end, or that stop reading at the end, also get the recording's path.
        let heard = try #require(try await host.listen(.init(record: true)).heard().recordingPath)
        try FileManager.default.removeItem(atPath: heard)
        for try await event in host.listen(.init(record: true)) {
            guard case .final(let speech) = event else { continue }
            try FileManager.default.removeItem(atPath: try #require(speech.recordingPath))
            break
        }
    }

    @Test("The microphone closes immediately when listening is cancelled or its events are no longer read")
    func cancelling() async throws {
        for way in 0..<3 {
            let recognizer = ScriptedRecognizer([.silence(.seconds(1)), .held])
            let listening = host(recognizer).listen(.init(record: true))
            let task = Task { () -> SpeechError? in
                do throws(SpeechError) {
                    for try await event in listening {
                        if way == 2, case .level = event { return nil }
                    }
                } catch {
                    return error
                }
                return nil
            }
            await recognizer.waitUntilOpen()
            if way == 0 { listening.cancel() }
            if way == 1 { task.cancel() }
            let error = await task.value
            if way == 2 {
                #expect(error == nil)
            } else if case .cancelled? = error {
            } else {
                Issue.record("\(String(describing: error))")
            }
            await recognizer.waitUntilClosed()
            #expect(recognizer.heard <= .milliseconds(1010))
        }
    }

    @Test("The microphone opens when the events are read, and the events can be read only once")
    func once() async throws {
        let recognizer = ScriptedRecognizer([.speech("once", .seconds(1))])
        let listening = host(recognizer).listen()
        #expect(recognizer.openings == 0)
        #expect(try await listening.heard().text == "once")
        await #expect {
            _ = try await listening.heard()
        } throws: { error in
            (error as? SpeechError)?.code == .alreadyRead
        }
        #expect(recognizer.openings == 1)
    }

    @Test("Each failure has a specific error")
    func failures() async throws {
        func error(_ take: ScriptedRecognizer.Take?) async -> SpeechError? {
            do throws(SpeechError) {
                _ = try await host(take.map { ScriptedRecognizer($0) }).listen().heard()
                return nil
            } catch {
                return error
            }
        }
        let crash = await error([.silence(.seconds(1)), .crash])
        guard crash?.code == .recognizerCrashed, crash?.facts.engine == "scripted", crash?.facts.signal == 11 else {
            Issue.record("The error does not report the crash.")
            return
        }
        let unplugged = await error([.unplugged])
        guard unplugged?.code == .microphoneFailed, unplugged?.facts.device == "default",
            unplugged?.facts.errno == ENODEV
        else {
            Issue.record("The error does not report the unplugged microphone.")
            return
        }
        guard await error(nil)?.code == .recognizerMissing else {
            Issue.record("The error does not report the missing recognizer.")
            return
        }
        await #expect {
            _ = try await host(ScriptedRecognizer()).recognizer("other")
        } throws: { error in
            guard let error = error as? SpeechError else { return false }
            return error.code == .modelUnknown && error.facts.model == "other" && error.facts.candidates == ["scripted"]
        }
    }

    @Test("A recognizer that stays loaded transcribes one recording after another")
    func kept() async throws {
        let script = ScriptedRecognizer(takes: [[.speech("one", .seconds(1))]])
        script.hear([.speech("two", .seconds(1))])
        let recognizer = try await host(script).recognizer()
        try await recognizer.warmUp()
        #expect(script.openings == 0)
        #expect(try await recognizer.listen().heard().text == "one")
        #expect(try await recognizer.listen().heard().text == "two")
        #expect(try await recognizer.listen().heard().text == "")
        #expect(script.openings == 3)
    }

    @Test("A recognizer for a particular language recognizes numbers in that language")
    func language() async throws {
        let script = ScriptedRecognizer(takes: [[.speech("zweiundvierzig", .seconds(1))]])
        let recognizer = try await host(script).recognizer(language: "de")
        #expect(try await recognizer.listen(.init(expecting: .number)).heard().number == 42)
    }

    @Test("The microphone is closed promptly even if the events are read slowly")
    func slowReader() async throws {
        let recognizer = ScriptedRecognizer([.silence(.seconds(120)), .speech("late", .seconds(1))])
        var events = host(recognizer).listen(.init(timeout: .seconds(150))).makeAsyncIterator()
        _ = try await events.next()
        await recognizer.waitUntilClosed()
        var text: String?
        while let event = try await events.next() { if case .final(let heard) = event { text = heard.text } }
        #expect(text == "late")
    }

    @Test("A file is transcribed in segments with times, and the progress is reported")
    func file() async throws {
        var take: ScriptedRecognizer.Take = []
        for number in 1...20 { take += [.speech("sentence \(number)", .seconds(3)), .silence(.seconds(1))] }
        let recognizer = ScriptedRecognizer(takes: [take, take, take + [.unplugged]])
        let host = host(recognizer)
        var segments: [TranscriptSegment] = []
        var progress: [Duration] = []
        for try await event in host.transcribe("talk.wav") {
            switch event {
            case .segment(let segment): segments.append(segment)
            case .progress(let done, let whole):
                #expect(whole == .seconds(80))
                progress.append(done)
            default: break
            }
        }
        #expect(segments.map(\.text) == (1...20).map { "sentence \($0)" })
        #expect(segments.map(\.start) == (0..<20).map { .seconds($0 * 4) })
        #expect(segments.allSatisfy { $0.end - $0.start == .seconds(3) && $0.words.count == 2 })
        #expect(progress.count >= 3 && progress == progress.sorted() && progress.last == .seconds(80))
        #expect(
            try await host.transcribe("talk.wav").text() == (1...20).map { "sentence \($0)" }.joined(separator: " "))
        var texts = 0
        do throws(SpeechError) {
            for try await event in host.transcribe("talk.wav") { if case .segment = event { texts += 1 } }
            Issue.record("The transcription of a truncated file ended without an error.")
        } catch {
            #expect(error.code == .recordingInvalid && error.facts.path == "talk.wav")
        }
        #expect(texts == 20)
        #expect(recognizer.openings == 0)
    }

    @Test(
        "When a failed transcription is repeated, it first returns the text that was already finished and then resumes")
    func resuming() async throws {
        var take: ScriptedRecognizer.Take = []
        for number in 1...20 { take += [.speech("sentence \(number)", .seconds(3)), .silence(.seconds(1))] }
        let host = host(ScriptedRecognizer(takes: [take + [.unplugged], take]))
        let folder = try TemporaryFolder()
        let options = TranscriptionOptions(progressFile: folder.file("progress"))
        await #expect {
            _ = try await host.transcribe("talk.wav", options).text()
        } throws: { error in
            (error as? SpeechError)?.code == .recordingInvalid
        }
        #expect(try readWholeFile(folder.file("progress"), limit: 1 << 20).split(separator: 0x0A).count > 3)
        let text = try await host.transcribe("talk.wav", options).text()
        #expect(text == (1...20).map { "sentence \($0)" }.joined(separator: " "))
        #expect(RegularFile(path: folder.file("progress")) == nil)
        let notes = try folder.write(Data("My notes".utf8), to: "notes.txt")
        await #expect {
            _ = try await host.transcribe("talk.wav", TranscriptionOptions(progressFile: notes)).text()
        } throws: { error in
            (error as? SpeechError)?.facts.path == notes
        }
        #expect(try String(contentsOfFile: notes, encoding: .utf8) == "My notes")
        await #expect {
            _ = try await host.transcribe("talk.wav", TranscriptionOptions(progressFile: "/nowhere/progress")).text()
        } throws: { error in
            (error as? SpeechError)?.code == .folderMissing
        }
    }

    @Test("Transcription of a file stops when it is cancelled")
    func leaving() async throws {
        let recognizer = ScriptedRecognizer([.speech("sentence", .seconds(3))])
        let transcription = host(recognizer).transcribe("talk.wav")
        transcription.cancel()
        await #expect {
            _ = try await transcription.text()
        } throws: { error in
            (error as? SpeechError)?.code == .cancelled
        }
    }
}
