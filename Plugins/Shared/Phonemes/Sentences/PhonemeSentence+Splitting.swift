extension PhonemeSentence {
    /// Cuts a sentence into parts of at most `limit` symbols: after a comma, else at a space, else at the limit.
    ///
    /// A model's memory grows with the length of a run, and a sentence may have any length.
    ///
    /// - Returns: Ranges of `scalars`, in order; spaces at a cut are in none of them.
    package func cuts(atMost limit: Int) -> [Range<Int>] {
        var cuts: [Range<Int>] = []
        var start = 0
        while limit > 0, scalars.count - start > limit {
            let window = scalars[start..<start + limit]
            // An early cut would make many short parts.
            let late = window.dropFirst(limit / 3)
            let end =
                late.lastIndex { $0 == "," || $0 == ";" || $0 == ":" }.map { $0 + 1 }
                ?? late.lastIndex(of: " ") ?? window.endIndex
            cuts.append(start..<end)
            start = end
            while start < scalars.count, scalars[start] == " " { start += 1 }
        }
        if start < scalars.count { cuts.append(start..<scalars.count) }
        return cuts
    }
}
