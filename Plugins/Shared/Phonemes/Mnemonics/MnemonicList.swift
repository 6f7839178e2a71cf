/// The phonemes that any of espeak-ng's tables has, by their mnemonics. Each voice has a part of them, and its own sounds for
/// those.
///
/// Left out are stress marks, pauses, breaks and switches to another language: no text may bring them.
enum MnemonicList {
    static let sounds = ##"""
        & &# &/ &: &U~ &i &y &~ * ** *; +2 0 0# 0` 0~ 0~` 1 2 3 3- 3: 4 5 6 7 8 8: :0 :1 ; <h> > ? ?& ?&# ?0 ?A ?E
        ?O ?V ?W ?W# ?e ?i ?o ?u ?y @ @# @- @/ @2 @3 @5 @: @:I @:U @E @I @L @U @Y @i @r A A# A1 A: A@ AI AU AY Au A~
        B C D E E# E% E- E1 E2 E3 E: EI EU Eu E~ G H I I# I1 I2 I2# I3 I: IR I^ Iu I~ J J# J^ K L L/ N N# N- N\ O O#
        O+ O- O1 O2 O: O@ OI OU OY Oa Oi O~ P Q Q" Q2 Q^ Q~ R R2 R3 R4 R^ R^/ S S; S~ T TS U U# U1 U: U@ UR U~ V V#
        VI VR VU V~ V~` W W# W2 W: Wi Wy W~ X Y Y: Y@ Yi Yu Yy Yy: Z Z; Z` _j a a# a#2 a- a. a/ a01 a02 a03 a04 a05
        a06 a07 a08 a09 a10 a11 a12 a13 a14 a15 a16 a17 a18 a19 a2 a20 a21 a22 a23 a24 a25 a26 a27 a28 a29 a30 a31
        a32 a33 a34 a35 a36 a37 a38 a39 a40 a41 a42 a43 a44 a45 a46 a47 a48 a49 a50 a: a:I a:U a:i a:u aE aI aI# aI2
        aI3 aI: aI@ aI~ aU aU# aU: aU@ aU~ aW aY a` aa aai aang aau ai ang au a~ b b# b; c c# c2 cr d d# d- d. d.#
        d2 d; dH dZ dZ; dZ~ d[ d^ d_ d_z\ dz dz# dz. dz; e e# e+ e- e/ e2 e: e@ eA eI eI: eR eU e[u e` ea ee ei eng
        eo eoi eu ey e~ e~` f f; g g# g; gH g~ h h# h` hs ht i i" i# i. i/ i1 i2 i: i@ i@3 iA iAu iE iI iR iU i[ i`
        ia iau ie ing io iou iu iy i~ i~` j j. j/ ja ja# ju k k# k- k; k^ k_h k` kh ky k~ l l# l- l. l/ l/2 l/3 l/4
        l2 l: l; l^ ll m m# m- m; n n# n- n. n.# n2 n; n[ n^ n^# n_ ng o o# o& o+ o- o-: o/ o: o@ oA oI oI~ oU oU#
        oU: o` oe oeng oi ong ou o~ o~` p p# p- p2 p; pF p\ p_h p` ph q q- q0 q1 q3 q4 q46 q7 q8 q9 q` r r" r# r* r-
        r. r/ r/2 r2 r: rR r` s s# s- s. s2 s; s[ s\ s^ ss sx t t# t- t. t.# t2 t3 t; tS tS# tS; tS;- tS;h tS` tS~
        t[ t^ t_h t_s t_s\ t` th tl# ts ts# ts. ts.h ts2 ts; tsh tz u u" u": u# u- u-: u-I u. u1 u2 u: u@ uA uE uI
        uY u` ua uai ue uei ui ung uo uo` u~ u~` v v# v; v` w w# w/ w2 x x# x2 y y& y- y: y@ yE yI yU yY yi yu y~ z
        z# z- z. z/2 z2 z3 z; z` ~
        """##.split { $0 == " " || $0 == "\n" }.map(String.init)

    /// Those that only change the sound before them.
    static let marks: Set<String> = [";", "~", "_j"]

    /// The IPA of sounds for which espeak-ng has a name of its own.
    static let names = [
        "A": "ɑ", "N": "ŋ", "S": "ʃ", "X": "χ", "l-": "ɫ", "o-": "ɤ", "i.": "ɨ", "n^": "ɲ", "k^": "c", "r.": "ɽ",
        "s.": "ʂ",
        "t[": "t̪", "d[": "d̪", "tS": "tʃ", "dZ": "dʒ", "ts.": "ʈʂ", "ts.h": "ʈʂʰ", "tl#": "tɬ", "p`": "pʼ", "t`": "tʼ",
        "k`": "kʼ", "q`": "qʼ", "tʃ`": "tʃʼ", "l#": "l̥", "m#": "m̥", "n#": "n̥", "r#": "r̥",
    ]

    /// A tone stands after its vowel: the number that a language gives it, or its heights from 1 (low) to 5.
    static let tones = [
        "1", "2", "3", "4", "5", "6", "7", "8", "9", "11", "21", "22", "23", "24", "31", "32", "33", "34", "35", "43",
        "44",
        "51", "53", "55", "214",
    ]
}
