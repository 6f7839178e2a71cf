/// Texts in 21 languages, with "|" between the sentences that a reader would expect.
enum Boundaries {
    static let english = [
        "Dr. Brown saw Mrs. Green. |She was ill.", "We met Prof. J. A. White at 9 a.m. |He was late.",
        "See Fig. 3 on p. 12. |It shows more.", "The firm, Acme Inc., grew. |Its rival did not.",
        "He works for Smith Ltd. in Leeds. |She does not.", "I live on Main St. near the park. |You know it.",
        "They came in Oct. 2019 and left in Dec. 2020. |Nobody knew.", "It starts at 6 p.m. |Do not be late.",
        "The U.K. Parliament voted. |Then it rested.", "He moved to the U.S. |They followed him.",
        "“Are you coming?” she asked. |“No.”", "He said, “Stop.” |Then he ran.", "Is it 5? |No, it is 6.",
        "Visit example.org/a.html today. |It is free.", "Version 2.0.1 is out. |Try it.",
        "Mr. and Mrs. Hill left. |Good.",
        "We sell nuts, bolts, etc. to shops. |Call us.", "The cat vs. Dog film won. |I saw it.",
        "Gen. Lee met Lt. Col. Ray. |They spoke.", "Wait... what? |I mean it.", "No. 10 is a door. |It is black.",
        "Is it No. 5? |No. |It is No. 6.", "Her Ph.D. thesis won. |She smiled.", "John F. Kennedy spoke. |We listened.",
        "I asked him. |He said no. |So I left.", "Sgt. A. I. Wood came. |He sat.", "We went up. |Peter stayed.",
        "She is on call. |Art is long.", "They put it on. |Red is best.",
        "I closed the door.|It was late.", "Is it?|Yes, it is.", "It is over!|He left.",
        "They met in Paris.|Then it rained.",
        "“Stop!”|She ran off.", "He didn't.|Nobody did.", "Use Node.js or v2.Beta today. |Or www.Example.org.",
        "See index.php?Name=5 there. |It works.", "1. First |2. Second |3. Third", "1. First. |2. Second.",
        "Buy: 1. bread |2. milk.",
        "1) First |2) Second", "1.) First. |2.) Second.", "a. Bread |b. Butter |c. Jam", "• One |• Two",
        "• 9. One |• 10. Two",
        "The gate was closed.12 |Nobody came.", "It was “the pit.”7 |He left.", "It rose (a lot).3 |Then it fell.",
        "It was so.11 12 |Nobody knew.", "See No.12 there. |It is big.",
        "He worked at Yahoo! in those days. |He liked it.",
        "Rs. 500 is due. |Pay now.", "See N°. 77 here. |It is odd.", "Read Isa. 40:31 now. |It is short.",
        "He left at 6 p.m. |Mary did not.", "At 6 p.m. Mary left. |He did not.", "We met at 7 p.m. Tuesday. |He came.",
        "It cost £140 12s. 6d. then. |It was dear.", "He said “[...] more” and left. |She did not.",
        "The thing is . . . I forgot. |He knew.", "The C.E.O. A. B. Hall quit. |Stocks fell.",
        "He paid 1,000.|That is a lot.", "It began in 1998.|The war came.", "Use v2.Beta, 1.100.Alpha and 3.Or.js.",
        "He left the U.S. |Thousands followed.", "Q. Where is it? |A. It is here.",
        "We sat. |a) tea |b) milk", "It is (see app. a) and so on) true.", "She ran. |...and then it fell.",
        "Title\n|=====\n|Some text.", "____\n|Some text\n|----\n|More text", "a\n--- b",
        "He told my friend\nMary everything.", "The capital is\n______ and it is old.", "He wrote to Mr. ...and",
        "The (new) plan works. |b) next", "See section 501.A of the act.",
        "He left (etc.)\u{2060}’ ‘\u{2060}(\u{2060}the rest).",
        "<h2 class=\"top\">Hello</h2> |<p>This is it. |Another one.</p> |<div>The end</div>",
        "<em>Yes.</em> |<em>It is</em>!",
        "<ul><li>Bread</li>|<li><b>Butter</b></li></ul> |Then we left.", "He met Dr.</b> Brown. |She left.",
        "It is a <b>big</b> house, and 3 <p or so. |It is 5 < 6. |If a <b and c> d.", "One|<p>Two</P>|Three",
        "<b>Title</b>|<p>Text.</p>|\n<p>More</p>\n</div>\n</body>", "<ul>\n<li>Bread</li>|\n<li>Tea</li>\n</ul>",
        "Use </p>, or not.",
        "Milk\n|Two eggs\n|Bread", "W\nA\nRN\nING", "John Smith\n|12 Main Street\n|Springfield", "Milk\nEggs",
        "Milk\nand\nBread",
        "The sea was cold that night and still\n|No wind would come across the bay\n|Below the dark and silent hill\n|The boats of all the fishers lay",
        "The man who lived in the little house at the end of the long\nRoman road had never seen a train, and he did not want to see one.\n|Nobody could tell why.",
        "One\nTwo\nThree\nand more", "He saw the\nSea and the\nHills",
    ]
    static let german = [
        "Herr Dr. med. Schmidt kam. |Er ging wieder.", "Am 3. Oktober ist frei. |Danach nicht.",
        "Das ist z. B. Hamburg. |Es ist groß.", "Er wohnt in der Goethestr. 5. |Sie auch.",
        "Die Fa. Müller liefert. |Wir zahlen.", "Prof. Dr. h. c. Weber sprach. |Alle hörten zu.",
        "Es kostet ca. 5 Mio. Euro. |Das ist viel.", "Im 19. Jahrhundert war es so. |Heute nicht.",
        "Vgl. Kap. 3, Abs. 2. |Dort steht es.", "Sie kam bzw. Peter kam. |Dann aßen sie.",
        "„Komm!“, rief er. |Sie kam.",
        "Er hat Äpfel, Birnen usw. gekauft. |Sie nicht.", "Das war um 8.30 Uhr. |Dann schlief er.",
        "Ich helfe dir. |Peter hilft ihr.", "Karl d. Gr. war Kaiser. |Er starb 814.",
        "Es ist Di., 14. Okt., in Bonn. |Danach nicht.",
        "Im II. Weltkrieg war es so. |Danach nicht.", "Ludwig XIV. |Er war König.",
        "Es ist aus dem 1. -3. Jahrhundert. |Es ist alt.",
        "Ich sah den\nHund und die\nKatze im\nGarten", "Das steht s. S. 5, s.u. Kapitel 3. |Es ist s.o. |Das gilt.",
        "Das ist ihr 25. Konzert in Wien. |Alle kamen.", "Es sind 20 Min. Fußweg. |Sie geht langsam.",
    ]
    static let french = [
        "M. Dupont et Mme Martin sont là. |Ils parlent.", "MM. Durand et Petit votent. |Ils gagnent.",
        "Le Pr. Morel est venu. |Il a parlé.", "Me. Girard plaide. |Elle gagne.",
        "Il habite 12, Av. Foch. |C'est beau.",
        "« Viens ! » dit-il. |Elle vint.", "Voir p. 12, fig. 3. |C'est clair.", "Il est 20 h. |Nous partons.",
        "Quoi ? |Non ! |Si.", "Mgr. Blanc prie. |Tous prient.",
        "Il va p. ex. Place Foch. |Elle aussi.", "C'était en 52 av. J.-C. |Rome gagna.",
    ]
    static let spanish = [
        "El Sr. López y la Sra. Gil llegaron. |Ellos hablaron.", "Vive en la Av. Colón. |Es larga.",
        "Véase cap. 3, pág. 12. |Es claro.", "Viajó a EE. UU. |Allí vive.",
        "Trabaja en EE. UU. como médico. |Gana bien.",
        "Banco S. A. ganó. |Los socios también.", "¿Vienes? |¡Sí! |Voy.", "La Dra. Ruiz opera. |Él mira.",
        "Ud. tiene razón. |Yo no.", "El gral. Prim murió. |España lloró.",
        "Vive en la Cra. 7 n.º 40. |Es largo.",
        "Nos vemos el lun. 12 de mayo. |Hasta luego.", "Abre de lun.-vie. 9 horas. |Gracias.",
    ]
    static let italian = [
        "Il sig. Rossi e il dott. Bianchi parlano. |Poi escono.", "Vedi pag. 12, fig. 3. |È chiaro.",
        "L'avv. Neri vince. |Tutti ridono.", "Compra pane, latte, ecc. al mercato. |Poi torna.",
        "«Vieni!» disse. |Lei venne.", "La sig.ra Verdi canta. |Noi ascoltiamo.", "Che ora è? |Sono le 5.",
    ]
    static let portuguese = [
        "O Sr. Silva e a Dra. Costa chegaram. |Eles falaram.", "Veja o cap. 3. |É claro.",
        "No séc. XX mudou tudo. |Agora não.", "Mora na Av. Paulista. |É longa.", "Vens? |Não! |Talvez.",
        "O prof. Lima ensina. |Nós ouvimos.", "Leia a pág. 12. |Depois pare.",
    ]
    static let dutch = [
        "Dhr. De Vries en mevr. Bakker kwamen. |Ze spraken.", "Zie blz. 12 en hfst. 3. |Het is daar.",
        "Dat is bijv. Amsterdam. |Het is groot.", "Drs. P. schreef het. |Wij lazen het.", "Kom je? |Nee. |Jammer.",
        "Dr. Jansen kwam i.v.m. Ziekte van Jan. |Hij ging.",
    ]
    static let polish = [
        "Dr Nowak i prof. Kowalski przyszli. |Oni mówili.", "Zob. rys. 3 na str. 12. |To jasne.",
        "Kościół św. Anny stoi. |On jest stary.", "Kościół pw. Św. Anny stoi. |Jest stary.",
        "Mieszka przy ul. Długiej. |To daleko.", "Był tam m.in. Jan. |On śpiewał.", "Idziesz? |Nie. |Szkoda.",
        "Widzimy się w pon. 12 maja. |Do jutra.", "Biuro czynne pon.-pt. 8 godzin. |Zapraszamy.",
    ]
    static let russian = [
        "Парк им. Горького открыт. |Он большой.", "Он живёт на ул. Ленина. |Это далеко.",
        "Яблоки, груши и др. Фрукты тут.", "См. рис. 3 на стр. 12. |Это ясно.", "Проф. Иванов пришёл. |Он говорил.",
        "А. С. Пушкин родился в 1799 г. |Он был поэт.", "«Иди!» — сказал он. |Она пошла.", "Кто там? |Никто. |Хорошо.",
    ]
    static let nordic = [
        "Vi ses kl. 5. |Det blir bra.", "Det är t.ex. Stockholm. |Staden är stor.", "Dr. Olsen kom. |Han gikk.",
        "Vi så bl.a. Anna. |Hon sjöng.", "Den 3. oktober var fri. |Det var fint.",
        "Han bor f.eks. i Oslo. |Det er stort.",
        "Kommer du? |Nej. |Synd.", "Hr. Jensen rejste. |Han kom hjem.",
    ]
    static let czech = [
        "Dr. Novák přišel. |On mluvil.", "Viz str. 12, obr. 3. |To je jasné.", "Je to např. Praha. |Ta je velká.",
        "Dne 3. října bylo volno. |Pak ne.", "Jdeš? |Ne. |Škoda.",
    ]
    static let greek = [
        "Τι κάνεις; |Είμαι καλά.", "Πού πας; |Στο σπίτι. |Έλα.", "Ο κ. Παπαδόπουλος ήρθε. |Μίλησε.",
        "Ο Δρ. Νίκου ήρθε. |Είπε ναι.", "Είδε πόλεις, π.χ. Αθήνα. |Του άρεσε.",
    ]
    static let turkish = [
        "Prof. Yılmaz geldi. |O konuştu.", "Dr. Kaya ve Av. Demir geldi. |Sonra gittiler.",
        "Geliyor musun? |Hayır. |Yazık.",
    ]
    static let hindi = [
        "डॉ. शर्मा आए। |वह बोले।", "यह रु. 500 का है। |महँगा है।", "पं. नेहरू बोले। |सब ने सुना।",
        "क्या तुम आओगे? |हाँ! |ठीक है।", "वह घर गया। |मैं नहीं गया।",
    ]
    static let arabic = [
        "جاء د. أحمد اليوم. |هو طبيب.", "قال م. خالد ذلك. |ثم خرج.", "هل تأتي؟ |نعم. |حسنا.",
        "ذهب إلى البيت. |كان متعبا.",
    ]
    static let hebrew = ["הוא בא. |היא הלכה.", "מה שלומך? |טוב! |יופי.", "ד\"ר כהן בא. |הוא דיבר."]
    static let chinese = [
        "你好。|我很好。", "“快来！”他说。|她来了。", "“快来！”|门开了。", "我见到了Dr. Smith。|他很好。", "他走了很远……|然后他回来了。",
        "我……我不知道。|你呢？", "是吗？|不是！|好的。", "“你是谁？”老师问道。|没有人回答。", "他买了3.5公斤苹果。|很便宜。",
        "我看了《三国》。|很好看。", "她笑着说：“好。”|他走了。",
    ]
    static let japanese = [
        "こんにちは。|元気です。", "「来て！」と彼は言った。|彼女は来た。", "「はい。」|彼は笑った。", "そうだと思う…|でも違った。",
        "その…あの、すみません。|はい。", "本当？|嘘！|そう。", "田中さんは3.5キロ走った。|疲れた。",
    ]
    static let korean = [
        "안녕하세요. |저는 민수입니다.", "정말요? |네! |좋아요.", "그는 “가자.”라고 말했다. |우리는 갔다.",
        "3.5킬로를 달렸다. |힘들었다.",
    ]
    static let thaiAndVietnamese = ["Anh đi đâu? |Về nhà. |Đi nhé.", "TS. Nam đến. |Anh nói.", "สวัสดี! |สบายดีไหม? |ดี"]
    static let ukrainian = [
        "Він живе на вул. Франка. |Це далеко.", "Хто там? |Ніхто. |Добре.", "Проф. Коваль прийшов. |Він говорив.",
    ]

    static let all =
        english + german + french + spanish + italian + portuguese + dutch + polish + russian + nordic + czech + greek
        + turkish + hindi + arabic + hebrew + chinese + japanese + korean + thaiAndVietnamese + ukrainian
}
