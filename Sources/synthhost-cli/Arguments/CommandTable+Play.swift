extension CommandTable {
    static let play = CommandDescription(
        word: "play", summary: "play scripts, texts and recorded sounds", name: .play,
        examples: [
            .init("synthhost play chime.wav news.txt", "hear a chime, then a text"),
            .init("synthhost play intro.mp3 chapter.txt outro.mp3 -o chapter.opus", "write all of it to one file"),
            .init("date | synthhost play chime.wav - -v Heart", "let a chime come before what another program prints"),
            .init("synthhost play dialogue.txt --clips sounds", "play a script that names voices and sounds"),
            .init("synthhost play music.flac --gain -12dB", "hear a recorded sound more softly"),
        ],
        positionals: [
            Positional(
                name: "FILE", help: "a text, or a sound in any usual format; - is a text from standard input",
                isRepeatable: true)
        ],
        options: [
            Options.output.description, Options.format.description, Options.quality.description,
            Options.title.description, Options.author.description, Options.clips.description, Options.gain.description,
            Options.lexicon.description, Options.verbatim.description, Options.keepVoice.description,
            Options.engine.description,
            Options.voice.description,
            Options.speaker.description,
            Options.language.description, Options.rate.description, Options.pitch.description,
            Options.volume.description, Options.device.description, Options.yes.description, Options.json.description,
            Options.quiet.description, Options.verbose.description,
        ],
        rules: outputRules,
        exitCodes: ExitCode.allCases,
        notes: [
            "A text may hold tokens: [voice:Heart] until the next one or [voice:], [pause:0.5s], [[ipa]], [sfx:chime gain=-6dB] for "
                + "a sound, and [sfx:rain channel=bed] for one beside the speech. \\[ is a bracket. Markdown (.md) is read without "
                + "its marks, SSML is a file that ends in .ssml or .xml.",
            "A name of a sound is one of the folder of --clips, one of the configuration (`config set clips.chime chime.wav`), or "
                + "a path below the text's own folder.",
            "A file is a sound if the ending of its name says so, and a text otherwise. All sounds become one of 48000 Hz "
                + "with two channels. One file follows the other without a gap.",
            "--rate, --pitch and --volume are of speech, --gain of recorded sounds. Nothing clips, however loud it is.",
            "A sound may be up to two hours long.", fallbackNote,
        ])
}
