#pragma once

/* The library is linked instead of opened with dlopen. So the loader reports a missing or wrong library when the engine is
   scanned, and packaging tools see the dependency. The cost is the symbol version of OrtGetApiBase, which ties a build to the
   release that it was linked with. Scripts/onnxruntime pins that release; a distribution uses its own. */
#include <onnxruntime_c_api.h>
