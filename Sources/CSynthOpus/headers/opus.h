/* opusenc.h asks for <opus.h>, which distributions keep in a folder of its own. */
#include <opus/opus.h>
