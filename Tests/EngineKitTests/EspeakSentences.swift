/// Texts to compare with the espeak-ng command.
enum EspeakSentences {
    static let all: [(String, String)] = [
        ("en-us", "Hello world."),
        ("en-us", "The birch canoe slid on the smooth planks."),
        ("en-us", "Glue the sheet to the dark blue background, please."),
        ("en-us", "Is it easy to tell the depth of a well?"),
        ("en-us", "These days a chicken leg is a rare dish!"),
        ("en-us", "Rice is often served in round bowls; soup in deep ones: so it goes."),
        ("en-us", "On 3 May 2021, 14.5% of 1,200 people said “no”."),
        ("en-us", "First line\nSecond line\n\nA new paragraph."),
        ("en-us", "He said (quietly) that it was over..."),
        ("en-gb-scotland", "A large size in stockings is hard to sell."),
        ("de", "Die Größe der Straßen überrascht mich sehr."),
        ("de", "Wie spät ist es, bitte?"),
        ("fr", "L'été dernier, nous étions à la mer."),
        ("es", "¿Dónde está la biblioteca? Está allí."),
        ("it", "La casa è bella e molto grande."),
        ("pl", "Zażółć gęślą jaźń, proszę."),
        ("ru", "Привет, как дела? Всё хорошо."),
        ("ar", "مرحبا بالعالم، كيف حالك؟"),
        ("cmn-latn-pinyin", "你好，世界。今天天气很好。"),
        ("hi", "नमस्ते दुनिया, आप कैसे हैं?"),
    ]
}
