/* What Swift cannot import from glibc. */
#pragma once
