"""How kernels are compiled: once for each machine, kept beside the code."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(function: Kernel) -> Kernel:
    """Compiled, cached, without the interpreter's lock; floats may be fused but are never reordered."""
    return cast(Kernel, njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")(function))


def inlined(function: Kernel) -> Kernel:
    """As `kernel`, written into whatever calls it."""
    return cast(
        Kernel, njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy", inline="always")(function)
    )
