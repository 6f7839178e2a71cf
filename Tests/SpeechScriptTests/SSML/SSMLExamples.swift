/// Valid SSML documents.
enum SSMLExamples {
    static let structure = [
        ScriptExample("<speak/>"),
        ScriptExample("<speak>Hello world</speak>", "say Hello world"),
        ScriptExample("<speak>  Hello \n\t world  </speak>", "say Hello ~world"),
        ScriptExample("\u{FEFF}<?xml version='1.0' encoding=\"utf-8\"?>\n<speak>Hi</speak>\n", "say Hi"),
        ScriptExample("<?xml version=\"1.0\"?><!-- a --><?go on?><speak>Hi</speak><!-- b --> ", "say Hi"),
        ScriptExample(
            "<ssml:speak xmlns:ssml='x'>A<ssml:break time='1s'/></ssml:speak >",
            "say A", "pause 1000 ms <ssml:break time='1s'/>"),
        ScriptExample("<speak>Tom &amp; Jerry &lt;3</speak>", "say Tom {&|&amp;} Jerry {<|&lt;}3"),
        ScriptExample(
            "<speak>&quot;caf&#233;&#xe9;&#x1F600;&apos;&gt;</speak>",
            "say {\"|&quot;}caf{é|&#233;}{é|&#xe9;}{😀|&#x1F600;}{'|&apos;}{>|&gt;}"),
        ScriptExample("<speak>a<![CDATA[<b> & ]] ]]>c</speak>", "say a~<b> & ]] ~c"),
        ScriptExample("<speak>a<![CDATA[]]>b</speak>", "say a~b"),
        ScriptExample("<speak>one<!-- no - one -->two<?a b?>three</speak>", "say one~two~three"),
        ScriptExample("<speak>one <b>two</b> <i> three</i></speak>", "say one ~two~ ~three"),
        ScriptExample("<speak>a&#32;&#10; b&#160;c</speak>", "say a{ |&#32;}~b{\u{A0}|&#160;}c"),
        ScriptExample(
            "<speak>a\u{2028}b\u{85}c\u{FEFF}d\u{7F}e</speak>",
            "say a{ |\u{2028}}b{ |\u{85}}c{ |\u{FEFF}}d{ |\u{7F}}e"),
        ScriptExample(
            "<?xml version='1.0' encoding='ISO-8859-1'?>\n<!DOCTYPE speak PUBLIC '-//W3C//DTD SYNTHESIS 1.0//EN' "
                + "'http://www.w3.org/TR/speech-synthesis/synthesis.dtd'>\n<speak>Hi</speak>", "say Hi"),
        ScriptExample("<!DOCTYPE speak><speak>Hi</speak>", "say Hi"),
        ScriptExample("<speak>日本語 и кириллица 😀</speak>", "say 日本語 и кириллица 😀"),
        ScriptExample("<speak>a ]]&gt; b ] ]> c</speak>", "say a ]]{>|&gt;} b ] ]> c"),
        ScriptExample("<speak>a<x:y z='1'/>b<speak>c</speak></speak>", "say a~b~c"),
        ScriptExample("<speak><metadata>no <b>one</b></metadata><lexicon uri='x'/>Hi<desc>no</desc></speak>", "say Hi"),
        ScriptExample("<speak><lookup ref='x'><token>New</token> <w>York</w></lookup></speak>", "say New~ ~York"),
        ScriptExample("<speak>very <emphasis level='strong'>good</emphasis>.</speak>", "say very ~good~."),
    ]

    static let blocks = [
        ScriptExample(
            "<speak><p>One.</p><p>Two.</p></speak>",
            "say One.", "end paragraph", "say Two.", "end paragraph"),
        ScriptExample(
            "<speak><s>One</s> <s> Two </s></speak>",
            "say One", "end sentence", "say Two", "end sentence"),
        ScriptExample(
            "<speak><p><s>One</s><s>Two</s></p>Three</speak>",
            "say One", "end sentence", "say Two", "end paragraph", "say Three"),
        ScriptExample("<speak>Zero <p>One</p></speak>", "say Zero", "end paragraph", "say One", "end paragraph"),
        ScriptExample("<speak><s>One</s><p> </p><s/></speak>", "say One", "end paragraph"),
        ScriptExample("<speak><p/><s> </s></speak>"),
        ScriptExample(
            "<speak><p><s>One</s><mark name='m'/></p></speak>",
            "say One", "end paragraph", "mark m <mark name='m'/>"),
        ScriptExample(
            "<speak xml:lang='en'>A <s xml:lang='de'>B</s> <lang xml:lang='fr-CA'>C</lang> D</speak>",
            "say (language=en) A", "end sentence", "say (language=de) B", "end sentence",
            "say (language=fr-CA) C~ ", "say (language=en) D"),
    ]

