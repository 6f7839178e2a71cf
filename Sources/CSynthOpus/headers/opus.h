/* opusenc.h includes <opus.h>, which distributions install in a separate folder. */
#include <opus/opus.h>
