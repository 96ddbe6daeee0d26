"""Support vector machines."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.svm.choice.bounds import l1_min_c
    from stylobate.svm.choice.cost_path import SVCPath, svc_path
    from stylobate.svm.choice.slack import LeastSlack, least_slack
    from stylobate.svm.choice.svc_cv import SVCCV
    from stylobate.svm.duals.conditions import KKTReport, MachineConditions
    from stylobate.svm.linear.svc import LinearSVC
    from stylobate.svm.linear.svr import LinearSVR
    from stylobate.svm.machines.nu_svc import NuSVC
    from stylobate.svm.machines.nu_svr import NuSVR
    from stylobate.svm.machines.one_class_svm import OneClassSVM
    from stylobate.svm.machines.svc import SVC
    from stylobate.svm.machines.svr import SVR

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
        "LeastSlack": "choice.slack",
        "least_slack": "choice.slack",
        "SVC": "machines.svc",
        "SVCCV": "choice.svc_cv",
        "SVR": "machines.svr",
        "KKTReport": "duals.conditions",
        "LinearSVC": "linear.svc",
        "LinearSVR": "linear.svr",
        "MachineConditions": "duals.conditions",
        "NuSVC": "machines.nu_svc",
        "NuSVR": "machines.nu_svr",
        "OneClassSVM": "machines.one_class_svm",
        "SVCPath": "choice.cost_path",
        "l1_min_c": "choice.bounds",
        "svc_path": "choice.cost_path",
    },
)
