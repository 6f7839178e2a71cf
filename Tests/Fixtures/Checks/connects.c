/* SPDX-License-Identifier: Apache-2.0
   Confines itself to one port, as the downloading process does, and prints one line for each attempted network operation, which
   shows whether the operation is allowed.
   Usage: connects OPEN-PORT OTHER-PORT */
#define _GNU_SOURCE
#include "linux_confine.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void tell(const char *attempt, long result) {
  printf("%s %s\n", attempt, result >= 0 ? "done" : strerrorname_np(errno));
}

static struct sockaddr_in place(const char *port) {
  return (struct sockaddr_in){
      .sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port)), .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

static void connect_to(const char *attempt, const char *port) {
  struct sockaddr_in there = place(port);
  int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  tell(attempt, connect(socket_, (struct sockaddr *)&there, sizeof there));
  close(socket_);
}

int main(int count, char **words) {
  if (count != 3) return 64;
  const int version = linux_landlock_version();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 1;
  if (version >= 4) {
    /* Listening and connecting over TCP. */
    int rules = linux_landlock_rules(version, 0, 3, 0);
    if (linux_landlock_allow_port(rules, (unsigned short)atoi(words[1])) || linux_landlock_restrict(rules)) return 1;
  }
  if (!linux_refuse_calls(LINUX_MAY_CONNECT)) return 1;
  connect_to("open", words[1]);
  if (version >= 4) connect_to("other", words[2]);
  struct sockaddr_in there = place(words[2]);
  int fast = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
  tell("fast", sendto(fast, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&there, sizeof there));
  struct iovec part = {"x", 1};
  struct msghdr message = {.msg_name = &there, .msg_namelen = sizeof there, .msg_iov = &part, .msg_iovlen = 1};
  tell("fast message", sendmsg(fast, &message, MSG_FASTOPEN));
  struct mmsghdr messages = {.msg_hdr = message};
  tell("fast messages", sendmmsg(fast, &messages, 1, MSG_FASTOPEN));
  int udp = socket(AF_INET, SOCK_DGRAM, 0);
  tell("udp", sendto(udp, "x", 1, 0, (struct sockaddr *)&there, sizeof there));
  tell("netlink", socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0));
  tell("netlink of IPsec", socket(AF_NETLINK, SOCK_RAW, 6));
  struct sockaddr_in any = {.sin_family = AF_INET};
  tell("bind", bind(udp, (struct sockaddr *)&any, sizeof any));
  tell("multipath", socket(AF_INET, SOCK_STREAM, 262));
  tell("raw", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
  tell("raw tcp", socket(AF_INET, SOCK_RAW, IPPROTO_TCP));
  tell("local", socket(AF_UNIX, SOCK_STREAM, 0));
  tell("vsock", socket(AF_VSOCK, SOCK_STREAM, 0));
  int pair[2];
  tell("pair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
  tell("pair of datagrams", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
  return 0;
}
