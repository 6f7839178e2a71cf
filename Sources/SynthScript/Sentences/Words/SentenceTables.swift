// Made by Scripts/tables/make-sentence-words.

/// The words of all languages by which a full stop that ends a sentence is told from any other.
///
/// Words have no full stop at their end, and spaces between them. A word in lower case stands for all its spellings, one with a
/// capital for itself alone ("Me", a French lawyer, but not the English "me").
enum SentenceTables {
    /// Abbreviations that never end a sentence, mostly because a name or an example follows.
    static let titles = """
        Av Avv BS Cap Dhr Dir Dna Dott Ds EE Eng GS KS Ks Mevr Mgr Mw PGS Pr Sig Ste TP TS ThS Vve a.u.b abp adm alb allg \
        amm approx arch arq atty avv bc bijv bkz bl bl.a bp brig bv bzgl bzw c.-à-d ca capt cf cfr cie cmdr col cpl cpt d.h \
        d.i d.w.z dhr dipl dipl.-ing dn doc dott dott.ssa doç dr dra dres drs ds dvs dña e.a e.g e.kr eg egr ehem einschl \
        env esp evt evtl excl excma excmo exkl exma exmo f.d f.eks f.kr fam fdo fr fr.o.m geb gegr gen gent.ma gent.mo geom \
        gest ggf gov gral hab habil hon hr hrn i.d.r i.e i.v.m ie ilmo im incl ing inkl insp inż judr jur kath kpt ks lek \
        lic lt m.a.w m.b.t m.e m.fl m.in maj med messrs mevr mgr mlle mlles mm mme mmes mons mr mrs ms mt mudr mw mx napr \
        např nat np o.a o.g o.ä osv p.ej p.es p.ex phdr phil pl pres prof prof.ssa prof.ª profa psicol pvt pw pí płk rag rep \
        rer resp rev röm s.k s.o s.u sac sct sen sgt sig sig.na sig.ra sigg skt sn sog spett spett.le sr sra sras sres srs \
        srta stellv supt sv t.a.v t.ex t.o.m t.o.v tj tzn tzv tzw u.a u.u ud uds ul univ urspr v.a vb vd vds verh vgl viz \
        vorm vs wł yrd yzb z.b z.hd z.t z.zt zgn zzgl örn Św śp św δηλ δρ κ κα καθ κος λ.χ π.χ акад вул г-жа г-н ген доц инж \
        наб напр оз п пгт пер пл пр-т просп проф т.е т.зв т.к т.н тобто тов ул أ.د د ई एड कु डा डॉ पं प्रो मो रु श्री \
        श्रीमती स्व
        """

    /// Abbreviations that may end a sentence: the next word decides.
    static let undecided = """
        Aufl Av Avda Bd Bj Chr Cia Cie Einw Fa Hbf Jahrh Jh Jhd Lgo Me Mill Min Msp Pck Pers Pç Rod Sek Std Stk Temp Trav \
        Tsd UU admón aj al ap apod apr aprox apt arr assn assoc atd attn av avda ave b.a b.sc b.v betr bldg blvd boul bros \
        cad cda cdas cdta cdtas cell co col cont corp ctra cía dcha dept depto dist dpto dép e.d ecc edit ee.uu enz esq est \
        etc ff ft gegr gem gmbh godz govt hab hrn hwy inc itd itp izq j.l jl jr jun jw kw lb lbs lfd ln lt ltd ltda m.a m.d \
        m.fl m.m m.sc m.v mah mies mill mind mio misc mld mln mrd mwst n.chr n.v nachm o.ä obs os osv oz p.p p.st pers pess \
        ph.d phd pkwy prov pza pça qqch qtd rd s.p.a s.r.l segg sek sen sq sr ss st sta sto suiv szt tbsp tel trim tsp tys \
        u.s.w u.ä ungef univ usf usw v.chr v.v vb verd vs wk wks woj ww zob éd ét αρ κ.ά κ.λπ κλπ μ.χ π.χ σελ в вв г гг гр \
        грн доп др изд им каб коп мин млн млрд моб напр обл пр просп р р-н ред рр руб св сек см ср ст сут т.д т.п тис тыс \
        чел шт экз ім أ ص ق.م م هـ आदि सं
        """

    /// Ends of such words, as in German "Goethestr.".
    static let undecidedEnds = """
        -dim -dom -fr -nd -niedz -pt -sa -sab -sam -sex -so -sob -sáb -ven -vie str
        """