    static let pauses = [
        ScriptExample(
            "<speak>a <break time='700ms'/> b</speak>",
            "say a", "pause 700 ms <break time='700ms'/>", "say b"),
        ScriptExample(
            "<speak><break/><break strength='weak'/><break strength='strong'></break></speak>",
            "pause 500 ms <break/>", "pause 250 ms <break strength='weak'/>", "pause 1000 ms <break strength='strong'>"),
        ScriptExample("<speak>a <break strength='none'/>b<break strength='x-weak'/></speak>", "say a ~b"),
        ScriptExample(
            "<speak><break time=' +0.5s ' strength='none'/><break time='0s'/><break time='600s'/></speak>",
            "pause 500 ms <break time=' +0.5s ' strength='none'/>", "pause 0 ms <break time='0s'/>",
            "pause 600000 ms <break time='600s'/>"),
        ScriptExample(
            "<speak><break strength='x-strong'/><break time='.25s'/></speak>",
            "pause 1500 ms <break strength='x-strong'/>", "pause 250 ms <break time='.25s'/>"),
        ScriptExample(
            "<speak>Hello <mark name='__spd_0'/> you</speak>",
            "say Hello", "mark __spd_0 <mark name='__spd_0'/>", "say  ~you"),
        ScriptExample(
            "<speak>Hello <mark name='a &amp; b'/></speak>",
            "say Hello", "mark a & b <mark name='a &amp; b'/>"),
    ]

    static let styles = [
        ScriptExample(
            "<speak>a <prosody rate='slow'>b <prosody rate='120%' pitch='+2st'>c</prosody></prosody> d</speak>",
            "say a ", "say (rate=0.75) b ", "say (rate=0.9 pitch=1.122) c~ ", "say d"),
        ScriptExample(
            "<speak><prosody rate='+20%'>a</prosody><prosody rate='-10%'>b</prosody>"
                + "<prosody rate='1.5'>c</prosody><prosody rate='x-fast'>d</prosody></speak>",
            "say (rate=1.2) a", "say (rate=0.9) b", "say (rate=1.5) c", "say (rate=1.75) d"),
        ScriptExample(
            "<speak><prosody rate='0' pitch='900%' volume='+100dB'>a</prosody>"
                + "<prosody volume='+999999dB'><prosody volume='silent'>b</prosody></prosody></speak>",
            "say (rate=0.1 pitch=9 volume=100) a", "say (volume=0) b"),
        ScriptExample(
            "<speak><prosody pitch='x-low'>a</prosody><prosody pitch='-2st'>b</prosody>"
                + "<prosody pitch='+20Hz' range='x-high' contour='(0%,+20Hz)' duration='2s'>c</prosody></speak>",
            "say (pitch=0.707) a", "say (pitch=0.891) b", "say (pitch=1.125 contour=0%:1.125@147-148 range=2) c"),
        ScriptExample(
            "<speak><prosody pitch='200Hz' range='low'>a</prosody><prosody contour='' range='+10Hz'>b<prosody range='+20%'>c</prosody></prosody></speak>",
            "say (range=0.5) a", "say b", "say (range=1.2) c"),
        ScriptExample(
            "<speak>a <prosody contour='(0%,+20Hz) (50%, -10% )(100%,x-high)'>b <b>c</b></prosody> d</speak>",
            "say a ", "say (contour=0%:1.125,50%:0.9,100%:1.414@65-75) b ~c~ ", "say d"),
        ScriptExample(
            "<speak><prosody contour='(60%,+2st) (10%,-2st)'>a</prosody></speak>",
            "say (contour=10%:0.891,60%:1.122@48-49) a"),
        ScriptExample(
            "<speak><prosody contour='(0%,100Hz) (100%,400Hz)' range='+400%'>a</prosody>"
                + "<prosody contour='(0%,80Hz)(-5%,+1st)(101%,+1st)'>b</prosody></speak>",
            "say (contour=0%:0.5,100%:2@64-65 range=2) a", "say (contour=0%:1@125-126) b"),
        ScriptExample(
            "<speak><prosody contour='(0%,+1000%)(0%,0)'>a<prosody contour='(50%,+50%)'/>"
                + "<prosody pitch='2' contour='(50%,+50%)'>b</prosody></prosody></speak>",
            "say (contour=0%:10,0%:0.1@44-127) a", "say (pitch=2 contour=50%:1.5@116-117) b"),
        ScriptExample(
            "<speak>a <amazon:effect name='whispered'>b <prosody pitch='2'>c</prosody></amazon:effect>"
                + "<amazon:effect name='drc'>d</amazon:effect></speak>",
            "say a ", "say (whispered) b ", "say (pitch=2 whispered) c", "say d"),
        ScriptExample(
            "<speak><prosody volume='soft'>a</prosody><prosody volume='50'>b</prosody>"
                + "<prosody volume='-3dB'>c</prosody><prosody volume='+10'>d</prosody>"
                + "<prosody volume='medium'>e</prosody></speak>",
            "say (volume=0.501) a", "say (volume=0.5) b", "say (volume=0.708) c", "say (volume=1.1) d", "say e"),
        ScriptExample(
            "<speak><voice name='Heart'>a<voice gender='male'>b</voice></voice>c</speak>",
            "say (voice=Heart) a", "say (voice=Heart gender=male) b", "say c"),
        ScriptExample(
            "<speak><voice gender='female' languages='de:at en'>a<voice name='Bob'>b</voice></voice></speak>",
            "say (voice-language=de gender=female) a", "say (voice=Bob) b"),
        ScriptExample(
            "<speak><voice xml:lang='de-DE' age='7'>a</voice> <voice>b</voice></speak>",
            "say (voice-language=de-DE language=de-DE) a~ ", "say b"),
    ]

