/* An ALSA playback device whose time advances only on request: each byte on the descriptor STEPPED_CLOCK plays 240 frames. The
   device writes its events, one per line, to the descriptor STEPPED_EVENTS. */
#define PIC 1
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    snd_pcm_ioplug_t io;
    int events;
    unsigned long played, written;
} stepped;

static void pass_time(stepped *device) {
    char steps[64];
    ssize_t count;
    while ((count = read(device->io.poll_fd, steps, sizeof steps)) > 0) device->played += 240 * (unsigned long)count;
}

static int on_prepare(snd_pcm_ioplug_t *io) {
    stepped *device = io->private_data;
    device->played = device->written = 0;
    dprintf(device->events, "prepare\n");
    return 0;
}

static int on_start(snd_pcm_ioplug_t *io) {
    dprintf(((stepped *)io->private_data)->events, "start\n");
    return 0;
}

static int on_stop(snd_pcm_ioplug_t *io) {
    dprintf(((stepped *)io->private_data)->events, "stop\n");
    return 0;
}

static int on_drain(snd_pcm_ioplug_t *io) {
    stepped *device = io->private_data;
    dprintf(device->events, "drain %lu\n", device->written);
    return 0;
}

static int on_close(snd_pcm_ioplug_t *io) {
    dprintf(((stepped *)io->private_data)->events, "close\n");
    return 0;
}

static snd_pcm_sframes_t on_pointer(snd_pcm_ioplug_t *io) {
    stepped *device = io->private_data;
    pass_time(device);
    if (device->played > device->written) return -EPIPE;
    return (snd_pcm_sframes_t)(device->played % io->buffer_size);
}

static snd_pcm_sframes_t on_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
                                     snd_pcm_uframes_t offset, snd_pcm_uframes_t frames) {
    stepped *device = io->private_data;
    (void)areas, (void)offset;
    device->written += frames;
    dprintf(device->events, "written %lu\n", device->written);
    return (snd_pcm_sframes_t)frames;
}

static int on_revents(snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned int count, unsigned short *events) {
    stepped *device = io->private_data;
    (void)descriptors, (void)count;
    pass_time(device);
    *events = device->written - device->played < io->buffer_size ? POLLOUT : 0;
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = on_start, .stop = on_stop, .pointer = on_pointer, .transfer = on_transfer, .prepare = on_prepare,
    .drain = on_drain, .close = on_close, .poll_revents = on_revents,
};

SND_PCM_PLUGIN_DEFINE_FUNC(stepped) {
    static const unsigned int formats[] = {SND_PCM_FORMAT_S16_LE};
    static const unsigned int accesses[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
    stepped *device = calloc(1, sizeof *device);
    (void)root, (void)conf;
    if (!device) return -ENOMEM;
    device->events = atoi(getenv("STEPPED_EVENTS"));
    device->io.version = SND_PCM_IOPLUG_VERSION;
    device->io.name = "stepped";
    device->io.callback = &callbacks;
    device->io.private_data = device;
    device->io.poll_fd = atoi(getenv("STEPPED_CLOCK"));
    device->io.poll_events = POLLIN;
    fcntl(device->io.poll_fd, F_SETFL, O_NONBLOCK);
    int code = snd_pcm_ioplug_create(&device->io, name, stream, mode);
    if (code < 0) return code;
    snd_pcm_ioplug_set_param_list(&device->io, SND_PCM_IOPLUG_HW_FORMAT, 1, formats);
    snd_pcm_ioplug_set_param_list(&device->io, SND_PCM_IOPLUG_HW_ACCESS, 1, accesses);
    snd_pcm_ioplug_set_param_minmax(&device->io, SND_PCM_IOPLUG_HW_CHANNELS, 1, 2);
    snd_pcm_ioplug_set_param_minmax(&device->io, SND_PCM_IOPLUG_HW_RATE, 8000, 48000);
    snd_pcm_ioplug_set_param_minmax(&device->io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 256, 65536);
    snd_pcm_ioplug_set_param_minmax(&device->io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 1024, 262144);
    snd_pcm_ioplug_set_param_minmax(&device->io, SND_PCM_IOPLUG_HW_PERIODS, 2, 64);
    *pcmp = device->io.pcm;
    return 0;
}
SND_PCM_PLUGIN_SYMBOL(stepped);
