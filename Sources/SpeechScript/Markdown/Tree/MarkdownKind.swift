/// What the parts of a document are, by the library's names.
enum MarkdownKind: String {
    case document
    case quote = "block_quote"
    case list
    case item
    case task = "tasklist"
    case codeBlock = "code_block"
    case htmlBlock = "html_block"
    case paragraph
    case heading
    case thematicBreak = "thematic_break"
    case note
    case table
    case headerRow = "table_header"
    case row = "table_row"
    case cell = "table_cell"
    case text
    case softBreak = "softbreak"
    case lineBreak = "linebreak"
    case code
    case html = "html_inline"
    case emphasis = "emph"
    case strong
    case struck = "strikethrough"
    case link
    case image
    case noteReference
    case other

    /// Parts that are left out with all that is in them.
    var isLeftOut: Bool { self == .codeBlock || self == .htmlBlock }
}
