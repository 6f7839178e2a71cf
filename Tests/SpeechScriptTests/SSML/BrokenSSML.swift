/// Scripts of SSML that are refused, with what is wrong and where.
enum BrokenSSML {
    static let form = [
        ScriptExample("", "1:1 expected <speak>"),
        ScriptExample(" \n Hello", "2:2 expected <speak>"),
        ScriptExample("<p>Hi</p>", "1:1 expected <speak>"),
        ScriptExample("</speak>", "1:1 expected <speak>"),
        ScriptExample("<speak>\n<p>Hi</speak>", "2:6 expected </p>"),
        ScriptExample("<speak>\n é<s>Hi</S>", "2:8 expected </s>"),
        ScriptExample("<speak><s>Hi</s>", "1:17 expected </speak>"),
        ScriptExample("<speak>Hi</speak", "1:17 expected >"),
        ScriptExample("<speak", "1:7 expected >"),
        ScriptExample("<speak/>x", "1:9 unexpected x"),
        ScriptExample("<speak/>&amp;", "1:9 unexpected &"),
        ScriptExample("<speak/><speak/>", "1:9 unexpected <speak>"),
        ScriptExample("<speak/></speak>", "1:9 unexpected </"),
        ScriptExample("<speak/><![CDATA[a]]>", "1:9 unexpected <![CDATA["),
        ScriptExample("<speak>1 < 2</speak>", "1:10 unexpected <"),
        ScriptExample("<speak>a\n]]></speak>", "2:1 unexpected ]]>"),
        ScriptExample("<speak><!-- a -- b --></speak>", "1:15 unexpected --"),
        ScriptExample("<speak><!-- a", "1:14 expected --"),
        ScriptExample("<speak><!-- a --", "1:17 expected -->"),
        ScriptExample("<speak><![CDATA[a", "1:18 expected ]]>"),
        ScriptExample("<speak><?a", "1:11 expected ?>"),
        ScriptExample("<speak><? a?></speak>", "1:8 unexpected <?"),
        ScriptExample("<speak><!ELEMENT a></speak>", "1:8 unexpected <!"),
        ScriptExample("<?xml version='1.0'?>\n<!DOCTYPE speak [<!ENTITY a 'b'>]><speak/>", "2:1 refused <!DOCTYPE"),
        ScriptExample(" <?xml version='1.0'?><speak/>", "1:2 unexpected <?xml"),
        ScriptExample("<?xml encoding='utf-8'?><speak/>", "1:1 expected version"),
        ScriptExample("<?xml version='1.0' encoding='latin1'?><speak/>", "1:31 bad encoding latin1"),
        ScriptExample("<?xml version='1.0' a='b'?><speak/>", "1:21 unexpected a"),
        ScriptExample("<?xml version='1.0'", "1:20 expected ?>"),
    ]

    static let tags = [
        ScriptExample("<speak a='1' b='2' a='3'/>", "1:20 unexpected a"),
        ScriptExample("<speak a='1'b='2'/>", "1:13 unexpected b"),
        ScriptExample("<speak a=1/>", "1:10 expected \""),
        ScriptExample("<speak a/>", "1:9 expected ="),
        ScriptExample("<speak 1='a'/>", "1:8 unexpected 1"),
        ScriptExample("<speak a='x/>", "1:14 expected '"),
        ScriptExample("<speak a=\"x>\n<b/></speak>", "2:1 unexpected <"),
        ScriptExample("<speak / >", "1:9 expected >"),
        ScriptExample("<speak \(String(repeating: "a", count: 257))=''/>", "1:8 longer than 256"),
        ScriptExample(
            "<speak\((0...32).map { " a\($0)=''" }.joined())/>",
            "1:\(8 + (0..<32).map { " a\($0)=''".count }.reduce(0, +)) unexpected a32"),
        ScriptExample(String(repeating: "<speak>", count: 65), "1:\(64 * 7 + 1) deeper than 64"),
    ]

    static let characters = [
        ScriptExample("<speak>a & b</speak>", "1:10 unexpected &"),
        ScriptExample("<speak>&nbsp;</speak>", "1:8 refused &nbsp;"),
        ScriptExample("<speak a='&b;'/>", "1:11 refused &b;"),
        ScriptExample("<speak>&amp</speak>", "1:12 expected ;"),
        ScriptExample("<speak>&#0;</speak>", "1:8 unexpected &#0;"),
        ScriptExample("<speak>&#xD800;</speak>", "1:8 unexpected &#xD800;"),
        ScriptExample("<speak>&#1114112;</speak>", "1:8 unexpected &#1114112;"),
        ScriptExample("<speak>&#99999999999999999999;</speak>", "1:8 unexpected &#99999999999999999999;"),
        ScriptExample("<speak>&#x;</speak>", "1:8 unexpected &#"),
        ScriptExample("<speak>&#a;</speak>", "1:8 unexpected &#"),
        ScriptExample("<speak>\n\u{0}</speak>", "2:1 unexpected U+0000"),
        ScriptExample("<speak>é\u{1B}[0m</speak>", "1:9 unexpected U+001B"),
        ScriptExample("<speak>\u{FFFF}</speak>", "1:8 unexpected U+FFFF"),
    ]

    static let values = [
        ScriptExample("<speak>\n<break time='1'/></speak>", "2:14 bad time 1"),
        ScriptExample("<speak><break time='-1s'/></speak>", "1:21 bad time -1s"),
        ScriptExample("<speak><break time='600.1s'/></speak>", "1:21 bad time 600.1s"),
        ScriptExample("<speak><break time='1 s'/></speak>", "1:21 bad time 1 s"),
        ScriptExample("<speak><break time='1e1s'/></speak>", "1:21 bad time 1e1s"),
        ScriptExample("<speak><break strength='huge'/></speak>", "1:25 bad strength huge"),
        ScriptExample("<speak><prosody rate='quick'/></speak>", "1:23 bad rate quick"),
        ScriptExample("<speak><prosody rate='+0.2'/></speak>", "1:23 bad rate +0.2"),
        ScriptExample("<speak><prosody rate='nan'/></speak>", "1:23 bad rate nan"),
        ScriptExample("<speak><prosody pitch='2 octaves'/></speak>", "1:24 bad pitch 2 octaves"),
        ScriptExample("<speak><prosody volume='101'/></speak>", "1:25 bad volume 101"),
        ScriptExample("<speak><prosody volume=''/></speak>", "1:25 bad volume "),
        ScriptExample("<speak><voice gender='robot'/></speak>", "1:23 bad gender robot"),
        ScriptExample("<speak><mark/></speak>", "1:8 expected name"),
        ScriptExample("<speak><mark name=''/></speak>", "1:20 bad name "),
        ScriptExample("<speak><phoneme ph='a]]b'>c</phoneme></speak>", "1:21 bad ph a]]b"),
        ScriptExample("<speak><phoneme ph='a]'>c</phoneme></speak>", "1:21 bad ph a]"),
        ScriptExample("<speak><phoneme ph='a&#10;'>c</phoneme></speak>", "1:21 bad ph a\n"),
        ScriptExample("<speak><audio src='a' soundLevel='6'/></speak>", "1:35 bad soundLevel 6"),
        ScriptExample(
            "<speak><voice name='\(String(repeating: "é", count: 2_049))'/></speak>",
            "1:21 bad name \(String(repeating: "é", count: 64))"),
    ]

    static let all = form + tags + characters + values
}
