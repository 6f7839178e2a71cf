/// The words of one language by which a full stop that ends a sentence is told from any other.
///
/// Lists are written without full stops at the end of a word, with spaces between words. A word in lower case stands for
/// all its spellings, one with a capital for itself alone ("Me", a French lawyer, but not the English "me").
struct SentenceWords: Sendable {
    /// Abbreviations that never end a sentence, mostly because a name or an example follows.
    var titles = ""
    /// Abbreviations that may end a sentence: the next word decides.
    var undecided = ""
    /// Ends of such words, as in German "Goethestr.".
    var undecidedEnds = ""
    /// Abbreviations before a number, else ordinary words ("No. 5", but "No. I stay.").
    var beforeNumbers = ""
    /// Words that start a sentence rather than continue a name.
    var starters = ""
    /// Nouns after a number with a full stop that make it an ordinal, as in German "19. Jahrhundert".
    var ordinalNouns = ""
    /// Words before a number that make it an ordinal, as in German "am 3. Mai".
    var ordinalLeaders = ""
}
