/*
 * Makes every synchronisation of a file take at least FSYNC_FLOOR_US microseconds, and counts them.
 * Loaded with LD_PRELOAD into databases, to measure as if on a slower disk.
 *
 * FSYNC_COUNT_FILE names a file of 8 bytes that all processes share: the number of synchronisations.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static long floor_us;
static _Atomic uint64_t *count;

__attribute__((constructor)) static void prepare(void) {
  const char *floor_text = getenv("FSYNC_FLOOR_US");
  floor_us = floor_text ? atol(floor_text) : 0;
  const char *path = getenv("FSYNC_COUNT_FILE");
  if (!path) return;
  int file = open(path, O_RDWR);
  if (file < 0) return;
  void *place = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (place != MAP_FAILED) count = place;
}

static struct timespec now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time;
}

static void finish(struct timespec began) {
  if (count) atomic_fetch_add(count, 1);
  if (floor_us <= 0) return;
  struct timespec until = began;
  until.tv_nsec += floor_us * 1000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0) {
  }
}

int fsync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  struct timespec began = now();
  int result = real(file);
  finish(began);
  return result;
}

int fdatasync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  struct timespec began = now();
  int result = real(file);
  finish(began);
  return result;
}

int msync(void *address, size_t length, int flags) {
  static int (*real)(void *, size_t, int);
  if (!real) real = (int (*)(void *, size_t, int))dlsym(RTLD_NEXT, "msync");
  struct timespec began = now();
  int result = real(address, length, flags);
  if (flags & MS_SYNC) finish(began);
  return result;
}

ssize_t pwritev2(int file, const struct iovec *parts, int part_count, off_t offset, int flags) {
  static ssize_t (*real)(int, const struct iovec *, int, off_t, int);
  if (!real) real = (ssize_t(*)(int, const struct iovec *, int, off_t, int))dlsym(RTLD_NEXT, "pwritev2");
  struct timespec began = now();
  ssize_t result = real(file, parts, part_count, offset, flags);
  if (flags & (RWF_DSYNC | RWF_SYNC)) finish(began);
  return result;
}
