/* Attempts that involve sockets. */
#pragma once

#include "tools.h"

static int make_socket(long family, int type, int protocol) { return KERNEL_OPENS(SYS_socket, family, type, protocol); }

static int internet(const char *port, int type, bool binds) {
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)strtol(port, NULL, 10)),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int end = socket(AF_INET, type, 0), failure = answer("socket", end);
  if (end >= 0 && binds) failure = TRY(bind, end, (struct sockaddr *)&place, sizeof place);
  else if (end >= 0) failure = TRY(connect, end, (struct sockaddr *)&place, sizeof place);
  return closing(failure, &end);
}

static socklen_t local_place(struct sockaddr_un *place, const char *path, bool isAbstract) {
  *place = (struct sockaddr_un){.sun_family = AF_UNIX};
  snprintf(place->sun_path + isAbstract, sizeof place->sun_path - 1, "%s", path);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path) + 1);
}

static int local(const char *path, bool isAbstract) {
  struct sockaddr_un place;
  socklen_t length = local_place(&place, path, isAbstract);
  int end = socket(AF_UNIX, SOCK_STREAM, 0), failure = answer("socket", end);
  if (end >= 0) failure = TRY(connect, end, (struct sockaddr *)&place, length - isAbstract);
  return closing(failure, &end);
}

/* Performs a socket pair operation that takes an address. */
static int by_pair(int type, const char *path, char way) {
  struct sockaddr_un place;
  socklen_t length = local_place(&place, path, false);
  int ends[2];
  int failure = TRY(socketpair, AF_UNIX, type, 0, ends);
  if (failure) return failure;
  struct iovec part = {(void *)"x", 1};
  struct msghdr message = {.msg_name = &place, .msg_namelen = length, .msg_iov = &part, .msg_iovlen = 1};
  struct mmsghdr several = {.msg_hdr = message};
  switch (way) {
    case 's': failure = TRY(sendto, ends[0], "x", 1, MSG_NOSIGNAL, (struct sockaddr *)&place, length); break;
    case 'm': failure = TRY(sendmsg, ends[0], &message, MSG_NOSIGNAL); break;
    case 'v': failure = TRY(sendmmsg, ends[0], &several, 1, MSG_NOSIGNAL); break;
    case 'c': failure = TRY(connect, ends[0], (struct sockaddr *)&place, length); break;
    case 'l': failure = TRY(listen, ends[0], 1); break;
    case 'b':
      failure = TRY(bind, ends[0], (struct sockaddr *)&place, length);
      if (failure == 0) unlink(path);
  }
  close(ends[0]), close(ends[1]);
  return failure;
}

/* Any socket can list the network interfaces. */
static int list_networks(void) {
  int ends[2], failure = TRY(socketpair, AF_UNIX, SOCK_STREAM, 0, ends);
  if (failure) return failure;
  struct { int length; char *space; } list = {0};
  failure = TRY(ioctl, ends[0], 0x8912ul /* SIOCGIFCONF */, &list);
  close(ends[0]), close(ends[1]);
  return failure;
}

static int pass_descriptor(void) {
  char frame[] = "\377garbage";
  int file = open("/dev/null", O_RDWR), failure = answer("open", file);
  struct iovec part = {frame, sizeof frame - 1};
  union { struct cmsghdr header; char space[CMSG_SPACE(sizeof(int))]; } control = {0};
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
  control.header.cmsg_level = SOL_SOCKET, control.header.cmsg_type = SCM_RIGHTS;
  control.header.cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(&control.header), &file, sizeof file);
  if (file >= 0) failure = TRY(sendmsg, 3, &message, MSG_NOSIGNAL);
  return closing(failure, &file);
}

static int attempt_on_network(const char *name, const char *target) {
  IF("connect-tcp", internet(target, SOCK_STREAM, false));
  IF("bind-tcp", internet("0", SOCK_STREAM, true));
  IF("udp", internet(target, SOCK_DGRAM, false));
  IF("tcp6", make_socket(AF_INET6, SOCK_STREAM, 0));
  IF("udp6", make_socket(AF_INET6, SOCK_DGRAM, 0));
  IF("multipath-tcp", make_socket(AF_INET, SOCK_STREAM, TCP_MULTIPATH));
  IF("tcp-high", make_socket(1L << LEFT_HALF | AF_INET, SOCK_STREAM, 0));
  IF("raw", make_socket(AF_INET, SOCK_RAW, 1));
  IF("packet", make_socket(AF_PACKET, SOCK_DGRAM, 0));
  IF("netlink", make_socket(AF_NETLINK, SOCK_RAW, 0));
  IF("vsock", make_socket(AF_VSOCK, SOCK_STREAM, 0));
  IF("crypto", make_socket(AF_ALG, SOCK_SEQPACKET, 0));
  IF("bluetooth", make_socket(AF_BLUETOOTH, SOCK_RAW, 1));
  IF("unix-stream", local(target, false));
  IF("unix-abstract", local(target, true));
  IF("unix-datagram", make_socket(AF_UNIX, SOCK_DGRAM, 0));
  IF("pair-sendto", by_pair(SOCK_DGRAM, target, 's'));
  IF("pair-sendmsg", by_pair(SOCK_DGRAM, target, 'm'));
  IF("pair-sendmmsg", by_pair(SOCK_DGRAM, target, 'v'));
  IF("raw-pair-sendmsg", by_pair(SOCK_RAW, target, 'm'));
  IF("pair-connect", by_pair(SOCK_DGRAM, target, 'c'));
  IF("pair-bind", by_pair(SOCK_STREAM, cached("bound"), 'b'));
  IF("pair-listen", by_pair(SOCK_STREAM, "", 'l'));
  IF("stream-sendto", by_pair(SOCK_STREAM, target, 's'));
  IF("list-networks", list_networks());
  IF("pass-descriptor", pass_descriptor());
  return -1;
}
