import SynthSystem
import SynthTerminal
import Testing

@Suite struct ReadableTests {
    @Test(
        "Sizes are shown in decimal units",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (63_201_294, "63.2 MB"),
            (63_471_000, "63.5 MB"), (99_949, "99.9 kB"), (99_950, "100 kB"), (325_532_232, "326 MB"),
            (999_449, "999 kB"), (999_500, "1.0 MB"), (1_500_000_000, "1.5 GB"), (-5, "0 bytes"),
            (Int64.max, "9.2 EB"),
        ] as [(Int64, String)])
    func bytes(count: Int64, expected: String) {
        #expect(ByteCount.words(count) == expected)
    }

    @Test(
        "Durations have at most two units",
        arguments: [
            (Duration.milliseconds(400), "0.4 s"), (.seconds(3), "3 s"), (.milliseconds(9960), "10 s"),
            (.seconds(59), "59 s"), (.seconds(80), "1 min 20 s"), (.seconds(120), "2 min"),
            (.seconds(7500), "2 h 5 min"), (.seconds(-1), "0 s"), (.milliseconds(59_700), "1 min"),
        ])
    func durations(duration: Duration, expected: String) {
        #expect(HumanReadable.duration(duration) == expected)
    }

    @Test(
        "The remaining time has a single unit and is never zero",
        arguments: [
            (Duration.zero, "1 s left"), (.milliseconds(11_200), "12 s left"), (.seconds(170), "3 min left"),
            (.seconds(59 * 60 + 45), "1 h left"), (.seconds(7000), "2 h left"),
        ])
    func timeLeft(duration: Duration, expected: String) {
        #expect(HumanReadable.timeLeft(duration) == expected)
    }

    @Test(
        "100% is shown only when the task is complete",
        arguments: [(0.999, "99%"), (1.0, "100%"), (0.29, "29%"), (1.5, "100%"), (-1, "0%"), (.nan, "0%")])
    func percentages(fraction: Double, expected: String) {
        #expect(HumanReadable.percentage(fraction) == expected)
    }
}
