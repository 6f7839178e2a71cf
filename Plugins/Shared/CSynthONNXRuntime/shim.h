#pragma once

/* ONNX Runtime is linked rather than opened with dlopen, so the loader reports a missing or incompatible
   library when the engine is scanned, and packaging tools see the dependency. The drawback is the symbol version of
   OrtGetApiBase, which ties a build to one release of the library. Scripts/onnxruntime pins that release; a Linux
   distribution builds against the release that it packages. */
#include <onnxruntime_c_api.h>
