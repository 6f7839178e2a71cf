extension Utterance {
    /// The same utterance as it is said: each stretch keeps the places of what it stands for.
    ///
    /// Edits that touch a stretch whose pronunciation is known already, that overlap one before them, or with which the text
    /// would become too long are left out. The text may become empty.
    ///
    /// - Parameter edits: in ascending order.
    package func applying(_ edits: [TextEdit]) -> Utterance {
        let wanted = accepted(edits)
        if wanted.isEmpty { return self }
        var edited = EditedText(self, edits: wanted.count)
        for edit in wanted { edited.apply(edit) }
        let changed = edited.finish().trimmed
        return changed.text.utf8.count > Self.maximumBytes ? self : changed
    }

    private func accepted(_ edits: [TextEdit]) -> [TextEdit] {
        var end = 0
        var known = pronunciations[...]
        return edits.filter { edit in
            guard !edit.range.isEmpty, edit.range.lowerBound >= end, edit.range.upperBound <= text.utf8.count else {
                return false
            }
            known = known.drop { $0.range.upperBound <= edit.range.lowerBound }
            if let first = known.first, first.range.lowerBound < edit.range.upperBound { return false }
            end = edit.range.upperBound
            return true
        }
    }
}
