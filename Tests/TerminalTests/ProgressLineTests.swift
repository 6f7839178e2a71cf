import SynthSystem
import Testing

@testable import SynthTerminal

@Suite struct ProgressLineTests {
    private let download = Progress(
        label: "Downloading Heart", fraction: 0.42, bytesDone: 63_200_000, bytesTotal: 150_100_000,
        bytesPerSecond: 5_100_000, timeLeft: .seconds(17))

    @Test(
        "The line shows everything if there is enough space and otherwise omits details",
        arguments: [
            (80, "Downloading Heart  42%  63.2 MB of 150 MB  5.1 MB/s  17 s left"),
            (60, "Downloading Heart  42%  63.2 MB of 150 MB  17 s left"),
            (40, "Downloading Heart  42%  17 s left"),
            (20, "Downloading He…  42%"),
            (4, "42%"),
            (2, "4…"),
        ])
    func narrows(width: Int, expected: String) {
        #expect(ProgressLine.draw(download, width: width) == expected)
    }

    @Test("If there are no numbers, the line contains only the label")
    func labelOnly() {
        #expect(ProgressLine.draw(Progress(label: "Loading Heart"), width: 80) == "Loading Heart…")
        #expect(ProgressLine.draw(Progress(label: "Loading Heart"), width: 8) == "Loading…")
    }

    @Test("For a download of unknown size, the bytes received so far are shown")
    func unknownSize() {
        let progress = Progress(label: "Downloading", bytesDone: 1_000_000, bytesPerSecond: 500_000)
        #expect(ProgressLine.draw(progress, width: 80) == "Downloading  1.0 MB  500 kB/s")
    }

    @Test("A label cannot control the terminal, and the line is never too wide", arguments: 1...70)
    func clipped(width: Int) {
        var progress = download
        progress.label = "声\u{1B}[2J\n声"
        let line = ProgressLine.draw(progress, width: width)
        #expect(DisplayWidth.columns(line) <= width)
        #expect(!line.contains("\u{1B}") && !line.contains("\n"))
    }
}
