enum TokenCases {
    static let valid: [ScriptCase] = [
        .init("", ""),
        .init("Hello [pause:0.5s] world.", "0‹Hello › pause(0.5 seconds)6-18 18‹ world.›"),
        .init(
            "a [pause:500ms]b[Pause: 10 s ]c[pause:.25s]",
            "0‹a › pause(0.5 seconds)2-15 15‹b› pause(10.0 seconds)16-30 30‹c› pause(0.25 seconds)31-43"),
        .init("[pause:600s][pause:0s]", "pause(600.0 seconds)0-12 pause(0.0 seconds)12-22"),
        .init("[sfx:chime gain=-6dB channel=bed] Ding", "clip(chime -6.0dB bed)0-33 33‹ Ding›"),
        .init(
            "x [sfx:door bell] y [sfx:a b channel=my bed gain=3]",
            "0‹x › clip(door bell 0.0dB -)2-17 17‹ y › clip(a b 3.0dB my bed)20-51"),
        .init("[sfx:rain/light.wav GAIN=+2.5 dB]", "clip(rain/light.wav 2.5dB -)0-33"),
        .init(
            "Anna: [voice:Heart]Hi.[voice:Bella f] Ho.[voice:] End",
            "0‹Anna: › Heart:19‹Hi.› Bella f:37‹ Ho.› 49‹ End›"),
        .init(
            "[[həlˈoʊ]] you, [voice:B][[a b]]!",
            "0‹[[həlˈoʊ]]›/həlˈoʊ/! 13‹ you, › B:28‹[[a b]]›/a b/! B:35‹!›"),
        .init("one [mark:here] two", "0‹one › mark(here)4-15 15‹ two›"),
        .init(
            #"\[pause:1s] and \[[x]] c:\dir \\"#,
            #"0-2‹[›2‹pause:1s] and ›16-18‹[›18‹[x]] c:\dir \\›"#),
        .init("See [1] and [note], [foo:bar], [pause].", "0‹See [1] and [note], [foo:bar], [pause].›"),
        .init("[ pause:1s] [sfx", "0‹[ pause:1s] [sfx›"),
        .init(
            "One\ntwo\n\nThree [pause:1s]\n\nfour",
            "0‹One⏎two⏎⏎Three › pause(1.0 seconds)15-25 25‹⏎⏎four›"),
        .init("é [pause:1s] ü", "0‹é › pause(1.0 seconds)3-13 13‹ ü›"),
        .init("\u{FEFF}é", "3‹é›"),
    ]

    static let broken: [ScriptCase] = [
        .init("[pause:soon]", #"1:8 badValue(of: "pause", value: "soon")"#),
        .init("a\nb [pause:11min] c", #"2:10 badValue(of: "pause", value: "11min")"#),
        .init("[pause:600s][pause:600.1s]", #"1:20 badValue(of: "pause", value: "600.1s")"#),
        .init("[pause:-1s]", #"1:8 badValue(of: "pause", value: "-1s")"#),
        .init("[pause:s]", #"1:8 badValue(of: "pause", value: "s")"#),
        .init("[pause:1]", #"1:8 badValue(of: "pause", value: "1")"#),
        .init("[pause:1.2.3s]", #"1:8 badValue(of: "pause", value: "1.2.3s")"#),
        .init("[pause:99999999999999999999s]", #"1:8 badValue(of: "pause", value: "99999999999999999999s")"#),
        .init("x [pause:1s\ny]", #"1:12 expected("]")"#),
        .init("é [voice:Heart", #"1:15 expected("]")"#),
        .init("[[abc] x", #"1:6 expected("]]")"#),
        .init("[[abc", #"1:6 expected("]]")"#),
        .init("[[]]", #"1:3 badValue(of: "[[ ]]", value: "")"#),
        .init("[[a[b]]", #"1:3 badValue(of: "[[ ]]", value: "a[b")"#),
        .init("x [sfx:]", #"1:8 badValue(of: "sfx", value: "")"#),
        .init("[sfx:gain=2]", #"1:6 badValue(of: "sfx", value: "")"#),
        .init("[sfx:a gain=loud]", #"1:13 badValue(of: "gain", value: "loud")"#),
        .init("[sfx:a gain=inf]", #"1:13 badValue(of: "gain", value: "inf")"#),
        .init("[sfx:a gain=101]", #"1:13 badValue(of: "gain", value: "101")"#),
        .init("[sfx:a volume=3]", #"1:8 unexpected("volume=")"#),
        .init("[sfx:a gain=1 gain=2]", #"1:15 unexpected("gain=")"#),
        .init("[sfx:a channel=]", #"1:16 badValue(of: "channel", value: "")"#),
        .init("[mark:]", #"1:7 badValue(of: "mark", value: "")"#),
        .init("[mark:a[b]", #"1:7 badValue(of: "mark", value: "a[b")"#),
        .init("[voice:a\u{7}b]", #"1:8 badValue(of: "voice", value: "a\u{07}b")"#),
    ]
}
