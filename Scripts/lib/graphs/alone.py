"""Runs ONNX Runtime alone with its default options: `alone.py GRAPH STYLES SAMPLES`.

Each line of standard input contains the IDs of a text. For each text, prints a line of JSON with milliseconds, processor milliseconds, and
frames. The last audio is written to SAMPLES as float32.
"""

import json
import resource
import sys
import time

from graphs.runs import inputs_of, session


def _processor():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main():
    _, graph, styles, samples = sys.argv
    model = session(graph)
    print(json.dumps({"version": 1}), flush=True)
    names = {value.name for value in model.get_inputs()}
    output = [value.name for value in model.get_outputs()][:1]
    for line in sys.stdin:
        given = inputs_of(names, [int(one) for one in line.split()], styles)
        start, used = time.perf_counter(), _processor()
        sound = model.run(output, given)[0]
        took, used = time.perf_counter() - start, _processor() - used
        sound.astype("float32").tofile(samples)
        print(json.dumps({"whole": took * 1e3, "cpu": used * 1e3, "frames": int(sound.size)}), flush=True)


if __name__ == "__main__":
    main()
