"""Public checks: what every estimator must keep to, in a form other projects can use."""

from stylobate.base.discovery import all_estimators
from stylobate.testing.contract import ContractError, check_contract, contract_checks
from stylobate.testing.laws import LawError, check_merge_laws

__all__ = [
    "ContractError",
    "LawError",
    "all_estimators",
    "check_contract",
    "check_merge_laws",
    "contract_checks",
]
