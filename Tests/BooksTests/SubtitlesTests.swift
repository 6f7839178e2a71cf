import Testing

@testable import SynthBooks

@Suite("Joining subtitles")
struct SubtitlesTests {
    @Test("Joined subtitles are numbered consecutively, with times relative to the entire recording")
    func srt() {
        var subtitles = Subtitles(.srt)
        subtitles.add(
            "1\n00:00:00,100 --> 00:00:01,900\nOne\ntwo --> three\n\n2\n00:00:02,000 --> 00:00:02,500\nFour\n\n", at: 0)
        subtitles.add("1\n00:00:00,100 --> 00:59:59,999\nFive\n\n", at: 3_601_001)
        #expect(
            subtitles.text == """
                1
                00:00:00,100 --> 00:00:01,900
                One
                two --> three

                2
                00:00:02,000 --> 00:00:02,500
                Four

                3
                01:00:01,101 --> 02:00:01,000
                Five


                """)
    }

    @Test("Joined WebVTT files have a single header")
    func vtt() {
        var subtitles = Subtitles(.vtt)
        for start in [0, 60_000] {
            subtitles.add("WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n\n", at: start)
        }
        #expect(
            subtitles.text
                == "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nOne\n\n00:01:01.000 --> 00:01:02.000\nOne\n\n")
    }
}
