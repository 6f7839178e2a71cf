import CSynthCurl

/// The libcurl handles for a job. A connection is reused after its response has been read completely. Not thread-safe.
final class Connection {
    /// The parameters of a request, and its callbacks.
    struct Request {
        let url: String
        let fields: [String]
        /// The first and last byte, or nil for the entire file.
        let range: ClosedRange<Int64>?
        /// The callbacks, which receive `context`.
        let head: synth_curl_take
        let body: synth_curl_take
        let context: UnsafeMutableRawPointer
    }

    enum End {
        /// libcurl's result code and its description.
        case code(CURLcode, detail: String)
        /// The request was abandoned because `wait` returned nil.
        case abandoned
    }

    private let multi: UnsafeMutableRawPointer?
    private let easy: UnsafeMutableRawPointer?
    /// The buffer into which libcurl writes its error message.
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init() {
        _ = synth_curl_start()
        multi = curl_multi_init()
        easy = curl_easy_init()
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_multi_cleanup(multi)
        words.deallocate()
    }

    /// Runs a request until it ends. Redirects are not followed.
    ///
    /// - Parameter wait: a closure that is called repeatedly. The closure returns the maximum time to wait for the
    ///   network, or nil to abandon the request.
    func run(_ request: Request, wait: () -> Duration?) -> End {
        guard let multi, let easy else { return .code(CURLE_OUT_OF_MEMORY, detail: "not enough memory") }
        let fields = request.fields.reduce(nil as UnsafeMutablePointer<curl_slist>?) { curl_slist_append($0, $1) }
        defer { curl_slist_free_all(fields) }
        prepare(easy, request, fields)
        curl_multi_add_handle(multi, easy)
        defer { curl_multi_remove_handle(multi, easy) }
        while true {
            var running: Int32 = 0
            guard curl_multi_perform(multi, &running) == CURLM_OK else {
                return .code(CURLE_FAILED_INIT, detail: "libcurl failed")
            }
            if running == 0 { return end(of: multi) }
            guard let pause = wait() else { return .abandoned }
            // Add a millisecond to make sure that the pause has elapsed.
            curl_multi_poll(multi, nil, 0, Int32(clamping: Int(pause / .milliseconds(1)) + 1), nil)
        }
    }

    private func prepare(
        _ easy: UnsafeMutableRawPointer, _ request: Request, _ fields: UnsafeMutablePointer<curl_slist>?
    ) {
        curl_easy_reset(easy)
        words[0] = 0
        synth_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, words)
        synth_curl_set_text(easy, CURLOPT_URL, request.url)
        synth_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        synth_curl_set_number(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        synth_curl_set_number(easy, CURLOPT_NOSIGNAL, 1)
        // Do not wait for name resolution when a request is abandoned.
        synth_curl_set_number(easy, CURLOPT_QUICK_EXIT, 1)
        // A larger buffer requires fewer reads from the socket.
        synth_curl_set_number(easy, CURLOPT_BUFFERSIZE, 512 << 10)
        // Ignore the headers of a proxy's response to CONNECT.
        synth_curl_set_number(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        synth_curl_set_text(easy, CURLOPT_USERAGENT, "synthhost")
        synth_curl_set_pointer(easy, CURLOPT_HTTPHEADER, fields)
        if let range = request.range {
            synth_curl_set_text(easy, CURLOPT_RANGE, "\(range.lowerBound)-\(range.upperBound)")
        }
        synth_curl_set_take(easy, CURLOPT_HEADERFUNCTION, request.head)
        synth_curl_set_pointer(easy, CURLOPT_HEADERDATA, request.context)
        synth_curl_set_take(easy, CURLOPT_WRITEFUNCTION, request.body)
        synth_curl_set_pointer(easy, CURLOPT_WRITEDATA, request.context)
    }

    private func end(of multi: UnsafeMutableRawPointer) -> End {
        var left: Int32 = 0
        let code = curl_multi_info_read(multi, &left)?.pointee.data.result ?? CURLE_FAILED_INIT
        let detail = words[0] == 0 ? curl_easy_strerror(code).map { String(cString: $0) } : String(cString: words)
        return .code(code, detail: detail ?? "")
    }

    /// Returns the target URL of a redirect, or nil if it is invalid.
    static func target(_ location: String, from url: String) -> String? {
        let address = curl_url()
        defer { curl_url_cleanup(address) }
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME)
        guard curl_url_set(address, CURLUPART_URL, url, flags) == CURLUE_OK,
            curl_url_set(address, CURLUPART_URL, location, flags | UInt32(CURLU_URLENCODE)) == CURLUE_OK
        else { return nil }
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(address, CURLUPART_URL, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
