import CommandSupport
import Testing
import TestSupport

@Suite("Comparing spoken files", .ownThreads)
struct ReferenceSoundTests {
    static let sentences: [(voice: String, text: String)] = [
        ("en-us", "Good morning."),
        ("en-us", "A quick brown fox jumped over the lazy dog."),
        ("en-us", "Would you mind closing the window, please?"),
        ("en-us", "Stop that at once!"),
        ("en-us", "Mr. Brown paid 3.50 dollars for 12 apples, e.g. red ones."),
        ("en-us", "First came the rain; then the wind; then, at last: silence."),
        ("en-us", "The meeting (which nobody liked) ended at 10:45."),
        ("en-us", "Seventeen ships sailed slowly past the southern shore"),
        ("en-gb", "She said that she would, and so she did."),
        ("en-gb-scotland", "It was a cold and windy night."),
        ("de", "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich."),
        ("de", "Können Sie mir bitte helfen?"),
        ("fr-fr", "Le petit chat dort près de la fenêtre."),
        ("es", "El niño come una manzana roja."),
        ("it", "Domani andremo tutti al mare."),
        ("pl", "Pójdźmy dzisiaj do kina."),
        ("ru", "Сегодня очень хорошая погода."),
        ("el", "Καλημέρα σε όλους."),
        ("hi", "मेरा नाम राम है।"),
        ("tr", "Bugün hava çok güzel."),
    ]

    @Test("The same text always yields bit-identical files")
    func deterministic() throws {
        let home = try UserHome()
        for file in ["one.wav", "two.wav"] {
            let result = try home.run("speak", "-e", "tone", "-o", home.file(file), "Hello, world. Again!", "And more")
            #expect(result.code == 0)
        }
        let (one, two) = (try home.data("one.wav"), try home.data("two.wav"))
        #expect(one == two && one.count > 44)
    }

    @Test("A sentence matches the output of espeak-ng's own program", arguments: sentences)
    func sentence(voice: String, text: String) throws {
        let home = try UserHome()
        try compare(text, voice: voice, home)
    }

    @Test("Several sentences match the output of espeak-ng's own program")
    func together() throws {
        let home = try UserHome()
        try compare(Self.sentences.prefix(8).map(\.text).joined(separator: " "), voice: "en-us", home)
    }

    private func compare(_ text: String, voice: String, _ home: UserHome) throws {
        let model = try ChildProcess(
            "/usr/bin/env",
            arguments: ["espeak-ng", "-v", voice, "-w", home.file("model.wav"), text].map { Array($0.utf8) },
            environment: home.environment)
        try #require(try model.finish().code == 0, "Install it with: sudo apt install espeak-ng")
        // The gain that raises espeak-ng's voices to the common loudness is removed.
        try home.write(#"{"engines": {"espeak-ng": {"gain": 0}}}"#, to: "data/synthhost/models.json")
        let result = try home.run(
            "speak", "-e", "espeak-ng", "-v", voice, "--verbatim", "-o", home.file("ours.wav"), text)
        #expect(result.code == 0, "\(result.errors)")
        let (ours, theirs) = (try home.wav("ours.wav"), try home.wav("model.wav"))
        #expect(ours.sampleRate == theirs.sampleRate)
        #expect(abs(ours.seconds / theirs.seconds - 1) < 0.02, "\(ours.seconds) s instead of \(theirs.seconds) s")
        #expect(abs(ours.level - theirs.level) < 1, "\(ours.level) dB instead of \(theirs.level) dB")
    }
}
