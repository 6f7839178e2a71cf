extension Voice {
    package init(
        _ document: VoiceDocument, model: Model?, files: [ModelFile], alternative: [ModelFile],
        sources: [String: Source], folder: String? = nil
    ) {
        let source = document.source.flatMap { sources[$0] }
        let card: String? =
            if let card = source?.card, let first = files.first?.url, let slash = first.lastIndex(of: "/") {
                String(first[...slash]) + WebAddress.percentEncoded(card)
            } else { document.card }
        self.init(
            id: document.id, engine: document.engine, name: document.name, language: document.language,
            accent: document.accent, gender: document.gender, grade: document.grade, quality: document.quality,
            licence: document.licence, cardURL: card, speakers: document.speakers ?? [],
            aliases: document.aliases ?? [], gain: document.gain ?? 0, cost: document.cost ?? model?.cost,
            starter: document.starter, isRecommended: document.recommended ?? false,
            unsupported: document.unsupported, model: model, files: files,
            alternative: alternative,
            folder: folder ?? document.id)
    }

    /// The part of it that is stored in a record: everything except the addresses, which may change.
    package var document: VoiceDocument {
        VoiceDocument(
            id: id, engine: engine, name: name, language: language, accent: accent, gender: gender, grade: grade,
            quality: quality, licence: licence, card: cardURL, aliases: aliases.isEmpty ? nil : aliases,
            speakers: speakers.isEmpty ? nil : speakers, gain: gain == 0 ? nil : gain, starter: starter,
            recommended: isRecommended ? true : nil, model: model?.id)
    }
}
