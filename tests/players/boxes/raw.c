/* System calls as the processor takes them: neither Python nor the C library is asked. */
#include <Python.h>

static long call(long number, long a, long b, long c, long d)
{
    long result;
    register long r10 __asm__("r10") = d;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
    return result;
}

static PyObject *raw_call(PyObject *module, PyObject *arguments)
{
    long number, a = 0, b = 0, c = 0, d = 0;
    if (!PyArg_ParseTuple(arguments, "l|llll", &number, &a, &b, &c, &d))
        return NULL;
    long result = call(number, a, b, c, d);
    if (result == 0 && (number == 56 || number == 57 || number == 58))
        call(231, 0, 0, 0, 0); /* a process that should not be */
    return PyLong_FromLong(result);
}

static PyObject *raw_open(PyObject *module, PyObject *arguments)
{
    const char *path;
    if (!PyArg_ParseTuple(arguments, "s", &path))
        return NULL;
    return PyLong_FromLong(call(2, (long)path, 0, 0, 0));
}

static PyMethodDef methods[] = {
    {"call", raw_call, METH_VARARGS, NULL}, {"open", raw_open, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "raw", NULL, -1, methods};

PyMODINIT_FUNC PyInit_raw(void) { return PyModule_Create(&definition); }
