import Foundation

/// Some repetitive tests have a short version, which the suite runs, and a long version, which `Scripts/test --long` runs.
public enum LongForm {
    public static let isAsked = ProcessInfo.processInfo.environment["SYNTHHOST_LONG"] != nil

    public static func choose<Value>(_ usual: Value, long: Value) -> Value { isAsked ? long : usual }
}
