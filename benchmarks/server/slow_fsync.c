/* Makes every sync of the disk take 10 ms longer: a disk of the kind that most rented machines have. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static int slow(const char *name, int descriptor) {
    const struct timespec wait = {0, 10 * 1000 * 1000};
    nanosleep(&wait, 0);
    return ((int (*)(int))dlsym(RTLD_NEXT, name))(descriptor);
}

int fsync(int descriptor) { return slow("fsync", descriptor); }

int fdatasync(int descriptor) { return slow("fdatasync", descriptor); }
