import SynthEngineProcesses
import TestNumbers
import Testing

@testable import SynthListening

@Suite("Splitting continuous audio into utterances") struct UtteranceTests {
    private struct Found: Equatable {
        var start: Int
        var samples: [Float] = []
        var end: Int?
    }

    /// Adds audio in chunks of equal size and returns the audio of all utterances.
    private func utterances(_ samples: [Float], pieces: Int, pause: Double = 0.8, lead: Double = UtteranceFinder.lead)
        throws -> [Found]
    {
        let finder = UtteranceFinder(rate: GeneratedAudio.rate, pause: pause, lead: lead, nil)
        var (found, sounds): ([Found], [IncomingFrames]) = ([], [])
        func note(_ events: [UtteranceFinder.Event]) {
            for event in events {
                switch event {
                case .begins(let utterance):
                    found.append(Found(start: utterance.start))
                    sounds.append(utterance.sound)
                case .ends(let frame): found[found.count - 1].end = frame
                }
            }
        }
        for start in stride(from: 0, to: samples.count, by: pieces) {
            note(try finder.add(samples[start..<min(samples.count, start + pieces)]))
        }
        note(try finder.finish())
        finder.cancel()
        for (place, sound) in sounds.enumerated() {
            while case .frames(let frames) = sound.next(most: 1 << 20) { found[place].samples += frames }
        }
        return found
    }

    @Test("An utterance starts slightly before its first word and ends with the pause") func pauses() throws {
        var sound = GeneratedAudio(7)
        sound.rest(2)
        sound.speak(1.5)
        sound.rest(0.4)
        sound.speak(1)
        sound.rest(3)
        sound.speak(2)
        sound.rest(5)
        let found = try utterances(sound.samples, pieces: 1000)
        #expect(found.count == 2)
        for (utterance, spoken) in zip(
            found, [sound.speech[0].lowerBound..<sound.speech[1].upperBound, sound.speech[2]])
        {
            let lead = spoken.lowerBound - utterance.start
            #expect((0...GeneratedAudio.rate / 2).contains(lead), "\(lead)")
            let end = try #require(utterance.end)
            #expect(abs(end - spoken.upperBound) < GeneratedAudio.rate / 5, "\(end - spoken.upperBound)")
            let whole = utterance.start..<utterance.start + utterance.samples.count
            #expect(whole.upperBound >= spoken.upperBound + GeneratedAudio.rate / 2)
            #expect(utterance.samples == Array(sound.samples[whole]))
        }
    }

    @Test("The audio before an utterance's first word is as long as requested, within limits") func leads() throws {
        var sound = GeneratedAudio(7)
        sound.rest(0.5)
        sound.speak(1)
        sound.rest(3)
        sound.speak(1)
        sound.rest(2)
        func starts(_ lead: Double) throws -> [Int] {
            try utterances(sound.samples, pieces: 1000, lead: lead).map(\.start)
        }
        let none = try starts(0)
        #expect(none.count == 2)
        for (lead, seconds) in [(0.25, 0.25), (1, 1), (5, UtteranceFinder.longestLead), (-1, 0)] {
            let found = try starts(lead)
            #expect(found == none.map { max(0, $0 - Int(seconds * Double(GeneratedAudio.rate))) }, "\(lead)")
        }
    }

    @Test("The utterances do not depend on the chunk size", arguments: [1, 77, 160, 4096, 100_000]) func pieces(
        _ size: Int
    ) throws {
        var sound = GeneratedAudio(3)
        for seconds in [0.7, 2.1, 0.9] {
            sound.speak(seconds)
            sound.rest(1.7)
        }
        #expect(try utterances(sound.samples, pieces: size) == utterances(sound.samples, pieces: 320))
    }

    @Test("An utterance ends when the audio ends, and no frame belongs to two utterances") func ends() throws {
        var sound = GeneratedAudio(5)
        sound.rest(1)
        sound.speak(1)
        sound.rest(0.5)
        sound.speak(1)
        let short = try utterances(sound.samples, pieces: 500, pause: 0.35)
        #expect(short.count == 2)
        #expect(short[0].start + short[0].samples.count <= short[1].start)
        #expect(short[1].start + short[1].samples.count == sound.samples.count)
        sound.rest(0.2)
        #expect(try utterances([Float](repeating: 0, count: 100_000), pieces: 900).isEmpty)
    }
}
