"""The table of all components: those that an installed tree contains, that its programs link, and that they open on demand. The notice,
the SPDX document and their test are generated from it.

A new library of the distribution, or a new file from another author, needs a row here; `Scripts/release/test-install` fails without
it.
"""

import dataclasses
import fnmatch

SYNTHHOST = "synthhost"
OURS = "2026 the authors of synthhost"
SWIFT = "2014-2026 Apple Inc. and the authors of the Swift project"
GPL = "GPL-3.0-or-later"
WITH_SWIFT = "Apache-2.0 WITH Swift-exception"

# How programs use a component: it is in the tree; the loader finds it in the distribution; or a function opens it there on demand, and is
# disabled without it.
INSIDE, LINKED, OPENED = "inside", "linked", "opened"


@dataclasses.dataclass(frozen=True)
class Part:
    name: str
    # An SPDX license expression.
    license: str
    holder: str
    what: str
    # The component's home page, or "" for synthhost's own components.
    home: str
    # Patterns for files in the tree. A file belongs to the first row that matches, or else to synthhost itself.
    files: tuple = ()
    # Patterns for library names that programs link (DT_NEEDED) or open.
    libraries: tuple = ()
    is_opened: bool = False
    # The path of the license text in the tree.
    words: str = ""
    # A fixed version, or the program from which `tree.version` reads the version; "" if it is unknown or known from a Debian package.
    version: str = ""
    # The package URL, with {} for the version.
    purl: str = ""

    def has_file(self, path):
        return any(fnmatch.fnmatchcase(path, pattern) for pattern in self.files)

    def has_library(self, name):
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in self.libraries)

    @property
    def identifier(self):
        return "SPDXRef-Package-" + "".join(letter if letter.isalnum() else "-" for letter in self.name)


