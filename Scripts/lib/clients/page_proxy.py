"""nginx in front of the page, below a path, configured as in `Scripts/examples/nginx.conf`."""

import os
import re
import shutil
import subprocess
import tempfile
import urllib.request

from clients.programs import LIMIT, ROOT, free_port, wait_until

EXAMPLE = os.path.join(ROOT, "Scripts", "examples", "nginx.conf")
PATH = "/tts/"
# All files that nginx writes stay in the folder of the check.
FRAME = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    {places}
    include {folder}/site.conf;
}}
"""


class Proxy:
    """Runs between `start` and `stop`, without TLS, on a local port."""

    def __init__(self):
        self.port = free_port()
        self.name = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.name}{PATH}"
        self.folder = tempfile.mkdtemp(prefix="synthhost-nginx-")
        self.process = None

    def start(self, service):
        """`service` is the address of the service, such as 127.0.0.1:8880."""
        with open(EXAMPLE, encoding="utf-8") as file:
            site = file.read()
        for old, new in [("listen 443 ssl;", f"listen {self.name};"), ("127.0.0.1:8880", service)]:
            if old not in site:
                raise AssertionError(f"{EXAMPLE} does not contain “{old}”")
            site = site.replace(old, new)
        site = re.sub(r"(?m)^ *(ssl_|server_name).*$", "", site)
        places = "\n".join(
            f"{name}_temp_path {self.folder}/{name};" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        for name, text in [("site.conf", site), ("nginx.conf", FRAME.format(folder=self.folder, places=places))]:
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        self.process = subprocess.Popen(
            ["/usr/sbin/nginx", "-p", self.folder, "-e", os.path.join(self.folder, "error.log"), "-c",
             os.path.join(self.folder, "nginx.conf")], stdin=subprocess.DEVNULL)
        wait_until(self._answers, "nginx forwards requests")

    def _answers(self):
        if self.process.poll() is not None:
            raise AssertionError("nginx exited")
        try:
            with urllib.request.urlopen(self.url + "health", timeout=LIMIT) as answer:
                return answer.status == 200
        except OSError:
            return False

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait(LIMIT)
        shutil.rmtree(self.folder, ignore_errors=True)


def redirects(proxy):
    """Checks that the path without its trailing slash redirects to the page, with the same host name and port."""
    with urllib.request.urlopen(proxy.url.rstrip("/"), timeout=LIMIT) as answer:
        if answer.url != proxy.url or b"<title>synthhost" not in answer.read():
            raise AssertionError(f"the redirect leads to {answer.url}")
