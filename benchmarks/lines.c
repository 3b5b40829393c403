/* Lines of memory in the processors' caches: touches some of a library's, and times which ones are there. */
#include <Python.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <x86intrin.h>

#define PAGE 4096
static volatile unsigned char *held;
static uint64_t pages;

/* A page of its own for each line, in no order, so that the processor fetches none unasked. */
static volatile unsigned char *page(uint64_t number)
{
    return held + (number * 0x9E3779B97F4A7C15u >> 17) % pages * PAGE;
}
static volatile unsigned char *line(uint64_t number)
{
    return page(number) + PAGE / 2 + number % 16 * 64;
}

static PyObject *keep(PyObject *module, PyObject *path)
{
    const char *name = PyUnicode_AsUTF8(path);
    struct stat found;
    int file = name ? open(name, O_RDONLY) : -1;
    if (file < 0 || fstat(file, &found))
        return PyErr_SetFromErrno(PyExc_OSError);
    pages = found.st_size / PAGE;
    held = mmap(NULL, pages * PAGE, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    Py_RETURN_NONE;
}

/* Touch the lines of the bits that are set, this many times. */
static PyObject *touch(PyObject *module, PyObject *arguments)
{
    unsigned long long first, bits, times;
    if (!PyArg_ParseTuple(arguments, "KKK", &first, &bits, &times))
        return NULL;
    while (times--)
        for (int place = 0; place < 64; place++)
            if (bits >> place & 1)
                (void)*line(first + place);
    Py_RETURN_NONE;
}

/* Return how often each line was there in this many tries, within this many cycles; in between, have it dropped. */
static PyObject *there(PyObject *module, PyObject *arguments)
{
    unsigned long long first, times, cycles;
    unsigned processor;
    long found[64] = {0};
    if (!PyArg_ParseTuple(arguments, "KKK", &first, &times, &cycles))
        return NULL;
    for (unsigned long long again = 0; again < times; again++)
        for (int place = 0; place < 64; place++) {
            (void)*page(first + place);
            _mm_mfence();
            _mm_lfence();
            uint64_t start = __rdtscp(&processor);
            _mm_lfence();
            (void)*line(first + place);
            _mm_lfence();
            found[place] += __rdtscp(&processor) - start < cycles;
            _mm_clflush((void *)line(first + place));
        }
    PyObject *all = PyList_New(64);
    for (int place = 0; all && place < 64; place++)
        PyList_SET_ITEM(all, place, PyLong_FromLong(found[place]));
    return all;
}

static PyMethodDef methods[] = {
    {"keep", keep, METH_O, NULL},
    {"touch", touch, METH_VARARGS, NULL},
    {"there", there, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "lines", NULL, -1, methods};

PyMODINIT_FUNC PyInit_lines(void) { return PyModule_Create(&definition); }
