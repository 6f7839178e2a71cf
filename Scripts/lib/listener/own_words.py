"""Measures the effect of a vocabulary on recognition: sixty sentences, each with a rare name or term, spoken by Joe and by espeak-ng, and
transcribed with and without a list of all sixty."""

import re

from bench.listening import export
from listener import hearing, packages, people, voices
from listener.host import Host
from listener.scoring import distance

SPEAKERS = {"Joe": ["-v", "Joe", "--variation", "0"], "espeak-ng": ["-v", "en-us"]}
# The tolerance for other words in percentage points.
MARGIN = 0.2
SENTENCES = """
Please forward the letter to Krzysztof before noon. | Krzysztof
The doctor prescribed Metoprolol for her blood pressure. | Metoprolol
We deployed the service on Kubernetes last week. | Kubernetes
Ask Siobhan whether the meeting has moved. | Siobhan
The package from Zhytomyr arrived this morning. | Zhytomyr
Our lawyer is called Featherstonehaugh. | Featherstonehaugh
The choir sang a piece by Szymanowski in the evening. | Szymanowski
My neighbour Oluwaseun repairs old radios. | Oluwaseun
They spent their holiday near Llangollen. | Llangollen
The patient was treated with Rituximab. | Rituximab
I met Xiomara at the station yesterday. | Xiomara
The report was written by Thorvaldsen. | Thorvaldsen
She moved from Albuquerque to Tlaxcala. | Tlaxcala
The database runs on PostgreSQL in two places. | PostgreSQL
Call Aoife if the heating stops again. | Aoife
The museum shows pictures by Hokusai and his school. | Hokusai
He studies the poems of Mayakovsky. | Mayakovsky
The bus to Ystradgynlais leaves at nine. | Ystradgynlais
Doctor Balasubramanian will see you now. | Balasubramanian
The garden is full of agapanthus in summer. | agapanthus
We ordered two plates of gnocchi and a salad. | gnocchi
The treaty was signed in Reykjavik. | Reykjavik
Our guide in the mountains was Tenzing. | Tenzing
The new manager is Mister Wojciechowski. | Wojciechowski
The bridge was designed by Calatrava. | Calatrava
She plays the theorbo in a small orchestra. | theorbo
The nurse gave him Enoxaparin twice a day. | Enoxaparin
Turn left after the church in Godmanchester. | Godmanchester
The invoice from Nakagawa is still open. | Nakagawa
Her thesis is about Kierkegaard and doubt. | Kierkegaard
We saw a quetzal in the cloud forest. | quetzal
The server is called Yggdrasil. | Yggdrasil
Send the drawings to Anneliese in the workshop. | Anneliese
The village of Mousehole lies by the sea. | Mousehole
He was born in Saskatoon and lives in Oaxaca. | Oaxaca
The lecture on Wittgenstein starts at six. | Wittgenstein
Our sponsor this year is Vandersteen. | Vandersteen
The recipe needs a spoon of gochujang. | gochujang
They renamed the ship Eilidh after the storm. | Eilidh
The tablets contain Levothyroxine. | Levothyroxine
A letter from Tchaikovsky was sold at auction. | Tchaikovsky
The castle of Neuschwanstein was crowded. | Neuschwanstein
Our cat is called Bartholomew. | Bartholomew
The seminar on Bourdieu was moved to Friday. | Bourdieu
The contract names Abernathy as the heir. | Abernathy
We hiked along the Yangtze for a week. | Yangtze
Please add Ngozi to the list of guests. | Ngozi
The choir rehearses a motet by Ockeghem. | Ockeghem
The engine was built by Mitsubishi in Nagoya. | Nagoya
The house belongs to the Papadopoulos family. | Papadopoulos
The script calls Terraform every night. | Terraform
Her grandmother came from Szczecin. | Szczecin
The surgeon recommended Bevacizumab. | Bevacizumab
Our teacher of Welsh was Myfanwy. | Myfanwy
The court heard the case of Villanueva. | Villanueva
They planted a row of rhododendrons. | rhododendrons
The keynote was given by Ramanathan. | Ramanathan
The old mill stands near Aberystwyth. | Aberystwyth
The painter Artemisia worked in Naples. | Artemisia
He mixed the glue with xanthan in the kitchen. | xanthan
"""


def run():
    """Prints a table. Returns whether at least half of the names that are missed without the list are recognized with it, and other words
    hardly suffer."""
    packages.prepare()
    packages.exporter()
    pairs = [tuple(part.strip() for part in line.split("|")) for line in SENTENCES.strip().splitlines()]
    names = [name for _, name in pairs]
    print("| speaker | names without the list | with it | other words wrong without it | with it |\n|---|---|---|---|---|")
    missed, gained, before, after, others = 0, 0, 0, 0, 0
    with Host() as host:
        voices.joe()
        host.run("models", "add", export(hearing.TINY), "--engine", "whisper", "--id", "own")
        words = host.home.write("\n".join(names) + "\n", "names.txt")
        for speaker, options in SPEAKERS.items():
            files = []
            for number, (sentence, _) in enumerate(pairs):
                files.append(host.home.file(f"{speaker}-{number:02}.wav"))
                host.run("speak", "-q", "--yes", *options, sentence, "-o", files[-1])
            plain, favored = (people.texts(host, files, "-m", "own", "-l", "en", *more) for more in ((), ("--vocabulary", words)))
            counts = [sum(is_in(name, text) for (_, name), text in zip(pairs, texts)) for texts in (plain, favored)]
            wrong = [[others_wrong(sentence, name, text) for (sentence, name), text in zip(pairs, texts)] for texts in (plain, favored)]
            total = sum(len(people.spelled(sentence, "en")) - len(people.spelled(name, "en")) for sentence, name in pairs)
            rates = [100 * sum(each) / total for each in wrong]
            print(f"| {speaker} | {counts[0]} | {counts[1]} | {rates[0]:.1f} % | {rates[1]:.1f} % |", flush=True)
            for (sentence, name), without, text in zip(pairs, plain, favored):
                if not is_in(name, text) or others_wrong(sentence, name, text) > others_wrong(sentence, name, without):
                    print(f"    {name}: {without!r} → {text!r}")
            missed += len(pairs) - counts[0]
            gained += counts[1] - counts[0]
            before, after, others = before + sum(wrong[0]), after + sum(wrong[1]), others + total
    print(f"Of {missed} missed names, {gained} are recognized with the list ({100 * gained / max(1, missed):.0f} %).")
    return 2 * gained >= missed and 100 * (after - before) / others <= MARGIN


def is_in(name, text):
    return re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE) is not None


def others_wrong(sentence, name, text):
    """Counts the errors outside of the name. A word in place of the name is not an error, whether right or wrong."""
    wanted, heard = people.spelled(sentence, "en"), people.spelled(text, "en")
    own = people.spelled(name, "en")
    begin = next(index for index in range(len(wanted)) if wanted[index:index + len(own)] == own)
    before, behind = wanted[:begin], wanted[begin + len(own):]
    # The name may be recognized as several words.
    return min(
        distance(before, heard[:first]) + distance(behind, heard[last:])
        for first in range(len(heard) + 1) for last in range(first, min(len(heard), first + 5) + 1))
