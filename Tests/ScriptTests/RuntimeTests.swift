import Foundation
import Testing
import TestSupport

@Suite("Installing ONNX Runtime", .ownThreads) struct RuntimeTests {
    /// A machine with a new checkout and Debian 12's tools. Its package archive has a single version of the header.
    private func machine(pinned: Bool, interface: String) throws -> ScriptHome {
        let home = try ScriptHome()
        try home.run(
            """
            mkdir -p checkout deb/DEBIAN deb/usr/include/onnxruntime
            cp -r synthhost/Scripts checkout/
            printf 'Package: libonnxruntime-dev\nVersion: 9\nArchitecture: all\nMaintainer: m\nDescription: d\n' \
                > deb/DEBIAN/control
            printf '#define ORT_API_VERSION \(interface)\nOrtGetApiBase\n' \
                > deb/usr/include/onnxruntime/onnxruntime_c_api.h
            dpkg-deb -b deb package.deb
            printf '#!/bin/sh\nexit 1\n' > .local/bin/pkg-config
            printf '#!/bin/sh\nexit 0\n' > .local/bin/apt-cache
            cat > .local/bin/apt-get <<'END'
            #!/bin/sh
            echo "$@" >> "$HOME/calls"
            case "$*" in
            indextargets*) echo http://deb.invalid/debian ;;
            *update*) ;;
            *download\\ libonnxruntime-dev=*) \(pinned) && cp "$HOME/package.deb" ./libonnxruntime-dev_9_all.deb ;;
            *download\\ libonnxruntime-dev) cp "$HOME/package.deb" ./libonnxruntime-dev_9_all.deb ;;
            esac
            END
            cat > .local/bin/python3 <<'END'
            #!/bin/sh
            case "$*" in
            *pip\\ --version) ;;
            *pip\\ download*)
                for word; do [ "$last" != --dest ] || mkdir -p "$word"; last=$word; done ;;
            *zipfile*)
                for folder; do :; done
                mkdir -p "$folder/onnxruntime/capi"
                touch "$folder/onnxruntime/LICENSE" "$folder/onnxruntime/ThirdPartyNotices.txt" \
                    "$folder/onnxruntime/capi/libonnxruntime.so.1.23.2" ;;
            esac
            END
            chmod +x .local/bin/*
            """)
        return home
    }

    private static let hasTools = FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-deb")

    @Test("If the pinned header is no longer available, the archive's current header is used", .enabled(if: hasTools))
    func movedOn() throws {
        let home = try machine(pinned: false, interface: "22")
        let result = try home.run("checkout/Scripts/onnxruntime; checkout/Scripts/onnxruntime")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.hasSuffix("/checkout/.onnxruntime/1.23.2\n"))
        #expect(home.size(of: "checkout/.onnxruntime/1.23.2/include/onnxruntime/onnxruntime_c_api.h") > 0)
        let downloads = try home.run("grep -c download calls").output
        #expect(downloads.hasSuffix("\n2\n"), "\(downloads)")
    }

    @Test(
        "A header is rejected if the engines or the library do not support its API version",
        .enabled(if: hasTools),
        arguments: ["20", "24", "x"])
    func wrongInterface(_ interface: String) throws {
        let home = try machine(pinned: false, interface: interface)
        let result = try home.run("checkout/Scripts/onnxruntime")
        #expect(result.status == 1)
        #expect(result.output.contains("not 21 to 23"), "\(result.output)")
        #expect(try home.run("ls -A checkout/.onnxruntime").output.hasSuffix("checkout/.onnxruntime\n"))
    }

    @Test("A package of the pinned version with a different digest is rejected", .enabled(if: hasTools))
    func forged() throws {
        let home = try machine(pinned: true, interface: "21")
        let result = try home.run("checkout/Scripts/onnxruntime")
        #expect(result.status == 1)
        #expect(result.output.contains("does not match the pinned checksum"), "\(result.output)")
    }
}
