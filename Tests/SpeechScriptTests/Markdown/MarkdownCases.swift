enum MarkdownCases {
    static let valid: [ScriptCase] = [
        .init("", ""),
        .init(
            "# Title\n\nHello *big* **world**.\nNext line.",
            "2‹Title› § 9‹Hello ›16‹big›20‹ ›23‹world›30‹. Next line.› ¶"),
        .init("Set\next **b**\n===\n## h **b** ##", "0‹Set ext ›10‹b› § 21‹h ›25‹b› §"),
        .init("***a** b* ~~c~~ ~d~ *e**f**", "3‹a›6‹ b›9‹ ›12‹c›15‹ ›17‹d›19‹ *e›24‹f› ¶"),
        .init("a  \nb\\\nc", "0‹a› . 4‹b› . 7‹c› ¶"),
        .init("# a  \n# b\n- *c  \n  d* e\nf", "2‹a› § 8‹b› § 13‹c› . 19‹d›21‹ e f› ¶"),
        .init(
            "It was a long evening, and nobody in the house had  \nslept. One  \nTwo",
            "0‹It was a long evening, and nobody in the house had›50-53‹ ›53‹slept. One› . 66‹Two› ¶"),
        .init("a\r\n\r\nb\rc", "0‹a› ¶ 5‹b c› ¶"),
        .init("\u{FEFF}# Ä *ö* ü", "5‹Ä ›9‹ö›12‹ ü› §"),
        .init("1. \0\0a", "0‹1.›2-2‹ ›3-4‹\u{FFFD}›4-5‹\u{FFFD}›5‹a› ¶"),
        .init("a\0b *c*", "0‹a›1-2‹\u{FFFD}›2‹b ›5‹c› ¶"),
    ]

    static let dialects: [ScriptCase] = [
        .init("+++\na = 1\n+++\n\nb", "15‹b› ¶"),
        .init("+++\na", "0‹+++ a› ¶"),
        .init("Keel\n:   The *beam*.\n\nRun: 5\n:) c", "0‹Keel› . 9‹The ›14‹beam›19‹.› ¶ 22‹Run: 5 :) c› ¶"),
        .init("> [!WARNING]\n> Stop\n> here", "4-11‹W›11-11‹arning› . 15‹Stop›19-22‹ ›22‹here› ¶"),
        .init("> [!tip]- A *knife*\n> Sharp.\n\n[!a] b", "10‹A ›13‹knife› . 22‹Sharp.› ¶ 30‹[!a] b› ¶"),
        .init(
            "!!! note \"A disk\"\n    Full.\n\n??? info\n    More.",
            "10‹A disk› . 22‹Full.› ¶ 33-37‹I›37-37‹nfo› . 42‹More.› ¶"),
        .init("!!! is odd\nb", "0‹!!! is odd b› ¶"),
        .init("# Rain {#sec .un}\n\n## By {day}\n\na {#b}", "2‹Rain› § 22‹By {day}› § 32‹a {#b}› ¶"),
        .init(
            "[[People/Ann|my aunt]] and [[Bees]], [[A#b]]. ![[c.png]]d",
            "13‹my aunt›22‹ and ›29‹Bees›35‹, ›39‹A›44‹. ›56‹d› ¶"),
        .init("> [!tip] **B** c\n> d", "11‹B›14‹ c› . 19‹d› ¶"), .init("> \\[!a] b", "2-4‹[›4‹!a] b› ¶"),
        .init("> [!a] T  \n> c\n> d", "7‹T› . 13‹c›14-17‹ ›17‹d› ¶"),
        .init("# A {-}\n# {-1, 1}\n# {.5}", "2‹A› § 10‹{-1, 1}› § 20‹{.5}› §"),
        .init("[[#H]] [[A#B/C]] [[a]][[b]]", "3‹H›6‹ ›9‹A›16‹ ›19‹a›24‹b› ¶"),
        .init("[[a b", "0‹[[a b› ¶"), .init("[[1]](x) [[a](y)]", "1‹[1]›8‹ [›11‹a›16‹]› ¶"),
    ]

    static let references: [ScriptCase] = [
        .init(
            "[r]: /x\nfoo [a][r] **b** &amp; c \\* &#65; &unknown; d",
            "8‹foo ›13‹a›18‹ ›21‹b›24‹ ›25-30‹&›30‹ c ›33-35‹*›35‹ ›36-41‹A›41‹ &unknown; d› ¶"),
        .init(
            "a &nbsp;&copy;&NotEqualTilde; &#0; b &#x1F600;&amp;amp;",
            "0‹a ›2-8‹\u{A0}›8-14‹©›14-29‹≂̸›29‹ ›30-34‹\u{FFFD}›34‹ b ›37-46‹😀›46-51‹&›51‹amp;› ¶"),
        .init(
            "![alt *text*](u \"t\") [l](<a b> 't') [m](x(y)z) <https://a.b/?c&amp;d> http://x.y_z",
            "2‹alt ›7‹text›20‹ ›22‹l›35‹ ›37‹m›46‹ ›48‹https://a.b/?c›62-67‹&›67‹d›69‹ http://x.y_z› ¶"),
        .init(
            "[foo]: /url \"title\"\n[bar]: <x>\n'multi\nline'\n[foo] and [words][bar] and [bar][] and [none][x]",
            "45‹foo›49‹ and ›55‹words›66‹ and ›72‹bar›78‹ and [none][x]› ¶"),
        .init("[f]: /u 'a\\''\n[f](b \"c\\\"\") g", "15‹f›26‹ g› ¶"),
        .init("a&nGg;b", "0‹a›1-6‹⋙›6-6‹\u{338}›6‹b› ¶"),
        .init("[a](b\n\"t\") *c*\nd", "1‹a›10‹ ›12‹c›14‹ d› ¶"),
        .init("[a](b) [c](d \"e f\") e f", "1‹a›6‹ ›8‹c›19‹ e f› ¶"),
        .init("x[^1] y\n\n[^1]: note here\n    more\n\nz\nw", "0‹x›5‹ y› ¶ 15‹note here›24-29‹ ›29‹more› ¶ 35‹z w› ¶"),
        .init("[^n]: alone\n\nx[^none].", "6‹alone› ¶ 13‹x›21‹.› ¶"),
        .init("a[^1]\n[^1]: b\n# c", "0‹a› ¶ 12‹b› ¶ 16‹c› §"),
        .init("> a[^1]\n>\n> [^1]: b", "2‹a› ¶ 18‹b› ¶"),
        .init("- a[^1]\n- b\n\n[^1]: c\n\n    d", "2‹a› . 10‹b› ¶ 19‹c› ¶ 26‹d› ¶"),
    ]

    static let quotesAndLists: [ScriptCase] = [
        .init("> q1\n> q2 *x\nlazy* z", "2‹q1›4-7‹ ›7‹q2 ›11‹x lazy›18‹ z› ¶"),
        .init(
            "- a\n  b\n- [ ] task\n- c\n  - d *e*\n    f\n  - g\n\nEnd",
            "2‹a›3-6‹ ›6‹b› . 14‹task› . 21‹c› . 27‹d ›30‹e›32-37‹ ›37‹f› . 43‹g› ¶ 46‹End› ¶"),
        .init(
            "1. one\n1. two\n\n   two more\n5. five",
            "0‹1.›2-2‹ ›3‹one› ¶ 7-9‹2›9-9‹. ›10‹two› ¶ 18‹two more› ¶ 27-29‹3›29-29‹. ›30‹five› ¶"),
        .init("3) x\n4) y", "0‹3)›2-2‹ ›3‹x› . 5‹4)›7-7‹ ›8‹y› ¶"),
        .init(
            "1. [a]: /u\n   foo\n10. > x\n    > *y\n    > z*",
            "0‹1.›2-2‹ ›14‹foo› . 18-21‹2.›21-21‹ ›24‹x›25-32‹ ›33‹y›34-41‹ ›41‹z› ¶"),
        .init("-\ta\n\n\tb\n\tc *d*", "2‹a› ¶ 6‹b›7-9‹ ›9‹c ›12‹d› ¶"),
        .init("- - a\n    *b*", "4‹a›5-10‹ ›11‹b› ¶"),
        .init("> - a\n>   > b\n>   *c*", "4‹a› . 12‹b›13-18‹ ›19‹c› ¶"),
    ]

    static let tables: [ScriptCase] = [
        .init(
            "para\n| h1 | h2 |\n|----|----|\n| a \\| x | *b* |\n| c |\n| done. | next |\n\nz",
            "0‹para› ¶ 7‹h1›10-10‹, ›12‹h2› . 31‹a ›34‹| x›38-38‹, ›41‹b› . 48‹c› . "
                + "54‹done.› . 62‹next› ¶ 70‹z› ¶"),
        .init("> |a|b|\n> |-|-|\n> |c| |", "3‹a›4-4‹, ›5‹b› . 19‹c› ¶"),
        .init("- |a|\n  |-|\n  |\\|c\\|d|", "3‹a› . 16‹|c›19‹|d› ¶"),
        .init("|a<br>b|\n|-|\n|c<br/><br>d|", "1‹a›2-6‹ ›6‹b› . 14‹c›15-20‹ ›24‹d› ¶"),
        .init("a | b\n--|--\n`c\\|d` | [e](f)", "0‹a›2-2‹, ›4‹b› . 13‹c›15‹|d›19-19‹, ›22‹e› ¶"),
    ]

    static let leftOut: [ScriptCase] = [
        .init(
            "a `code  x` b ``c ` d`` `` ` `` e",
            "0‹a ›3‹code  x›11‹ b ›16‹c ` d›23‹ ›27‹`›31‹ e› ¶"),
        .init("> a `x\n>    y` b", "2‹a ›5‹x ›12‹y›14‹ b› ¶"),
        .init("a <b>bold</b><br>c<!-- x\ny --> d", "0‹a ›5‹bold› . 17‹c›30‹ d› ¶"),
        .init(
            "```\ncode\n```\n    indented\n\ntext\n<div>\nhtml\n</div>\n\nafter", "27‹text› ¶ 38‹html› ¶ 51‹after› ¶"),
        .init("a\n\n---\n\nb\n\n***", "0‹a› ¶ pause(1.5 seconds)3-6 8‹b› ¶"),
        .init("---\ntitle: x\n---\n# H", "19‹H› §"),
        .init("---\n\nx", "5‹x› ¶"),
        .init("---\nx", "4‹x› ¶"),
        .init("a <b\r\nc>d<!-- e\r--> f", "0‹a ›8‹d›19‹ f› ¶"),
        .init("![](x) <b></b>\n\n&nbsp;", ""),
    ]

    static let html: [ScriptCase] = [
        .init(
            "<div align=\"center\">\n<h1>Project</h1>\n<p>Fast &amp; small</p>\n</div>\n\nText",
            "25‹Project› § 41‹Fast ›46-51‹&›51‹ small› ¶ 70‹Text› ¶"),
        .init(
            "<p align=\"center\">\n  <img src=\"a.png\" alt=\"The logo\">\n  <b>Bold</b> words\n</p>",
            "43‹The logo›53-56‹ ›59‹Bold›67‹ words› ¶"),
        .init(
            "<details>\n<summary>More</summary>\n\nHidden *text*.\n\n</details>",
            "19‹More› ¶ 35‹Hidden ›43‹text›48‹.› ¶"),
        .init(
            "<center>Hello<br>world</center>\nnot *marked*",
            "8‹Hello› . 17‹world› ¶ 32‹not *marked*› ¶"),
        .init(
            "<table>\n<tr><th>A</th><th>B</th></tr>\n<tr><td>Done.</td><td>&lt;C&gt;</td></tr>\n</table>\n\nEnd",
            "16‹A›26-26‹, ›26‹B› . 46‹Done.› . 60-64‹<›64‹C›65-69‹>› ¶ 90‹End› ¶"),
        .init(
            "<ul>\n<li>one</li>\n<li>two\n</ul>\nafter",
            "9‹one› . 22‹two› ¶ 32‹after› ."),
        .init(
            "<script>\nvar a = \"no\";\n</script>\n\n<style>\n\np { }\n</style>\n\nYes",
            "59‹Yes› ¶"),
        .init(
            "<!-- a -- b\n\nc -->\n\nSeen",
            "20‹Seen› ¶"),
        .init(
            "a <!-- b -- c --> d <!--- e ---> f",
            "0‹a ›17‹ d ›32‹ f› ¶"),
        .init(
            "x <!-- a\n- b -- c\n--> y",
            "0‹x <!-- a› ¶ 11‹b -- c --> y› ¶"),
        .init(
            "<div>\n<!-- a\n\nb -->\n\nSeen\n</div>",
            "21‹Seen› ¶"),
        .init(
            "<div>\n<style>\n\na { }\n\n</style>\n\nSeen",
            "32‹Seen› ¶"),
        .init(
            "<pre><code>let a = 1\n</code></pre>\n\n<pre>\nA poem\n</pre>",
            "42‹A poem› ¶"),
        .init(
            "> <div>\n> quoted\n> text\n\nafter",
            "10‹quoted›16-19‹ ›19‹text› ¶ 25‹after› ¶"),
        .init(
            "- <p>item</p>\n- b",
            "5‹item› . 16‹b› ¶"),
        .init(
            "a<hr>b\n\n<div>c</div>\n<hr>\n<div>d</div>",
            "0‹a›1-5‹ ›5‹b› ¶ 13‹c› ¶ pause(1.5 seconds)21-25 31‹d› ¶"),
        .init(
            "<svg><text>no</text></svg>\n\n<a href=\"x\">link</a> and text",
            "40‹link›48‹ and text› ¶"),
        .init(
            "a <!--> b --> c",
            "0‹a ›7‹ b --> c› ¶"),
        .init(
            "<div title=\"a > b\" alt='x'>c < d && e &unknown; f &#65;</div>",
            "27‹c < d && e &unknown; f ›50-55‹A› ¶"),
        .init(
            "Use `<!-- a -- b -->` and \\<b> here",
            "0‹Use ›5‹<!-- a -- b -->›21‹ and ›26-28‹<›28‹b> here› ¶"),
        .init(
            "<div>\nunclosed <!-- here\n\nSeen",
            "6‹unclosed› ¶ 26‹Seen› ¶"),
        .init(
            "<h2>Head\nline</h2>\n<hr>\n<blockquote>q</blockquote>",
            "4‹Head line› ¶ pause(1.5 seconds)19-23 36‹q› ¶"),
        .init(
            "a <script>var x = 1;</script> b",
            "0‹a ›29‹ b› ¶"),
        .init(
            "The <title> and <select> elements",
            "0‹The ›11‹ and ›24‹ elements› ¶"),
        .init(
            "Line<p>next</p><div>one</div>two",
            "0‹Line›4-7‹ ›7‹next›11-15‹ ›20‹one›23-29‹ ›29‹two› ¶"),
        .init(
            "<div>a</div><div>b</div>\n<br>",
            "5‹a› ¶ 17‹b› ¶"),
        .init(
            "x <style>p { }\n</style> y",
            "0‹x ›14‹ ›23‹ y› ¶"),
    ]

    static let further: [ScriptCase] = [
        .init(
            "a[^b]: c\n\n`[^d]` \\[^e] ![^f] [^g h]",
            "0‹a›5‹: c› ¶ 11‹[^d]›16‹ ›17-19‹[›19‹^e] !›28‹ [^g h]› ¶"),
        .init(
            "|a[^1]|b|\n|:-|-:|\n|c|`[^2]`|\n\n[^1]: note",
            "1‹a›6-6‹, ›7‹b› . 19‹c›20-20‹, ›22‹[^2]› ¶ 36‹note› ¶"),
        .init(
            "[^a]:\n    text\n    [^b]: in it",
            "10‹text› ¶ 25‹in it› ¶"),
        .init(
            "para\n| h1 | h2 |\n|----|----|\n| a | b |",
            "0‹para› ¶ 7‹h1›10-10‹, ›12‹h2› . 31‹a›33-33‹, ›35‹b› ¶"),
        .init(
            "> para\n> |a|b|\n> |-|-|\n> |c|d|\n\n- item\n  |a|\n  |-|\n  |b|",
            "2‹para› ¶ 10‹a›11-11‹, ›12‹b› . 26‹c›27-27‹, ›28‹d› ¶ 34‹item› ¶ 42‹a› . 54‹b› ¶"),
        .init(
            "a|b\n-|-\nc|d\n\n|a|\n|:-:|\n|b|\n|-|\n|c|",
            "0‹a›1-1‹, ›2‹b› . 8‹c›9-9‹, ›10‹d› ¶ 14‹a› . 24‹b› . 28‹-› . 32‹c› ¶"),
        .init(
            "**bold.**[^1] and _x_[^1].\n\n[^1]: n",
            "2‹bold.›13‹ and ›19‹x›25‹.› ¶ 34‹n› ¶"),
        .init(
            "~~~\nx\n~~~\n\ty\n\nz",
            "14‹z› ¶"),
        .init(
            "1. a\n\n   1. b\n   2. c\n\n2. d",
            "0‹1.›2-2‹ ›3‹a› ¶ 9‹1.›11-11‹ ›12‹b› . 17‹2.›19-19‹ ›20‹c› ¶ 23‹2.›25-25‹ ›26‹d› ¶"),
        .init(
            "- [x] done\n- [ ] open",
            "6‹done› . 17‹open› ¶"),
        .init(
            "a\n***\n***\nb\n\nh\n---\n---\nc",
            "0‹a› ¶ pause(1.5 seconds)6-9 10‹b› ¶ 13‹h› § pause(1.5 seconds)19-22 23‹c› ¶"),
    ]

    static let tokens: [ScriptCase] = [
        .init("# A [pause:1s]", "2‹A › pause(1.0 seconds)4-14 §"),
        .init(
            "[voice:Heart] b `[pause:2s]` \\[pause:3s] *c*\n\n- [sfx:x_y_z gain=-6dB]\n- [[abc]] d",
            "Heart:13‹ b ›17‹[pause:2s]›28‹ ›29-31‹[›31‹pause:3s] ›42‹c› ¶ clip(x_y_z -6.0dB -)48-69 . "
                + "Heart:72‹[[abc]]›/abc/! Heart:79‹ d› ¶"),
        .init("&#91;pause:1s]", "0-5‹[›5‹pause:1s]› ¶"),
    ]

    static let broken: [ScriptCase] = [
        .init("a\n\nb **[pause:soon]**", #"3:12 badValue(of: "pause", value: "soon")"#),
        .init("a *[voice:b* c", #"1:15 expected("]")"#),
        .init("> - ä [[x", #"1:10 expected("]]")"#),
    ]
}
