"""Reads a CTranslate2 model.bin."""

import mmap
import struct

import numpy

KINDS = {0: numpy.float32, 1: numpy.int8, 2: numpy.int16, 3: numpy.int32, 4: numpy.float16}


class Weights(dict):
    """Arrays, keyed by name. The file is little-endian and contains the version, kind of model and revision, then each array with its name,
    sizes, type and bytes."""

    def __init__(self, path):
        super().__init__()
        with open(path, "rb") as file:
            self._data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        self._place = 0
        self._take("I")
        self.kind = self._text()
        self._take("I")
        for _ in range(self._take("I")):
            name = self._text()
            sizes = [self._take("I") for _ in range(self._take("B"))]
            kind = numpy.dtype(KINDS[self._take("B")])
            length = self._take("I")
            whole = numpy.frombuffer(self._data, kind, length // kind.itemsize, self._place)
            self[name] = whole.reshape(sizes)
            self._place += length

    def _take(self, form):
        (value,) = struct.unpack_from("<" + form, self._data, self._place)
        self._place += struct.calcsize("<" + form)
        return value

    def _text(self):
        length = self._take("H")
        self._place += length
        return bytes(self._data[self._place - length:self._place]).rstrip(b"\0").decode()
