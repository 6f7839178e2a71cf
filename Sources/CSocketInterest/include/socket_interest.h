/* A repair of Foundation's URLSession on Linux, which every download would otherwise pay for with a whole processor.

   libcurl tells the program that drives it which events of a socket to wait for: room to send while it connects, data to
   read from then on. FoundationNetworking (up to 6.3 at least) adds to what it waits for and never takes away. A
   connected socket nearly always has room to send, so its queue runs without a pause until the transfer ends.

   Nothing is to be called. A program that links this and exports `curl_multi_setopt` has that function take the place of
   libcurl's, for the libraries that it loads. Each change of a socket's events then reaches Foundation as "no longer" and
   "from now on". Where Foundation does so itself, this changes nothing but a little work for each connection. */
#pragma once
