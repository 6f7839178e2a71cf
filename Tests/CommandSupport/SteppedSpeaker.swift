package import SynthAudio
package import synthhost_cli
import SynthSystem
package import TestSupport

/// Simulated sound devices with queues and a clock that the test advances. Only the most recently opened device plays.
package final class SteppedSpeaker: Sendable {
    private struct State {
        /// The number of frames in the current device's queue.
        var queued = 0
        var capacity: Int
        var played = 0
        var opened = 0
        /// The index of the device that is playing.
        var current = 0
        var rate = 0
    }
    private let state: Monitor<State>

    /// - Parameter capacity: The length of a device's queue in frames.
    package init(capacity: Int = 2560) { state = Monitor(State(capacity: capacity)) }

    package var devices: SoundDevices {
        SoundDevices(sink: { [self] _ in sink() }, probe: { _ throws(AudioError) in })
    }

    package func sink() -> any AudioSink {
        Device(
            self,
            number: state.update { state in
                state.opened += 1
                return state.opened
            })
    }

    /// The number of frames played by all devices.
    package var played: Int { state.read { $0.played } }
    /// The number of times that a device was opened.
    package var opened: Int { state.read { $0.opened } }

    /// Plays frames as they arrive until `frames` of them have been played or none arrives within the limit. Returns
    /// the number of frames played.
    @discardableResult
    package func play(_ frames: Int, within limit: Duration = .seconds(60)) -> Int {
        var left = frames
        while left > 0 {
            let more = state.wait(timeout: limit) { state -> Int? in
                guard state.queued > 0 else { return nil }
                let count = min(state.queued, left)
                state.queued -= count
                state.played += count
                return count
            }
            guard let more else { break }
            left -= more
        }
        return frames - left
    }

    /// Plays in small steps until the screen contains the text.
    package func play(until text: String, steps: Int = 2000, on terminal: DrawnTerminal) throws {
        for _ in 0..<steps where !terminal.lines.contains(where: { $0.contains(text) }) {
            play(500, within: .milliseconds(20))
        }
        try terminal.wait(for: text, within: .zero)
    }

    private final class Device: AudioSink {
        private let speaker: SteppedSpeaker
        private let number: Int
        private let stopped = Monitor(false)
        private let channels = Monitor(1)
        var isHeard: Bool { true }

        init(_ speaker: SteppedSpeaker, number: Int) {
            self.speaker = speaker
            self.number = number
        }

        func begin(_ format: AudioFormat) throws(AudioError) {
            channels.update { $0 = format.channels }
            speaker.state.update { state in
                (state.current, state.queued, state.rate) = (number, 0, format.sampleRate)
            }
        }

        func write(_ samples: ArraySlice<Float>) throws(AudioError) {
            var left = samples.count / channels.read { $0 }
            while left > 0 {
                let isOver = speaker.state.wait { [number, stopped] state -> Bool? in
                    if stopped.read({ $0 }) || state.current != number { return true }
                    let room = state.capacity - state.queued
                    guard room > 0 else { return nil }
                    let count = min(room, left)
                    state.queued += count
                    left -= count
                    return false
                }
                if isOver != false { return }
            }
        }

        func finish() throws(AudioError) {
            _ = speaker.state.wait { [number, stopped] state -> Bool? in
                stopped.read { $0 } || state.current != number || state.queued == 0 ? true : nil
            }
        }

        func stop() {
            stopped.update { $0 = true }
            speaker.state.update { if $0.current == number { $0.queued = 0 } }
        }

        func queuedFrames() -> Int { speaker.state.read { $0.current == number ? $0.queued : 0 } }
    }
}
