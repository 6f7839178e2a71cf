/* Works around a bug of Foundation's URLSession on Linux, because of which every download keeps a processor fully busy.

   libcurl tells the program that drives it which events of a socket to wait for: room to send while it connects, then
   data to read. FoundationNetworking (at least up to 6.3) adds events but never removes any. A connected socket nearly
   always has room to send, so its queue runs without a pause until the transfer ends.

   Nothing has to be called. If a program links this and exports `curl_multi_setopt`, the function replaces libcurl's in
   the libraries that the program loads. Each change of a socket's events then reaches Foundation as a removal and an
   addition. A Foundation without the bug only has a little more work for each connection. */
#pragma once
