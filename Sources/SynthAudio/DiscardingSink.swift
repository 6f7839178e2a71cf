/// A sink that drops all sound, for speech of which only the outcome matters.
package final class DiscardingSink: AudioSink {
    package init() {}

    package func begin(_ format: AudioFormat) throws(AudioError) {}
    package func write(_ samples: ArraySlice<Float>) throws(AudioError) {}
    package func finish() throws(AudioError) {}
    package func stop() {}
}
