/// How text is emphasised on a terminal; the raw value is the SGR parameter of ECMA-48.
package enum Emphasis: String, Sendable {
    case strong = "1"
    case faint = "2"
    case failure = "31"
    case success = "32"
    case warning = "33"
}
