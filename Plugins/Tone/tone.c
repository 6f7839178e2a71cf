#include "synth_engine.h"
