"""How kernels are compiled: once per machine, cached beside the code."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(function: Kernel) -> Kernel:
    """Compiled, cached, without the GIL. Floats may be fused but are never reordered."""
    return cast(Kernel, njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")(function))


def inlined(function: Kernel) -> Kernel:
    """As `kernel`, inlined into its callers."""
    return cast(
        Kernel, njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy", inline="always")(function)
    )
