import Foundation
import Testing

/// Tests `Scripts/lib/install/link.py` with small C programs instead of Swift programs.
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
                args: ["cc","-fuse-ld=gold","-o","$PWD/built/hello","@$PWD/built/hello.product/Objects.LinkFileList"]
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

    @Test("Two engines share one library for their common data")
    func sharedLibrary() throws {
        let result = try ScriptHome().run(
            #"""
            mkdir -p CSynthEnglish.build built/one.product built/two.product
            cat >data.c <<'CODE'
            static const char words[] = "the words of the list";
            const char *list(void) { return words; }
            int unused(void) { return 7; }
            CODE
            cc -fPIC -c -o CSynthEnglish.build/data.o data.c
            cat >engine.c <<'CODE'
            #include <stdio.h>
            const char *list(void);
            void speak(void) { puts(list()); }
            CODE
            cc -fPIC -c -o engine.o engine.c
            for name in one two; do
                printf '%s\n' "$PWD/engine.o" "$PWD/CSynthEnglish.build/data.o" >built/$name.product/Objects.LinkFileList
                cat >>commands <<LIST
                args: ["cc","-shared","-fuse-ld=gold","-Xlinker","-rpath=\$ORIGIN","-o","$PWD/built/lib$name.so","@$PWD/built/$name.product/Objects.LinkFileList"]
            LIST
            done
            sed -i 's/^ */    /' commands
            ~/synthhost/Scripts/lib/install/link.py commands built made one two
            ls made
            grep -l 'the words' made/*
            nm -D --defined-only --format=just-symbols made/libSynthEnglish.so
            python3 -c 'import ctypes; ctypes.CDLL("made/libtwo.so").speak()'
            """#)
        #expect(result.status == 0, "\(result.output)")
        let lines = result.output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("+") }
        #expect(
            lines == [
                "libSynthEnglish.so", "libone.so", "libtwo.so", "made/libSynthEnglish.so", "list",
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