    /// Abbreviations before a number, else ordinary words ("No. 5", but "No. I stay.").
    static let beforeNumbers = """
        Afb Apg Art Blz Cap Ch Chap Chr Chron Cor Dan Deut Di Do Dtn Eccl Eccles Eph Eq Eqs Exod Ext Ez Ezek Fig Figs Gal \
        Gál Gén Hab Hag Hch Heb Hebr Hes Hfst Hos Isa Jak Jas Jer Jes Joh Jos Josh Joz Judg Kgs Koh Kol Kon Kor Kön Lev Lk \
        Luc MS MSS Maks Mal Matt Matth Mi Mic Mk Mo Máx Mín Nah Neh Nos Num N° Núm Offb Op Openb PLZ Pag Pet Petr Por Pred \
        Prov Ps Pss Pág Qty Ref Ri Rm Rom Rozdz Rys Réf Röm Sa Sach Sal Sam Sc Sec Sl So Spr Ste Tess Thess Tim Tit Tél Ver \
        Vol Zech Zeph abb abr abs afb ago apr apto art artt aug avr bd bde blz cap caps ch chap chs coll czw dec dez di dic \
        dim dl dom ds déc ed ene eq eqs es ex exp ext fasc feb fev fig figs févr gen gio giu gru hfst hrs hrsg int jan janv \
        jeu jg jue juil jul jun kap kl kr kwi lip lis ll lug lun lut ma mag mai maj maks mar max mer mie min mié mrt máx mär \
        mín nd ndz niedz no nos nov nr nrn nrs num nº núm núms obr oct odst ok okt op ott p pag pagg par para paź pg pkt pn \
        pon por poz pp pt pág págs párr párrf qty qua qui ref rm rozdz rs rte rys réf s sab sam sc sec sect seg sep sept \
        sett sf sob ss st str sty sáb séc sécs tab tel temp tfno th thu thur thurs tlf tue tues tél ur ust ven ver vie vol \
        vols vr wo wrz wt yrs za ziff zm zo Éx č čl śr Быт Втор Гал Деян Евр Еф Иез Иер Ин Исх Кол Кор Лк Макс Мк Мф Ок Откр \
        Пет Притч Пс Рим Стр Тим Фес Флп авг апр вс вт гл д дек кв корп л макс мар ноя нояб ок окт п пн пп пт рис с сб сен \
        сент стор стр табл тел фев февр ч чт янв ج ص ط №
        """

