import CSynthEngine
import SynthEngineProcesses
import SynthEngineWire

enum SoundChecks {
    static func shortText(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        let spoken = session.speak(session.request())
        guard spoken.status == SYNTH_OK else { return .failed("It returned \(spoken.words).") }
        guard let first = spoken.record.firstAudio else { return .failed("It returned no audio.") }
        session.close()
        let wait = (first - spoken.start).milliseconds
        let time = (spoken.end - spoken.start).milliseconds / 1000
        let length = spoken.record.seconds
        return .passed(
            "It spoke \(length.short) s of audio; the first audio arrived after \(wait.short) ms.",
            [
                Measurement("first audio", wait, "ms"), Measurement("sound", length, "s"),
                Measurement("real-time factor", length > 0 ? time / length : 0),
            ])
    }

    static func begin(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        let sink = try session.speakWhole().record
        guard sink.callsBeforeBegin == 0 else { return .failed("It sent audio or an event before begin.") }
        guard sink.begins.count == 1, let begin = sink.begins.first else {
            return .failed("It called begin \(sink.begins.count) times for one request.")
        }
        guard (1...2).contains(begin.channels) else {
            return .failed("It announced \(begin.channels) channels, but only 1 and 2 are supported.")
        }
        guard (1000...384_000).contains(begin.sampleRate) else {
            return .failed("It announced a sample rate of \(begin.sampleRate) Hz, at which audio cannot be played.")
        }
        session.close()
        return .passed("\(begin.sampleRate) Hz, channels: \(begin.channels).")
    }

    static func sanity(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        let sink = try session.speakWhole().record
        session.close()
        var peak: Float = 0
        var index = 0
        let samples = sink.samples
        while index < samples.count {
            guard samples[index].isFinite else {
                return .failed("Sample \(index) is \(samples[index]), which is not a finite number.")
            }
            peak = max(peak, samples[index].magnitude)
            index += 1
        }
        let measured = [Measurement("peak", Double(peak)), Measurement("sound", sink.seconds, "s")]
        if peak < 0.001 { return .failed("It is silent: the peak is \(peak).", measured) }
        if peak > 4 { return .failed("Its peak is \(Double(peak).short); samples must be between -1 and 1.", measured) }
        // The range allows for 12 words at any speed from a very fast voice to a very slow one.
        guard (0.3...60).contains(sink.seconds) else {
            return .failed(
                "12 words last \(sink.seconds.short) s at the sample rate passed to begin, which is not plausible.",
                measured)
        }
        if peak > 1 { return .warning("Its peak is \(peak); samples should be between -1 and 1.", measured) }
        return .passed("Its peak is \(Double(peak).short), and 12 words last \(sink.seconds.short) s.", measured)
    }

    static func events(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        guard session.can(SYNTH_CAN_TIME_WORDS) else {
            return .skipped("It does not report word timings.")
        }
        let text = "Zürich, a naïve café — déjà vu. “Ελλάδα” is 3.14 km away! 👍🏽 done"
        let bytes = Array(text.utf8)
        let spoken = session.speak(session.request(text, wants: [.word, .sentence, .phoneme]))
        guard spoken.status == SYNTH_OK else {
            return .failed("\(Session.quote(.text(text))) returned \(spoken.words).")
        }
        var latest: [UInt32: RecordingSink.Event] = [:]
        for event in spoken.record.events {
            let (end, overflow) = event.textOffset.addingReportingOverflow(event.textLength)
            let location = "The event for \(event.textLength) bytes from byte \(event.textOffset)"
            guard event.textOffset >= 0, event.textLength >= 0, !overflow, end <= bytes.count else {
                return .failed("\(location) is outside the text.")
            }
            for offset in [event.textOffset, end] where offset < bytes.count && bytes[offset] & 0xC0 == 0x80 {
                return .failed("\(location) is inside a character.")
            }
            guard event.frame >= event.framesBefore else {
                return .failed("\(location) arrived after the audio of frame \(event.frame).")
            }
            if let before = latest[event.kind] {
                guard event.frame >= before.frame else {
                    return .failed("\(location) is earlier in the audio than the previous event.")
                }
                guard event.kind != SYNTH_WORD.rawValue || event.textOffset >= before.textOffset else {
                    return .failed("\(location) is earlier in the text than the previous event.")
                }
            }
            guard event.frame <= spoken.record.frameCount else {
                return .failed("\(location) is after the last frame.")
            }
            latest[event.kind] = event
        }
        session.close()
        let words = spoken.record.events.count { $0.kind == SYNTH_WORD.rawValue }
        guard words > 0 else { return .failed("It declares word timings but reported none.") }
        return .passed("It reported \(words) words, all at valid positions.", [Measurement("words", Double(words))])
    }

    static func determinism(_ subject: Subject) throws -> CheckFinding {
        let session = try Session(subject)
        guard session.can(SYNTH_IS_DETERMINISTIC) else {
            return .skipped("It does not declare that its output is deterministic.")
        }
        let first = try session.speakWhole().record
        try session.speakWhole("Another request comes between.")
        guard try session.speakWhole().record.soundsLike(first) else {
            return .failed("The same request returned different samples the second time.")
        }
        if session.plugin.laneCount > 1 {
            let lane = try session.model.open()
            let sink = RecordingSink()
            subject.step("speaking on a different lane")
            let error = ErrorProbe()
            lane.speak(session.request(), to: sink, error)
            lane.close()
            guard sink.soundsLike(first) else {
                return .failed("The same request returned different samples on a different lane.")
            }
        }
        session.close()
        return .passed("The same request returns the same \(first.samples.count) samples.")
    }
}
