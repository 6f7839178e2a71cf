#pragma once

/* Linked, not opened by hand with dlopen: a missing or mismatched library is then the loader's message when the engine
   is scanned, and packaging tools see the dependency. The price is OrtGetApiBase's symbol version, which ties a build to
   the release that it was linked with; Scripts/onnxruntime pins that release, and a distribution keeps its own. */
#include <onnxruntime_c_api.h>
