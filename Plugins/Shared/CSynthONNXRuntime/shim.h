#pragma once

/* The library is linked and not opened with dlopen: the loader then reports a missing or wrong library when the
   engine is scanned, and packaging tools see the dependency. The cost is the symbol version of OrtGetApiBase, which
   ties a build to the release that it was linked with. Scripts/onnxruntime pins that release, and a distribution has
   its own. */
#include <onnxruntime_c_api.h>
