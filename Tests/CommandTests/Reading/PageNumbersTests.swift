import Testing

@testable import synthhost_cli

@Suite("Lists of page numbers")
struct PageNumbersTests {
    @Test(
        "Three or more consecutive pages are shown as a range, and a long list is truncated",
        arguments: [
            ([3], "3"), ([3, 4], "3 and 4"), ([3, 4, 5], "3 to 5"), ([1, 3, 4, 5, 9], "1, 3 to 5 and 9"),
            (Array(stride(from: 2, through: 40, by: 2)), "2, 4, 6, 8, 10, 12, 14, 16, 18, 20 and others"), ([], ""),
        ])
    func words(pages: [Int], words: String) { #expect(PageNumbers.words(pages) == words) }
}
