import Foundation

/// Tests with repetitions have a short form, which the suite runs, and a long one, which `Scripts/test --long` runs.
public enum LongForm {
    public static let isAsked = ProcessInfo.processInfo.environment["SYNTHHOST_LONG"] != nil

    public static func choose<Value>(_ usual: Value, long: Value) -> Value { isAsked ? long : usual }
}
