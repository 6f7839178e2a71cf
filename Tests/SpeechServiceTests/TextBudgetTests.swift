import SynthHost
import SynthHostTesting
import SynthSystem
import Testing
import TestSupport

@testable import SynthService

@Suite("The memory budget for long texts", .ownThreads)
struct TextBudgetTests {
    private static let long = TextBudget.short + 1

    private func isOverloaded(_ body: () throws(SpeechError) -> Void) -> Bool {
        do throws(SpeechError) {
            try body()
            return false
        } catch {
            if case .overloaded = error { return true }
            return false
        }
    }

    private func read(_ budget: TextBudget, factor: Int = 1) throws(SpeechError) -> TextBudget.Share? {
        try budget.read(Self.long, factor: factor) { () throws(SpeechError) in 0 }.1
    }

    @Test("The budget does not limit a single text or short texts and is released when a text ends")
    func limit() throws {
        let budget = TextBudget(limit: 3 * Self.long)
        let large = try read(budget, factor: 10)
        #expect(large != nil && budget.taken == 10 * Self.long)
        #expect(isOverloaded { () throws(SpeechError) in _ = try read(budget) })
        let short = try budget.read(TextBudget.short, factor: 100) { () throws(SpeechError) in 1 }
        #expect(short.1 == nil)
        large?.end()
        large?.end()
        #expect(budget.taken == 0)
        var shares = [try read(budget), try read(budget)]
        // A text that cannot fit is not read.
        #expect(
            isOverloaded { () throws(SpeechError) in
                _ = try budget.read(Self.long, factor: 2) { () throws(SpeechError) in
                    Issue.record("The text was read although the budget is exceeded.")
                    return 0
                }
            })
        #expect(budget.taken == 2 * Self.long)
        shares = []
        #expect(budget.taken == 0 && shares.isEmpty)
    }

    @Test("Long texts are read one after another")
    func turns() throws {
        let budget = TextBudget(limit: 100 * Self.long)
        let (reading, done) = (Monitor((now: 0, most: 0)), Monitor(0))
        for _ in 0..<8 {
            startThread("reader") {
                let share = try? budget.read(Self.long, factor: 1) { () throws(SpeechError) in
                    let isFirst = reading.update { reading in
                        reading.now += 1
                        reading.most = max(reading.most, reading.now)
                        return reading.most == 1 && done.read { $0 } == 0
                    }
                    // Wait until all other threads are waiting for their turn. Without the budget, they would read
                    // concurrently.
                    if isFirst { budget.waitForTaken(8 * Self.long) }
                    reading.update { $0.now -= 1 }
                }
                // The texts are kept until every thread has read its text.
                done.update { $0 += 1 }
                _ = done.wait { $0 == 8 ? true : nil }
                share?.1?.end()
            }
        }
        _ = done.wait { $0 == 8 ? true : nil }
        #expect(reading.read { $0.most } == 1)
    }

    // MARK: - Tests with a service

    private static let script = "<speak>" + String(repeating: "<emphasis>Word</emphasis> ", count: 1000) + "</speak>"

    private func serving(_ body: (WebServing, TestEngine) throws -> Void) throws {
        var limits = ServiceLimits()
        // A single text is allowed and fills the budget.
        limits.textMemory = 64 << 10
        let engine = TestEngine(framesPerByte: 1, lanes: 1)
        try WebServing.run(engine, limits) { web throws in try body(web, engine) }
    }

    @Test(
        "Over HTTP, exceeding the budget results in a 503 response with Retry-After, and short texts are still spoken")
    func service() throws {
        try serving { web, engine in
            engine.hold()
            let call = WebServing.call(Self.script, voice: "Ann", #","input_format":"ssml""#)
            let first = try web.client()
            try first.send("POST", "/v1/audio/speech", body: call)
            engine.waitForSentences(1)
            for input in [call, WebServing.call(String(repeating: "word ", count: 4000))] {
                let refused = try web.ask("POST", "/v1/audio/speech", body: input)
                #expect(refused.status == 503 && refused.errorCode == "busy" && refused["retry-after"] == "1")
            }
            let short = try web.client()
            try short.send("POST", "/v1/audio/speech", body: WebServing.call("Short."))
            web.double.warm.counters.waitForSpeeches(2)
            first.stream.stop()
            web.service.texts.waitForTaken(0)
            engine.release()
            #expect(try short.reply().status == 200)
            #expect(try web.ask("POST", "/v1/audio/speech", body: call).status == 200)
        }
    }
}