PARTS = (
    # ---- Included ----
    Part(
        "Engines that link espeak-ng", GPL, OURS,
        "the engines for eSpeak NG, Piper and Kokoro. They link libespeak-ng, so each engine as a whole is under the license of "
        "libespeak-ng, which allows linking ONNX Runtime (MIT) and libarchive (BSD-2-Clause). Each engine is a plugin that runs in a "
        "separate process",
        "",
        files=tuple(f"lib/synthhost/plugins/lib{name}.so" for name in ("EspeakNG", "Kokoro", "Piper"))
        + tuple(f"share/doc/synthhost/{name}/LICENSE*" for name in ("EspeakNG", "Kokoro", "Piper")),
        words="share/doc/synthhost/EspeakNG/LICENSE", version=SYNTHHOST),
    Part(
        "The engine Hibari", "Apache-2.0", OURS,
        "speaks with small voices that were distilled from Kokoro. It links neither espeak-ng nor ONNX Runtime", "",
        files=("lib/synthhost/plugins/libHibari.so", "share/doc/synthhost/Hibari/LICENSE*"),
        words="share/doc/synthhost/Hibari/LICENSE", version=SYNTHHOST),
    Part(
        "Word lists of misaki", "Apache-2.0", "hexgrad and the authors of misaki",
        "the pronunciation of English words, for Hibari and Kokoro, as a shared library. The library also contains two networks "
        "of this project: one for words that are not in the lists, and one for parts of speech, which was trained with labels from spaCy's "
        "en_core_web_sm (MIT) for sentences from MASC, State of the Union addresses, WordNet and Debian's fortunes, and does not "
        "contain these sentences",
        "https://github.com/hexgrad/misaki",
        files=("lib/synthhost/libSynthEnglish.so",), words="share/doc/synthhost/LICENSE", version="0.9.4",
        purl="pkg:pypi/misaki@{}"),
    Part(
        "The recognizers Whisper, Parakeet and Silero", "Apache-2.0", OURS,
        "transcribe speech with models of Whisper and Parakeet, and detect speech with a model of Silero. They are plugins that run in "
        "separate processes; the library that runs models, which Piper and Kokoro also use, links ONNX Runtime", "",
        files=tuple(f"lib/synthhost/plugins/lib{name}.so" for name in ("Parakeet", "Silero", "Whisper"))
        + ("lib/synthhost/libSynthInference.so",)
        + tuple(f"share/doc/synthhost/{name}/LICENSE*" for name in ("Parakeet", "Silero", "Whisper")),
        words="share/doc/synthhost/Whisper/LICENSE", version=SYNTHHOST),
    Part(
        "libdispatch", WITH_SWIFT, "2008-2026 Apple Inc. and the authors of the Swift project",
        "work queues and C blocks, which the Swift runtime uses",
        "https://github.com/swiftlang/swift-corelibs-libdispatch",
        files=("lib/synthhost/libdispatch.so", "lib/synthhost/libBlocksRuntime.so", "lib/synthhost/libswiftDispatch.so"),
        words="share/doc/synthhost/swift-runtime/LICENSE.txt", version="swift",
        purl="pkg:github/swiftlang/swift-corelibs-libdispatch@swift-{}-RELEASE"),
    Part(
        "Swift runtime", WITH_SWIFT, SWIFT,
        "the standard library of Swift: strings, tasks, regular expressions, atomics and the like",
        "https://github.com/swiftlang/swift",
        files=("lib/synthhost/libswift*.so", "share/doc/synthhost/swift-runtime/*"),
        words="share/doc/synthhost/swift-runtime/LICENSE.txt", version="swift",
        purl="pkg:github/swiftlang/swift@swift-{}-RELEASE"),
    Part(
        "ONNX Runtime", "MIT", "Microsoft Corporation",
        "runs the models of all plugins that link it; ThirdPartyNotices.txt.gz contains the licenses of its components",
        "https://github.com/microsoft/onnxruntime",
        files=("lib/synthhost/libonnxruntime.so*", "share/doc/synthhost/onnxruntime/*"), libraries=("libonnxruntime.so.*",),
        words="share/doc/synthhost/onnxruntime/LICENSE", version="onnxruntime",
        purl="pkg:github/microsoft/onnxruntime@v{}"),
    Part(
        "Unicode CLDR", "Unicode-DFS-2016", "1991-2022 Unicode, Inc.",
        "the names of units, currencies, months and emoji, as language tables",
        "https://cldr.unicode.org",
        files=(
            "lib/synthhost/languages/*/cldr.txt", "lib/synthhost/languages/*/emoji.txt",
            "lib/synthhost/languages/LICENSE-Unicode.txt"),
        words="lib/synthhost/languages/LICENSE-Unicode.txt", version="41"),
    # ---- Linked libraries of the distribution ----
    Part(
        "eSpeak NG", GPL, "2005-2014 Jonathan Duddington; 2015-2022 Reece H. Dunn and others",
        "converts text to phonemes, and speaks; linked by the engines", "https://github.com/espeak-ng/espeak-ng",
        libraries=("libespeak-ng.so.*",)),
    Part(
        "Sonic", "Apache-2.0", "2010-2022 Bill Cox", "changes the tempo of speech and keeps its pitch",
        "https://github.com/waywardgeek/sonic", libraries=("libsonic.so.*",)),
    Part(
        "libsamplerate", "BSD-2-Clause", "2002-2021 Erik de Castro Lopo and others", "changes the sample rate",
        "https://libsndfile.github.io/libsamplerate", libraries=("libsamplerate.so.*",)),
    Part(
        "ALSA library", "LGPL-2.1-or-later", "1998-2023 Jaroslav Kysela, Takashi Iwai and others", "plays on sound devices",
        "https://www.alsa-project.org", libraries=("libasound.so.*",)),
    Part(
        "libarchive", "BSD-2-Clause", "2003-2023 Tim Kientzle and others", "unpacks archives of voices, and computes digests",
        "https://libarchive.org", libraries=("libarchive.so.*",)),
    Part(
        "libcurl", "curl", "1996-2026 Daniel Stenberg and many others", "downloads voices, in a separate program",
        "https://curl.se", libraries=("libcurl.so.*",)),
    Part(
        "libxml2", "MIT", "1998-2026 Daniel Veillard and others", "reads books and pages, in a separate program",
        "https://gitlab.gnome.org/GNOME/libxml2", libraries=("libxml2.so.*",)),
    Part(
        "GNU C Library", "LGPL-2.1-or-later", "1991-2026 Free Software Foundation, Inc. and others",
        "the C library of all programs in the distribution", "https://www.gnu.org/software/libc/",
        libraries=(
            "ld-linux-*.so.*", "libc.so.*", "libdl.so.*", "libm.so.*", "libpthread.so.*", "libresolv.so.*", "librt.so.*",
            "libutil.so.*")),
    Part(
        "GCC runtime", "GPL-3.0-or-later WITH GCC-exception-3.1", "1988-2026 Free Software Foundation, Inc. and others",
        "the compiler's runtime libraries for C++ and Swift", "https://gcc.gnu.org",
        libraries=("libatomic.so.*", "libgcc_s.so.*", "libstdc++.so.*")),
    # ---- Libraries of the distribution that are loaded on demand ----
    Part(
        "libsndfile", "LGPL-2.1-or-later", "1999-2022 Erik de Castro Lopo and others",
        "reads audio files, and writes FLAC, Ogg, Opus and MP3", "https://libsndfile.github.io/libsndfile",
        libraries=("libsndfile.so.*",), is_opened=True),
    Part(
        "libopusenc", "BSD-2-Clause AND BSD-3-Clause", "1994-2018 Xiph.Org Foundation, Jean-Marc Valin and others", "writes Opus",
        "https://opus-codec.org", libraries=("libopusenc.so.*",), is_opened=True),
    Part(
        "libebur128", "MIT", "2011-2021 Jan Kokemueller", "measures the loudness of voices",
        "https://github.com/jiixyj/libebur128", libraries=("libebur128.so.*",), is_opened=True),
    Part(
        "md4c", "MIT", "2016-2024 Martin Mitáš", "reads Markdown",
        "https://github.com/mity/md4c", libraries=("libmd4c.so.*", "libmd4c-html.so.*"), is_opened=True),
    Part(
        "ICU", "Unicode-DFS-2016", "1995-2022 International Business Machines Corporation, Unicode, Inc. and others",
        "converts numbers to words, and selects plural forms", "https://icu.unicode.org", libraries=("libicui18n.so.*",),
        is_opened=True),
)

# The files that match no row.
OWN = Part(
    SYNTHHOST, "Apache-2.0", OURS,
    "the host, its programs, the example engine Tone, the page, the guides and the list of voices", "",
    files=("*",), words="share/doc/synthhost/LICENSE", version=SYNTHHOST)


def of_file(path):
    """Returns the component of a file in the tree, or `None` for a library without a row, which must be from another author."""
    part = next((part for part in PARTS if part.has_file(path)), None)
    if part:
        return part
    is_foreign = path.startswith("lib/synthhost/lib") and not path.startswith("lib/synthhost/libSynth") and ".so" in path
    return None if is_foreign else OWN


def of_library(name):
    """Returns the component of a distribution's library, if there is a row for it."""
    return next((part for part in PARTS if part.has_library(name)), None)
