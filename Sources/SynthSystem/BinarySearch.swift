extension Collection where Index == Int {
    /// Returns the first index whose element satisfies a condition that also holds for all later elements, or `endIndex`
    /// if there is none. Takes logarithmic time.
    @inlinable
    package func firstSortedIndex(where isAtOrAfter: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isAtOrAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
