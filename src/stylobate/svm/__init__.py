"""Support vector machines."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.svm.bounds import l1_min_c
    from stylobate.svm.conditions import KKTReport, MachineConditions
    from stylobate.svm.cost_path import SVCPath, svc_path
    from stylobate.svm.linear_svc import LinearSVC
    from stylobate.svm.linear_svr import LinearSVR
    from stylobate.svm.nu_svc import NuSVC
    from stylobate.svm.nu_svr import NuSVR
    from stylobate.svm.one_class_svm import OneClassSVM
    from stylobate.svm.slack import LeastSlack, least_slack
    from stylobate.svm.svc import SVC
    from stylobate.svm.svc_cv import SVCCV
    from stylobate.svm.svr import SVR

__all__ = [
    "SVC",
    "SVCCV",
    "SVR",
    "KKTReport",
    "LeastSlack",
    "LinearSVC",
    "LinearSVR",
    "MachineConditions",
    "NuSVC",
    "NuSVR",
    "OneClassSVM",
    "SVCPath",
    "l1_min_c",
    "least_slack",
    "svc_path",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "LeastSlack": "slack",
        "least_slack": "slack",
        "SVC": "svc",
        "SVCCV": "svc_cv",
        "SVR": "svr",
        "KKTReport": "conditions",
        "LinearSVC": "linear_svc",
        "LinearSVR": "linear_svr",
        "MachineConditions": "conditions",
        "NuSVC": "nu_svc",
        "NuSVR": "nu_svr",
        "OneClassSVM": "one_class_svm",
        "SVCPath": "cost_path",
        "l1_min_c": "bounds",
        "svc_path": "cost_path",
    },
)
