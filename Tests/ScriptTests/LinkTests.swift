import Foundation
import Testing

/// Tests `Scripts/lib/install/link.py` with small C programs, which `swiftc` links.
@Suite("Relinking programs")
struct LinkTests {
    /// Creates the files that SwiftPM would leave in a folder with this name, and relinks the program.
    private func link(in folder: String, object: String = "hello.o") throws -> (status: Int32, output: String) {
        let home = try ScriptHome()
        try home.makeFolder(folder)
        // SwiftPM quotes paths in the same way as a shell.
        let quoted = "'" + folder.replacing("'", with: #"'\''"#)
        return try home.run(
            #"""
            cd \#(quoted)'
            mkdir built built/hello.product
            printf '#include <stdio.h>\nint main(void) { puts("linked"); }\n' >hello.c
            cc -c -o hello.o hello.c
            cat >built/hello.product/Objects.LinkFileList <<'LIST'
            \#("'" + home.url.path + "/" + quoted.dropFirst())/\#(object)'
            LIST
            cat >commands <<LIST
                args: ["swiftc","-o","$PWD/built/hello","@$PWD/built/hello.product/Objects.LinkFileList"]
            LIST
            ~/synthhost/Scripts/lib/install/link.py commands built made hello
            made/hello
            ls made
            """#)
    }

    @Test(
        "A relinked program runs and is the only file in the output folder",
        arguments: ["plain", "with a space", "it's mine", "größer"])
    func folders(_ name: String) throws {
        let result = try link(in: name)
        #expect(result.status == 0, "\(result.output)")
        let lines = result.output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("+") }
        #expect(lines.suffix(2) == ["linked", "hello"], "\(result.output)")
    }

    /// Returns the output of a script that relinks the files "one" and "two", which have common data.
    ///
    /// - Parameters:
    ///   - modules: The folders with the objects of the files and of the data.
    ///   - options: The options of a link command for `$name`, as JSON.
    private func share(
        _ modules: (files: String, data: String), _ options: String, then commands: String
    ) throws -> (status: Int32, output: [String]) {
        let result = try ScriptHome().run(
            #"""
            mkdir -p \#(modules.files).build \#(modules.data).build built/one.product built/two.product
            cat >data.c <<'CODE'
            static const char words[] = "the words of the list";
            const char *list(void) { return words; }
            int unused(void) { return 7; }
            CODE
            cc -fPIC -c -o \#(modules.data).build/data.o data.c
            cat >file.c <<'CODE'
            #include <stdio.h>
            const char *list(void);
            void speak(void) { puts(list()); }
            int one_main(void) { speak(); return 0; }
            int two_main(void) { speak(); return 0; }
            CODE
            cc -fPIC -c -o \#(modules.files).build/file.o file.c
            for name in one two; do
                printf '%s\n' "$PWD/\#(modules.files).build/file.o" "$PWD/\#(modules.data).build/data.o" >built/$name.product/Objects.LinkFileList
                cat >>commands <<LIST
                args: ["swiftc",\#(options),"-Xlinker","-rpath=\$ORIGIN","@$PWD/built/$name.product/Objects.LinkFileList"]
            LIST
            done
            sed -i 's/^ */    /' commands
            ~/synthhost/Scripts/lib/install/link.py commands built made one two
            ls made
            grep -l 'the words' made/*
            nm -D --defined-only --format=just-symbols made/libSynth*.so
            \#(commands)
            """#)
        return (result.status, result.output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("+") })
    }

    @Test("Two engines share one library for their common data")
    func sharedByEngines() throws {
        let result = try share(
            ("Engine", "CSynthEnglish"),
            #""-emit-library","-Xlinker","-soname=lib$name.so","-o","$PWD/built/lib$name.so""#,
            then: "python3 -c 'import ctypes; ctypes.CDLL(\"made/libtwo.so\").speak()'")
        #expect(result.status == 0, "\(result.output)")
        #expect(
            result.output == [
                "libSynthEnglish.so", "libone.so", "libtwo.so", "made/libSynthEnglish.so", "list",
                "the words of the list",
            ], "\(result.output)")
    }

    @Test("Two programs share one library, which has no entry point")
    func sharedByPrograms() throws {
        let result = try share(
            ("synthhost_check", "SynthSystem"),
            #""-emit-executable","-Xlinker","--defsym","-Xlinker","main=${name}_main","-o","$PWD/built/$name""#,
            then: "made/one; made/two")
        #expect(result.status == 0, "\(result.output)")
        #expect(
            result.output == [
                "libSynthPrograms.so", "one", "two", "made/libSynthPrograms.so", "list", "the words of the list",
                "the words of the list",
            ], "\(result.output)")
    }

    @Test("A failed step is reported without a traceback")
    func failure() throws {
        let result = try link(in: "plain", object: "absent.o")
        #expect(result.status != 0 && result.output.contains("objcopy failed while"), "\(result.output)")
        #expect(!result.output.contains("Traceback"))
    }
}
