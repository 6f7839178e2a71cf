#include "linux_calls.h"
