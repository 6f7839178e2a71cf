"""Collects the files of an image from Debian packages that are unpacked without being installed."""

import io
import posixpath
import re
import subprocess
import tarfile

# The ID of the user that runs the programs, and the only folder to which they write.
USER = 65532
VOLUME = "/data"

CERTIFICATES = "usr/share/ca-certificates/mozilla/"
# In Debian, these are only symbolic links, but some packages still use them in file names.
MERGED = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
# A service needs libraries and the files that they read, but no other programs, no documents except licenses, and no files for other
# systems.
LEFT_OUT = re.compile(
    r"""(?x)
    (usr/)?s?bin/(?!synthhost$) | etc/(?!os-release$|debian_version$) | var/ | root$ | home$ | srv$ | opt$ | mnt$ | media$ | boot$
    | usr/(games|include|local|src)(/|$) | usr/lib/(systemd|tmpfiles\.d|sysusers\.d|init|dbus-1\.0|mime)(/|$)
    | usr/share/(?!alsa/|base-files/|common-licenses/|ca-certificates/mozilla/|doc/)
    | usr/share/doc/[^/]+/(?!copyright$|ThirdPartyNotices|third-party\.md|synthhost\.spdx\.json)
    """)


class Tree:
    def __init__(self):
        self.entries = {}
        self.data = {}
        self.add_folder("dev")
        self.add_folder("proc")
        self.add_folder("sys")
        self.add_folder("run")
        self.add_folder("tmp", 0o1777)
        self.add_folder("var/tmp", 0o1777)
        self.add_folder(VOLUME.lstrip("/"), 0o755, USER)

    # ---- Contents ----

    def add_package(self, package):
        """Adds the files of a package, and its metadata for programs that scan for versions with known vulnerabilities."""
        with tarfile.open(fileobj=io.BytesIO(said_by("dpkg-deb", "--fsys-tarfile", package))) as archive:
            for member in archive:
                name = posixpath.normpath(member.name).lstrip("/")
                if name != ".":
                    self.add_member(archive, member, merged(name))
        control = said_by("dpkg-deb", "-f", package)
        name = re.search(rb"^Package: (\S+)$", control, re.M)[1].decode()
        self.add_file(f"var/lib/dpkg/status.d/{name}", control)

    def add_member(self, archive, member, name):
        if member.isdir() or LEFT_OUT.match(name):
            return
        if member.issym():
            return self.add_link(name, member.linkname)
        # A hard link becomes a separate file.
        self.add_file(name, archive.extractfile(member).read(), member.mode & 0o755)

    def add_users(self):
        user = f"synthhost:x:{USER}:{USER}::{VOLUME}:/nonexistent\n"
        self.add_file("etc/passwd", f"root:x:0:0::{VOLUME}:/nonexistent\n{user}".encode())
        self.add_file("etc/group", f"root:x:0:\nsynthhost:x:{USER}:\n".encode())
        self.add_file("etc/nsswitch.conf", b"passwd: files\ngroup: files\nhosts: files dns\n")

    def add_certificates(self):
        """Adds the certificate bundle, which Debian creates when it installs the package."""
        names = sorted(name for name in self.data if name.startswith(CERTIFICATES))
        self.add_file("etc/ssl/certs/ca-certificates.crt", b"".join(self.data[name] for name in names))
        for name in names:
            del self.entries[name], self.data[name]

    def add_file(self, name, data, mode=0o644):
        self.add(name, tarfile.REGTYPE, mode)
        self.entries[name].size = len(data)
        self.data[name] = data

    def add_link(self, name, target):
        self.add(name, tarfile.SYMTYPE, 0o777)
        self.entries[name].linkname = target

    def add_folder(self, name, mode=0o755, owner=0):
        self.add(name, tarfile.DIRTYPE, mode, owner)

    def add(self, name, kind, mode, owner=0):
        entry = tarfile.TarInfo(name)
        entry.type, entry.mode, entry.uid, entry.gid = kind, mode, owner, owner
        self.entries[name] = entry

    # ---- Layer ----

    def packed(self, moment):
        """Returns the layer as a tar file, sorted by name, with each folder before its contents."""
        for folder in MERGED:
            if any(name.startswith(f"usr/{folder}/") for name in self.entries):
                self.add_link(folder, f"usr/{folder}")
        for name in list(self.entries):
            folder = posixpath.dirname(name)
            while folder and folder not in self.entries:
                self.add_folder(folder)
                folder = posixpath.dirname(folder)
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for name in sorted(self.entries):
                self.entries[name].mtime = moment
                archive.addfile(self.entries[name], io.BytesIO(self.data.get(name, b"")))
        return out.getvalue()


def merged(name):
    return "usr/" + name if name.split("/")[0] in MERGED else name


def said_by(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
