extension SentenceWords {
    /// Hindi.
    static let hindi = SentenceWords(
        titles: "डॉ डा श्री श्रीमती पं प्रो रु मो स्व कु ई एड",
        undecided: "आदि सं",
        starters: "वह यह वे ये मैं हम तुम आप और लेकिन पर फिर अब जब तब क्या कौन कहाँ क्यों कैसे आज कल")
}