    static let words = [
        ScriptExample(
            "<speak>The <sub alias='World Wide  Web'>WWW</sub> is</speak>",
            "say The ~{World Wide Web|WWW}~ is"),
        ScriptExample("<speak><sub alias='abc'>xyz</sub>d</speak>", "say {abc|xyz<}~d"),
        ScriptExample(
            "<speak><sub alias='a &lt; b'/> <sub>c</sub> <sub alias=''>d</sub></speak>",
            "say {a < b|a &lt; b}~ ~c"),
        ScriptExample(
            "<speak>x<sub alias='ab'><b>c</b><mark name='m'/></sub>y</speak>",
            "say x~{ab|<b>c</b><mark name='m'/>}~y"),
        ScriptExample("<speak><say-as interpret-as='characters'>ab1</say-as>.</speak>", "say {A|a}{ B|b}{ 1|1}~."),
        ScriptExample(
            "<speak>It is <say-as interpret-as='spell-out'>a b&amp;ß</say-as>x</speak>",
            "say It is ~{A|a} {B|b}{ &|&amp;}{ ß|ß}~{ |_}x"),
        ScriptExample(
            "<speak><say-as interpret-as='verbatim'>e\u{301}2</say-as> <say-as interpret-as='date'>1.2.</say-as></speak>",
            "say {E|e}\u{301}{ 2|2}~ ", "say (is=date) 1.2."),
        ScriptExample(
            "<speak>You say <phoneme alphabet='ipa' ph='təˈmeɪ'>tomato</phoneme> so</speak>",
            "say You say ", "say (/təˈmeɪ/) tomato", "say  so"),
        ScriptExample(
            "<speak><phoneme ph='a'>x</phoneme><phoneme ph='a'>y z</phoneme></speak>",
            "say (/a/) x", "say (/a/) y z"),
        ScriptExample(
            "<speak>a <phoneme ph='&#x259; b'/> c</speak>",
            "say a ", "say (/ə b/ only) {ə b|&#x259; b}", "say  c"),
        ScriptExample(
            "<speak><phoneme alphabet='x-sampa' ph='A'>ah</phoneme> <phoneme ph=' '>oh</phoneme></speak>",
            "say ah~ ~oh"),
        ScriptExample(
            "<speak>a<phoneme ph='b'><prosody rate='fast'>x <mark name='m'/><break/>y</prosody></phoneme></speak>",
            "say a", "mark m <mark name='m'/>", "say (/b/) x ~y"),
        ScriptExample(
            "<speak>a <mark name='m'/><phoneme ph='b'>c</phoneme></speak>",
            "say a", "mark m <mark name='m'/>", "say  ", "say (/b/) c"),
    ]

    static let clips = [
        ScriptExample(
            "<speak>Press <audio src='chime'/> now</speak>",
            "say Press ", "clip chime [] <audio src='chime'/>", "say  now"),
        ScriptExample(
            "<speak>Say <audio src='a'>two</audio>\n three <audio src='b'>four</audio></speak>",
            "say Say ", "clip a [say two] <audio src='a'>two</audio>", "say  ~three ",
            "clip b [say four] <audio src='b'>four</audio>"),
        ScriptExample(
            "<speak><audio src='a.wav' soundLevel='+6dB'><desc>no</desc>The <b>bell</b></audio></speak>",
            "clip a.wav 6 dB [say The ~bell] "
                + "<audio src='a.wav' soundLevel='+6dB'><desc>no</desc>The <b>bell</b></audio>"),
        ScriptExample("<speak>a <audio src=''>b</audio> <audio>c</audio></speak>", "say a ~b~ ~c"),
        ScriptExample(
            "<speak><p><audio src='a'><p>x<audio src='b'/></p></audio></p></speak>",
            "clip a [say x, clip b [] <audio src='b'/>, end paragraph] <audio src='a'><p>x<audio src='b'/></p></audio>",
            "end paragraph"),
    ]

    static let all = structure + blocks + pauses + styles + words + clips
}