    /// Words that start a sentence rather than continue a name.
    static let starters = """
        a aan aber after again agora ahora ahí ainsi al albo ale all alla alle allora allí alors als also although am ama \
        amanhã an ancak anche ancora and anh ano another antes any ao après aquel aquela aquele aquella aquí are as at auch \
        auf aunque aus aussi außerdem av avant avec ayer bald be because before bei between bij bir bis biz bo both bu bugün \
        burada but by bà bây can car ce ceci cela ces cet cette che chez chi chúng chị ci co com come comme comment como con \
        cosa could cuando cuándo cómo da daar daarna dal dalla damit dan danach dann dans das dat de del della dem demain \
        den denn denna denne depois depuis der dere des desde deshalb después dessa det detta dette deze di did die dies \
        diese diesem diesen dieser dieses disse dit dla dlaczego dnes do doch does domani donc donde door dopo dort dos dove \
        du during dzisiaj dziś där då dónde dün e each ed een efter egli ein eine einem einen einer einige el ela elas ele \
        eles ella ellas elle eller elles ellos em en encore enfin enquanto ensuite entonces entre então er era es esa ese \
        eso essa esse essi esta estas este estes esto estos et ett etter eu even every eğer fakat foi for fra from från för \
        før für gdy gdzie geen gegen gestern gisteren già gli haar had han has hasta have he her here het heute hier hij his \
        hoe hoewel hoje hon how however hoy hun hva hvad hvem hvor hvordan hvorfor hvornår há här hôm họ i ich ici ieri if \
        ihr ihre ik ikke il ils im in innan instead inte into io is isso isto it its ja jag jak je jede jeder jedes jeg jego \
        jeho jej jejich její jetzt jeśli jeżeli jij jullie just jutro już já kde kdo když kein keine khi không kiedy kto l \
        la las later le lei les let leur leurs lo loro lorsque los lub luego lui là ma maar mais man many mas maybe mañana \
        meanwhile med mein meine men mentre mes met meu mi mientras mijn min minha mio mis mit mitt mon moreover morgen most \
        must muy my más mój můj na naar nach nad nas nasz nasıl ne nebo neden nei nej nel nella nerede never nhưng ni nicht \
        nie niet no nobody noch nog noi non none nos nosotros nossa nosso nostro not nothing notre nous now nu nuestra \
        nuestro nun nur náš não nå når nó nós nếu o obwohl och od oder of off og oggi ohne om omdat on ona once onde onder \
        one oni onlar only ono ons ontem onze ook op or ora orada oraz os ou oui our out over où pak par para pela pelo \
        pendant per perché perhaps pero please po pod poi pokud por porque potem potom pour pourquoi prima pro protože proč \
        przez przy puis på při quand quando que quella quello quem questa queste questi questo qui quién quoi qué sa sans \
        schon se según sehr sein seine sem ses seu she should si sie sim sin since sitt siz so sobre some son sono sonra \
        soon sous später still su sua suo sur sus são så sì sí ta tady tak také także tam también também te ten teraz teď \
        też that the their then there therefore these they this those though through ti til till to today todo todos toen \
        tomorrow tous tout toute toutes tra trong trotzdem tu tutaj ty tôi tú u uit um uma umas un una unas und under une \
        uno unos uns unser unsere unter until up usted ustedes už v vad van vandaag var varför ve vem vers vi viele você \
        vocês voi von voor vor vos votre vous vy và vì včera w waar waarom wann want warum was wat wczoraj we weil wel wenn \
        wer were what when where which while who whom whose why wie wij wir with without więc wo would wy während y ya yarın \
        yes yesterday yet yo you your z ze zij zijn zu zum zur zítra à ça çünkü è é él ông önce über đây đó şimdi şu ένα \
        ένας αλλά αν από αυτή αυτό αυτός αύριο για γιατί δεν εδώ εκεί η και με μετά μια ναι ο οι ποιος πού πώς σήμερα στη \
        στην στο στον τα τι το τώρα χθες όμως όταν όχι а або але без в вже ви во вона вони воно все всё вчера вчора вы від \
        він где да де для до его ее если еще ещё её з за завтра затем зачем здесь и из или их й його к как ко когда коли кто \
        между ми мой мы мій на над наш не нет но ні о об он она они оно от по под после потом потім почему при після с свой \
        сегодня со сьогодні та так также також там те тепер теперь ти тоже только тот тут ты у уже хто це цей ця через чому \
        что ще що эта эти это этот я як якщо і із їх її أنا أنت أين إذا إلى بعد تلك ثم ذلك على عندما في قبل قد كان كانت كيف \
        لا لكن لم لماذا ما متى مع من نحن نعم هذا هذه هم هو هي و وقد وكان अब आज आप और कल कहाँ कैसे कौन क्या क्यों जब तब तुम \
        पर फिर मैं यह ये लेकिन वह वे हम ở
        """

    /// Nouns after a number with a full stop that make it an ordinal, as in German "19. Jahrhundert".
    static let ordinalNouns = """
        akt apr april apríla auflage aug august augusta bezirk bundesliga března czerwca december decembra desember dez \
        dezember dubna etage feb febr februar februari februára folge gang geburtstag grudnia halbzeit hälfte jahr \
        jahrhundert jahrhunderts jahrtausend jan januar januari januára jul juli jun juni jänner júla júna kapitel klasse \
        května kwietnia ledna liga lipca listopada listopadu lutego mai maj maja mal marca marts monat mrz mája mär märz nov \
        november novembra okt oktober októbra października platz prosince quartal reich reihe runde satz semester sep sept \
        september septembra sierpnia spieltag srpna staffel stock století storočia stycznia tag tür weltkrieg weltkriegs \
        woche września září århundre århundrede února července června října
        """

    /// Words before a number that make it an ordinal, as in German "am 3. Mai".
    static let ordinalLeaders = """
        ab am beim bis das dein deine deinem deinen deiner deines dem den der des die diese diesem diesen dieser dieses ein \
        eine einem einen einer eines euer eure eurem euren eurer eures ihr ihre ihrem ihren ihrer ihres im ins jede jedem \
        jeden jeder jedes kein keine keinem keinen keiner keines lata latach mein meine meinem meinen meiner meines sein \
        seine seinem seinen seiner seines seit unser unsere unserem unseren unserer unseres vom zum zur
        """
}
