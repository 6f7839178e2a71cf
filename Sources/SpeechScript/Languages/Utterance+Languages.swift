extension Utterance {
    /// The same as several utterances, one for each stretch of letters that a voice of its language cannot read, each with
    /// its language in its style. Of a part that is said as a whole, and of phonemes in brackets, nothing is cut.
    ///
    /// - Parameters:
    ///   - language: of the text (BCP-47).
    ///   - isSpoken: whether something speaks a language.
    package func cutAtLanguages<Failure>(
        _ language: String, where isSpoken: (String) throws(Failure) -> Bool
    ) throws(Failure) -> [Utterance] {
        let runs = try ForeignRuns.find(in: text, of: language, where: isSpoken)
        if runs.allSatisfy({ $0.language == nil }) || text.contains("[[") { return [self] }
        let wholes = pronunciations.map(\.range) + readings.map(\.range)
        var stretches: [ForeignRuns.Run] = []
        for run in runs {
            let isCut = wholes.contains { $0.lowerBound < run.range.lowerBound && run.range.lowerBound < $0.upperBound }
            if let last = stretches.last, isCut || last.language == run.language {
                stretches[stretches.count - 1].range = last.range.lowerBound..<run.range.upperBound
            } else {
                stretches.append(run)
            }
        }
        if stretches.count == 1, stretches[0].language == nil { return [self] }
        let parts = cut(at: stretches.map(\.range.upperBound))
        guard parts.count == stretches.count else { return [self] }
        return zip(parts, stretches).map { part, stretch in
            guard let language = stretch.language else { return part }
            var part = part
            part.style.language = language
            part.style.voice = nil
            return part
        }
    }
}
